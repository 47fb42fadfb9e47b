//! Every board and card of every game can be drawn, and shows what its viewer may see and nothing else.

use std::collections::BTreeMap;

use crate::common::{Pack, give, next_answer, packs, root, whole_games};
use principes_app::board::SeenBoard;
use principes_app::packs::{OpenPacks, PackRequest};
use principes_app::session::Die;
use principes_app::words::Words;
use principes_core::bots::RandomBot;
use principes_core::*;
use principes_draw::card::{Back, Face};
use principes_draw::rules::Pages;
use principes_draw::theme::Theme;
use principes_draw::{alone, board, die, tracks};
use principes_print::Printer;
use principes_print::parts::{Selection, What};
use principes_print::sheet::{A4, Duplex, Setting};

/// Fails unless every element is closed, in order.
fn assert_nested(svg: &str, what: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (inside, text) = tag.split_once('>').unwrap_or_else(|| panic!("{what}: `<{tag}` has no end"));
        assert!(!text.contains('>'), "{what}: {text}");
        let name = inside.split([' ', '/']).next().unwrap();
        match inside.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{what}"),
            None if inside.ends_with('/') => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{what}: {open:?} is still open");
}

fn words(pack: &Pack) -> Words {
    Words::new(pack.catalog().clone(), pack.loaded.messages.clone(), "en")
}

#[test]
fn every_board_is_drawn_while_it_is_played_on() {
    for pack in whole_games() {
        let words = words(&pack);
        let mut game = pack.game(&pack.fresh_host(), 1);
        let mut bot = RandomBot::new(1);
        for step in 0..120 {
            if step % 40 == 0 {
                let seen = SeenBoard::new(&words, &game.table().view(None));
                let svg = board::draw(pack.catalog(), &pack.loaded.look, &seen, &pack.name);
                assert_nested(&svg, &pack.name);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", pack.name);
                let spaces = svg.matches("data-space=").count();
                if seen.spaces.iter().all(|space| space.tile.is_none()) {
                    assert_eq!(spaces, seen.spaces.len(), "{}", pack.name);
                }
                // A map of tiles leaves out empty cells that are far away.
                assert!(spaces <= seen.spaces.len(), "{}", pack.name);
                for space in seen.spaces.iter().filter(|space| space.tile.is_some() || !space.pieces.is_empty()) {
                    let place = format!("data-space=\"{}\"", space.id);
                    assert_eq!(svg.matches(&place).count(), 1, "{}: {}", pack.name, space.id);
                }
                let groups: usize = seen.spaces.iter().map(|space| space.pieces.len()).sum();
                assert_eq!(svg.matches("data-kind=").count(), groups, "{}", pack.name);
                if let Some(svg) = tracks::draw(&pack.loaded.look, &seen, &pack.name) {
                    assert_nested(&svg, &pack.name);
                }
            }
            let Some(answer) = next_answer(&mut game, &mut bot) else { break };
            give(&mut game, &answer).unwrap();
        }
    }
}

#[test]
fn every_deck_hand_and_market_is_drawn() {
    let mut hidden = 0;
    for pack in whole_games() {
        let words = words(&pack);
        let game = pack.game(&pack.fresh_host(), 1);
        let seen = SeenBoard::new(&words, &game.table().view(None));
        let name = pack.name.clone();
        let catalog = pack.catalog().clone();
        let packs = OpenPacks::new(pack.loaded);
        let hands = seen.seats.iter().flat_map(|seat| &seat.zones).filter(|zone| zone.designs.is_empty());
        for zone in seen.decks.iter().chain(hands) {
            let back = Back::of_zone(&packs, &words, &zone.id).unwrap();
            for svg in [back.draw_stack(zone.count), back.draw_fan(zone.count)] {
                assert_nested(&svg, &name);
                assert!(svg.contains(&format!(">{}</text>", zone.count)), "{name}: {}: {svg}", zone.id);
            }
            hidden += 1;
        }
        for design in (0..catalog.designs.len()).map(DesignId::at) {
            let face = Face::of(&packs, &words, design);
            let svg = face.draw_small();
            assert_nested(&svg, &face.id);
            // Every word of the title is on the card, unless it ends in an ellipsis.
            let whole = face.title.split_whitespace().all(|word| svg.contains(&principes_draw::escape(word)));
            assert!(whole, "{}: {svg}", face.id);
        }
        if let Some(rule) = &catalog.battle {
            for side in &rule.faces {
                let die = Die::Face(catalog.symbols.name(side.id.index()).to_owned());
                assert_nested(&die::draw(&catalog, &die, "a die"), &name);
            }
        }
    }
    assert!(hidden > 10, "{hidden}");
    let toy = whole_games().remove(0);
    let cube = |result| die::draw(toy.catalog(), &Die::Number { sides: 6, result }, "a die");
    for result in 1..=6 {
        // Each pip is two arcs.
        assert_eq!(cube(result).matches('a').count(), cube(1).matches('a').count() + 2 * (result as usize - 1));
    }
    let twelve = die::draw(toy.catalog(), &Die::Number { sides: 12, result: 11 }, "a die");
    assert!(twelve.contains(">11</text>"), "{twelve}");
}

#[test]
fn every_card_has_a_face() {
    for pack in whole_games() {
        let (words, catalog) = (words(&pack), pack.catalog().clone());
        let packs = OpenPacks::new(pack.loaded);
        for design in (0..catalog.designs.len()).map(DesignId::at) {
            let face = Face::of(&packs, &words, design);
            let svg = face.draw();
            assert_nested(&svg, &face.id);
            assert!(!face.title.is_empty() && !face.card_type.is_empty(), "{face:?}");
            // A cut text would not say everything that the card does.
            let shown: String = svg.split("<tspan").skip(1).filter_map(|part| part.split(['>', '<']).nth(1)).collect();
            let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
            let escaped = shown.replace("&#39;", "").replace("&quot;", "").replace("&amp;", "");
            assert_eq!(letters(&escaped), letters(&face.text), "{}", face.id);
        }
    }
}

/// A symbol stands for one thing: two designs of a game, or two kinds of pieces, never look alike. The same design of
/// another faction does.
#[test]
fn every_card_and_every_kind_of_a_game_has_a_picture_of_its_own() {
    let mut checked = Vec::new();
    for pack in packs() {
        let (words, catalog, look) = (words(&pack), pack.catalog().clone(), pack.loaded.look.clone());
        // Small examples leave the pictures of their cards to the program.
        if look.cards.values().all(|own| own.symbol.is_none()) {
            continue;
        }
        let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
        for kind in &catalog.kinds {
            let Some(path) = look.symbol(look.kinds.get(&kind.id).and_then(|own| own.symbol.as_ref())) else {
                continue;
            };
            let other = kinds.insert(path, &kind.id);
            assert!(other.is_none(), "{}: `{}` and `{}` have the same symbol", pack.name, kind.id, other.unwrap());
        }
        let (name, packs) = (pack.name.clone(), OpenPacks::new(pack.loaded));
        let mut faces: Vec<Face> = Vec::new();
        for design in (0..catalog.designs.len()).map(DesignId::at) {
            let face = Face::of(&packs, &words, design);
            assert!(face.has_emblem(), "{name}: `{}` has no symbol", face.id);
            let other = faces.iter().find(|other| other.title != face.title && other.is_like(&face));
            assert!(other.is_none(), "{name}: `{}` and `{}` have the same picture", face.id, other.unwrap().id);
            faces.push(face);
        }
        checked.push(name);
    }
    assert!(checked.len() >= 5, "{checked:?}");
}

#[test]
fn a_card_is_drawn_as_it_was() {
    principes_games::install();
    let packs = OpenPacks::open(&PackRequest::default()).unwrap();
    let design = packs.catalog.design("svantopolk-the-great").unwrap();
    insta::assert_snapshot!(Face::of(&packs, &packs.words("en"), design).draw().replace("><", ">\n<"));
}

#[test]
fn drawings_and_rules_name_who_drew_their_symbols() {
    principes_games::install();
    let packs = OpenPacks::open(&PackRequest::default()).unwrap();
    let look = &packs.loaded.look;
    let told = packs.words("en").credits(look).unwrap();
    let svg = alone("<svg></svg>", look, Theme::Light, Some(&told));
    let credits = Pages::new(&packs, "en").credits();
    let printer = Printer::new(&packs, "pl");
    let mut texts = vec![svg, credits];
    // Whatever is printed, the last sheet has the names, in full.
    for (what, duplex) in
        [(What::Cards, Duplex::LongEdge), (What::Cards, Duplex::Fronts), (What::Board, Duplex::Fronts)]
    {
        let only = if what == What::Cards { vec!["court".to_owned()] } else { vec![] };
        let selection = Selection { what: [what].into(), only, is_one_each: true, scale: 1.0 };
        let sheets = printer.sheets(&selection, &Setting { paper: A4, bleed: 1.0, duplex }).unwrap();
        let (last, others) = sheets.split_last().unwrap();
        assert!(others.iter().all(|sheet| !sheet.svg.contains("CC BY")), "{what:?}");
        texts.push(last.svg.clone());
    }
    for text in texts {
        assert!(text.contains("Lorc") && text.contains("CC BY 3.0") && text.contains("licenses/by/3.0"), "{text}");
        // Those of this author are in the public domain.
        assert!(!text.contains("Zeromancer"), "{text}");
    }
    assert_eq!(packs.words("en").credits(&principes_model::Looks::default()), None);
    assert!(!alone("<svg></svg>", look, Theme::Light, None).contains("<metadata"));
}

#[test]
fn a_board_shows_the_view_and_nothing_else() {
    for pack in whole_games() {
        let words = words(&pack);
        let game = pack.game(&pack.fresh_host(), 1);
        for viewer in std::iter::once(None).chain((0..pack.catalog().playable).map(|seat| Some(FactionId::at(seat)))) {
            let seen = SeenBoard::new(&words, &game.table().view(viewer));
            let svg = board::draw(pack.catalog(), &pack.loaded.look, &seen, "");
            for (at, space) in seen.spaces.iter().enumerate().filter(|(_, space)| space.pieces.is_empty()) {
                let id = &pack.catalog().spaces[at].id;
                assert!(!svg.contains(&format!("data-at=\"{id}\"")), "{}: {} is empty", pack.name, space.name);
            }
        }
    }
}

#[test]
fn the_pictures_of_the_documents_are_what_the_program_draws() {
    let base = whole_games().into_iter().find(|pack| pack.loaded.packs.len() == 1 && pack.name == "principes").unwrap();
    let seen = SeenBoard::new(&words(&base), &base.game(&base.fresh_host(), 1).table().view(None));
    let look = &base.loaded.look;
    let board = board::draw(base.catalog(), look, &seen, "The board when the game begins");
    let drawn = alone(&board, look, Theme::Auto, words(&base).credits(look).as_deref());
    assert_current("docs/pictures/board.svg", &drawn);
    let packs = OpenPacks::new(base.loaded);
    let (what, only) = ([What::Cards].into(), vec!["court".to_owned()]);
    let selection = Selection { what, only, is_one_each: true, scale: 1.0 };
    let setting = Setting { paper: A4, bleed: 1.0, duplex: Duplex::LongEdge };
    let sheets = Printer::new(&packs, "en").sheets(&selection, &setting).unwrap();
    let look = &packs.loaded.look;
    let credits = packs.words("en").credits(look);
    assert_current("docs/pictures/sheet.svg", &alone(&sheets[0].svg, look, Theme::Light, credits.as_deref()));
}

/// Fails if a picture of the documents is not what the program draws.
fn assert_current(path: &str, drawn: &str) {
    let file = root().join(path);
    if std::env::var_os("PRINCIPES_GENERATE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, drawn).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(known == drawn, "{path} is stale; run .ci/generate");
}
