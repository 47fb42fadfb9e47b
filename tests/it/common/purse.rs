//! A small game of chance and choice whose balance is known: two seats draw from one deck, play a card each turn for its
//! gold, and the richer one wins.

use crate::common::program::Place;

/// The gold of the six designs, two copies each.
pub const GOLD: [i32; 6] = [1, 2, 3, 4, 5, 6];

const PACK: &str = r#"{
  "format": 1, "id": "purse", "version": "1.0.0", "api": 1, "title": "Purse", "description": "The richer seat wins.",
  "authors": ["tests"], "license": "MIT", "kind": "game", "languages": ["en"], "seats": {"min": 2, "max": 2}
}"#;

const GAME: &str = r#"{
  "counters": [
    {"id": "gold", "scope": "faction", "min": 0, "max": 1000, "start": 0, "track": true},
    {"id": "round", "scope": "game", "min": 0, "max": 10, "start": 0}
  ],
  "decisions": [{"id": "card", "doc": "Which card to play."}],
  "factions": [
    {"id": "ruby", "playable": true, "group": "sides", "color": "red"},
    {"id": "jade", "playable": true, "group": "sides", "color": "green"}
  ],
  "phases": [
    {"id": "setup", "run": "game.setup"},
    {"id": "game", "repeat": 4, "counter": "round", "phases": [{"id": "turn", "each": "game.turn"}]},
    {"id": "count", "run": "game.count"}
  ],
  "zones": [
    {"id": "deck", "scope": "game", "visible": "nobody"},
    {"id": "hand", "scope": "faction", "visible": "owner"},
    {"id": "used", "scope": "game"}
  ],
  "props": [
    {"id": "card.type", "of": "cards", "type": "keyword", "words": {"coin": "A coin."}, "doc": "The card type."},
    {"id": "coin.gold", "of": "cards", "in": ["coin"], "type": "number", "doc": "What it is worth."},
    {
      "id": "faction.group", "of": "factions", "type": "keyword", "words": {"sides": "A side of the game."},
      "doc": "The group of factions."
    }
  ]
}"#;

const SCRIPT: &str = r#"local M = {}

function M.setup()
  shuffle(zone.deck)
  for _, seat in seats() do
    draw(zone.deck, nil, zone.hand, seat)
  end
end

function M.turn(seat)
  draw(zone.deck, nil, zone.hand, seat)
  local card = choose(seat, "card", cards(zone.hand, seat))
  add(counter.gold, prop(card, "gold"), seat)
  put(card, zone.used)
end

function M.count()
  local ruby, jade = get(counter.gold, faction.ruby), get(counter.gold, faction.jade)
  if ruby == jade then
    draw_game("level")
  else
    win(ruby > jade and faction.ruby or faction.jade, "richer")
  end
end

return M
"#;

const MESSAGES: &str = r#"{
  "messages": {
    "outcome.level": "Equal gold.", "outcome.richer": "More gold.", "faction.ruby": "Ruby", "faction.jade": "Jade",
    "counter.gold": "Gold", "type.coin": "Coin", "decision.card": "Which card do you play?", "zone.hand": "Hand"
  }
}"#;

/// Writes the game into a folder, with a gold value for each design.
pub fn write(place: &Place, folder: &str, gold: &[i32]) {
    let cards: Vec<String> = gold
        .iter()
        .enumerate()
        .map(|(at, gold)| {
            format!(
                r#"{{"id": "coin-{}", "type": "coin", "copies": 2, "zone": "deck", "props": {{"gold": {gold}}}}}"#,
                at + 1
            )
        })
        .collect();
    place.write(&format!("{folder}/pack.json"), PACK);
    place.write(&format!("{folder}/game.json"), GAME);
    place.write(&format!("{folder}/game.lua"), SCRIPT);
    place.write(&format!("{folder}/game.en.json"), MESSAGES);
    place.write(&format!("{folder}/cards.json"), &format!(r#"{{"cards": [{}]}}"#, cards.join(",\n")));
}
