//! Names and sentences: the packs' messages, and the program's own sentences.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use principes_core::SeenEvent;
use principes_core::ids::SymbolId;
use principes_core::*;

use principes_findings::escape;
use principes_model::{Arg, Looks, Messages};

/// The languages of the program's own sentences.
const OWN: &[(&str, &str)] = &[
    ("en", include_str!("words/en.json")),
    ("de", include_str!("words/de.json")),
    ("pl", include_str!("words/pl.json")),
];

/// The program's own sentences in a language, by their keys; in English if the language has none.
pub fn own_words(language: &str) -> &'static BTreeMap<String, String> {
    static TABLES: OnceLock<Vec<BTreeMap<String, String>>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        // The files are built in, and a test parses them. If one were broken, keys would be shown.
        OWN.iter().map(|(_, text)| serde_json::from_str(text).unwrap_or_default()).collect()
    });
    let at = OWN.iter().position(|(name, _)| *name == language).unwrap_or(0);
    &tables[at]
}

/// Names and sentences in one language.
#[derive(Clone)]
pub struct Words {
    catalog: Arc<Catalog>,
    messages: Arc<Messages>,
    language: String,
    own: &'static BTreeMap<String, String>,
}

impl Words {
    /// The words of a game in one language.
    pub fn new(catalog: Arc<Catalog>, messages: Arc<Messages>, language: &str) -> Self {
        Words { catalog, messages, language: language.to_owned(), own: own_words(language) }
    }

    /// The catalog of the game.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// One of the program's own sentences.
    pub fn own(&self, key: &str, args: &[&str]) -> String {
        let mut text = self.own.get(key).cloned().unwrap_or_else(|| key.to_owned());
        for (at, arg) in args.iter().enumerate() {
            text = text.replace(&format!("{{{}}}", at + 1), arg);
        }
        text
    }

    /// Who drew the symbols of a look, as their license wants it told; `None` if the look has only its own.
    pub fn credits(&self, look: &Looks) -> Option<String> {
        let artists: Vec<&str> = look.artists.iter().copied().collect();
        (!artists.is_empty()).then(|| self.own("credits.symbols", &[&artists.join(", ")]))
    }

    /// The program's own sentences whose keys begin with a prefix.
    pub fn own_with(&self, prefix: &str) -> BTreeMap<&'static str, &'static str> {
        let all = self.own.iter().filter(|(key, _)| key.starts_with(prefix));
        all.map(|(key, text)| (key.as_str(), text.as_str())).collect()
    }

    /// A message of the packs on one line, if it exists.
    pub fn message(&self, key: &str, args: &[Value], view: Option<&View>) -> Option<String> {
        self.message_lines(key, args, view).map(on_one_line)
    }

    /// A message of the packs, if it exists, with its line breaks.
    pub fn message_lines(&self, key: &str, args: &[Value], view: Option<&View>) -> Option<String> {
        self.find_lines(key, &|name| {
            let at = name.parse::<usize>().ok()?.checked_sub(1)?;
            // Scripts leave out nobody at the end.
            Some(self.argument(args.get(at).copied().unwrap_or_default(), view))
        })
    }

    /// A message on one line.
    fn find(&self, key: &str, args: &dyn Fn(&str) -> Option<Arg>) -> Option<String> {
        self.find_lines(key, args).map(on_one_line)
    }

    fn find_lines(&self, key: &str, args: &dyn Fn(&str) -> Option<Arg>) -> Option<String> {
        let text = self.messages.find(&self.language, key, args)?;
        Some(escape::lines(&text).into_owned())
    }

    /// A value as an argument of a message. Numbers stay numbers, so that they can select a plural form.
    fn argument(&self, value: Value, view: Option<&View>) -> Arg {
        match value {
            Value::Int(n) => Arg::Int(n),
            other => Arg::Text(self.value(other, view)),
        }
    }

    /// Whether the packs have a message with the name of an entity.
    pub fn is_named(&self, family: &str, id: &str) -> bool {
        self.find(&format!("{family}.{id}"), &|_| None).is_some()
    }

    /// The name of an entity by family and id.
    pub fn named(&self, family: &str, id: &str) -> String {
        self.find(&format!("{family}.{id}"), &|_| None).unwrap_or_else(|| humanize(id))
    }

    /// The title of a card design or rule, with the values of the card filled in.
    pub fn title(&self, family: &str, id: &str) -> String {
        let key = format!("{family}.{id}.title");
        let design = self.catalog.design(id).filter(|_| family == "card");
        let title = self.find(&key, &|name| match self.filled(design?, name)? {
            // Two titles could name each other.
            Value::Card(_) | Value::Design(_) => None,
            value => Some(self.argument(value, None)),
        });
        title.unwrap_or_else(|| humanize(id))
    }

    /// What a text of a card shows for a placeholder: a param or a prop.
    fn filled(&self, design: DesignId, name: &str) -> Option<Value> {
        let spec = &self.catalog.designs[design.index()];
        let param = spec.params.get(name).copied().map(Value::Int);
        param.or_else(|| spec.props.get(self.catalog.symbol(name)?))
    }

    /// The text of a card, with numbers filled in.
    pub fn card_text(&self, design: DesignId) -> Option<String> {
        let key = format!("card.{}.text", self.catalog.designs[design.index()].id);
        let text = self.find_lines(&key, &|name| Some(self.argument(self.filled(design, name)?, None)));
        text.filter(|text| !text.is_empty())
    }

    /// The text of a rule, with numbers filled in.
    pub fn rule_text(&self, rule: RuleId) -> Option<String> {
        let spec = &self.catalog.rules[rule.index()];
        let key = format!("rule.{}.text", spec.id);
        let text = self.find_lines(&key, &|name| spec.params.get(name).copied().map(Arg::Int));
        text.filter(|text| !text.is_empty())
    }

    /// The name of a value. With a view, pieces include their owner and space.
    pub fn value(&self, value: Value, view: Option<&View>) -> String {
        let catalog = &self.catalog;
        let id = catalog.id_of(value);
        match value {
            Value::Nil => self.own("nobody", &[]),
            Value::Unseen => self.named("word", "hidden-card"),
            Value::Int(n) => n.to_string(),
            Value::Piece(piece) => {
                let kind = self.named("kind", &id);
                let Some(piece) = view.and_then(|view| *view.pieces.get(piece.index())?) else { return kind };
                let mut name = kind;
                if let Some(owner) = piece.owner() {
                    name = format!("{name} ({})", self.value(Value::Faction(owner), None));
                }
                if let Some(space) = piece.space() {
                    name = format!("{name}, {}", self.value(Value::Space(space), None));
                }
                name
            }
            Value::Card(_) | Value::Design(_) => self.title("card", &id),
            Value::Symbol(_) => ["word", "option"]
                .iter()
                .find_map(|family| self.find(&format!("{family}.{id}"), &|_| None))
                .unwrap_or_else(|| humanize(&id)),
            Value::Rule(_) => self.title("rule", &id),
            other => self.named(other.handle_type().map_or("", HandleType::word), &id),
        }
    }

    /// The name of a counter's value. A pack can give names to numbers.
    pub fn counter_value(&self, counter: CounterId, value: Value) -> String {
        let named = match value {
            Value::Int(n) => {
                self.find(&format!("counter.{}.{n}", self.catalog.counters[counter.index()].id), &|_| None)
            }
            _ => None,
        };
        named.unwrap_or_else(|| self.value(value, None))
    }

    /// The short name of a counter's value.
    pub fn mark(&self, counter: CounterId, value: Value) -> String {
        let short = match value {
            Value::Design(_) | Value::Card(_) => {
                self.find(&format!("card.{}.short", self.catalog.id_of(value)), &|_| None)
            }
            _ => None,
        };
        short.unwrap_or_else(|| self.counter_value(counter, value))
    }

    /// The name of a zone, with its owner.
    pub fn zone(&self, zone: ZoneId) -> String {
        let (kind, owner) = self.catalog.zone_list[zone.index()];
        let name = self.value(Value::Zone(kind), None);
        match owner {
            Some(owner) => format!("{name} ({})", self.value(Value::Faction(owner), None)),
            None => name,
        }
    }

    /// The prompt of a decision.
    pub fn prompt(&self, decision: &Decision, view: &View) -> String {
        let id = &self.catalog.decisions[decision.kind.index()].id;
        self.message_lines(&format!("decision.{id}"), &decision.about, Some(view)).unwrap_or_else(|| humanize(id))
    }

    /// The packs' help for a decision, if there is one.
    pub fn help(&self, decision: &Decision, view: &View) -> Option<String> {
        let id = &self.catalog.decisions[decision.kind.index()].id;
        self.message_lines(&format!("decision.{id}.help"), &decision.about, Some(view)).filter(|text| !text.is_empty())
    }

    /// The text of a card or rule, with numbers filled in.
    pub fn text_of(&self, value: Value) -> Option<String> {
        match value {
            Value::Card(card) => self.card_text(self.catalog.cards[card.index()]),
            Value::Design(design) => self.card_text(design),
            Value::Rule(rule) => self.rule_text(rule),
            _ => None,
        }
    }

    /// What players should know before they take an option: whom a march would fight, and whose borders it would enter.
    pub fn note(&self, option: &DecisionOption, view: &View) -> Option<String> {
        let (Some(verb), [Value::Space(space)], Some(seat)) = (option.verb, &option.args[..], view.seat) else {
            return None;
        };
        if verb != self.catalog.words.to {
            return None;
        }
        let mut enemies: Vec<FactionId> = Vec::new();
        for (id, piece) in view.seen_pieces().filter(|(_, piece)| piece.space() == Some(*space)) {
            let kind = self.catalog.pieces[id.index()].kind;
            let Some(owner) = piece.owner().filter(|_| self.catalog.kinds[kind.index()].occupies) else { continue };
            if owner != seat && !enemies.contains(&owner) {
                enemies.push(owner);
            }
        }
        let names = enemies.iter().map(|enemy| self.faction(Some(*enemy))).collect::<Vec<_>>().join(", ");
        let home = self.catalog.spaces[space.index()].home.filter(|home| *home != seat);
        let borders = home.map(|home| self.own("note.borders", &[&self.faction(Some(home))]));
        let battle = (!enemies.is_empty()).then(|| self.own("note.units", &[&names]));
        let notes: Vec<String> = battle.into_iter().chain(borders).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// What players should know about an option that gives up a card and changes nothing else.
    pub fn spent_for_nothing(&self) -> String {
        self.own("note.spent", &[])
    }

    /// What an option does, if the packs say so.
    pub fn option_help(&self, option: &DecisionOption, view: &View) -> Option<String> {
        let name = self.catalog.symbols.name(self.keyword(option)?.index());
        self.message_lines(&format!("option.{name}.help"), &option.args, Some(view)).filter(|text| !text.is_empty())
    }

    /// The keyword that says what an option is.
    fn keyword(&self, option: &DecisionOption) -> Option<SymbolId> {
        match (option.verb, &option.args[..]) {
            (Some(verb), _) => Some(verb),
            (None, [Value::Symbol(word)]) => Some(*word),
            _ => None,
        }
    }

    /// The text of an option.
    pub fn option(&self, option: &DecisionOption, view: &View) -> String {
        let values = || option.args.iter().map(|value| self.value(*value, Some(view))).collect::<Vec<_>>().join(", ");
        let Some(keyword) = self.keyword(option) else { return values() };
        let name = self.catalog.symbols.name(keyword.index());
        if let Some(text) = self.message(&format!("option.{name}"), &option.args, Some(view)) {
            return text;
        }
        let word = self.value(Value::Symbol(keyword), None);
        match option.verb {
            Some(_) if !option.args.is_empty() => format!("{word}: {}", values()),
            _ => word,
        }
    }

    /// A line of the log; `None` if the event is not worth a line.
    pub fn event(&self, seen: &SeenEvent, view: &View) -> Option<String> {
        match seen.event {
            Event::Phase { .. } | Event::Counter { .. } => self.event_of_phases_and_counters(seen.event),
            Event::Piece { .. } | Event::Given { .. } | Event::Control { .. } => self.event_of_board(seen.event),
            Event::Card { .. } | Event::Tile { .. } | Event::Revealed { .. } | Event::Shuffled { .. } => {
                self.event_of_cards(seen)
            }
            Event::Rolled { .. }
            | Event::Battle { .. }
            | Event::Face { .. }
            | Event::Count { .. }
            | Event::BattleWon { .. } => self.event_of_battle(seen.event),
            // The player already knows this.
            Event::Chosen { .. } => None,
            Event::Log { key, args, .. } => {
                let id = self.catalog.symbols.name(key.index());
                Some(self.message(&format!("log.{id}"), &args, Some(view)).unwrap_or_else(|| {
                    let values: Vec<String> = args.iter().map(|value| self.value(*value, None)).collect();
                    format!("{}: {}", humanize(id), values.join(", "))
                }))
            }
            Event::Eliminated { seat } => Some(self.own("event.eliminated", &[&self.faction(Some(seat))])),
            Event::Over { winner, cause } => {
                let end = self.end(winner);
                Some(self.outcome(cause, winner).map_or(end.clone(), |cause| format!("{end} {cause}")))
            }
        }
    }

    fn faction(&self, faction: Option<FactionId>) -> String {
        self.value(faction.map_or(Value::Nil, Value::Faction), None)
    }

    fn event_of_phases_and_counters(&self, event: Event) -> Option<String> {
        let catalog = &self.catalog;
        let name = |value: Value| self.value(value, None);
        match event {
            Event::Phase { phase, seat } => {
                let id = &catalog.phases[phase.index()].id;
                if !self.is_named("phase", id) {
                    return None;
                }
                let phase = self.named("phase", id);
                Some(match seat {
                    Some(seat) => self.own("event.phase-of", &[&phase, &self.faction(Some(seat))]),
                    None => self.own("event.phase", &[&phase]),
                })
            }
            Event::Counter { counter, owner, from, to_value, .. } => {
                let spec = &catalog.counters[counter.index()];
                if !self.is_named("counter", &spec.id) {
                    return None;
                }
                let (from, to) = (self.counter_value(counter, Value::Int(from)), self.counter_value(counter, to_value));
                let counter = name(Value::Counter(counter));
                let handle = spec.holds != principes_core::catalog::Holds::Number;
                Some(match (owner, handle) {
                    (Value::Nil, false) => self.own("event.counter", &[&counter, &from, &to]),
                    (Value::Nil, true) => self.own("event.counter-now", &[&counter, &to]),
                    (of, false) => self.own("event.counter-of", &[&name(of), &counter, &from, &to]),
                    (of, true) => self.own("event.counter-now-of", &[&name(of), &counter, &to]),
                })
            }
            _ => None,
        }
    }

    fn event_of_board(&self, event: Event) -> Option<String> {
        let space = |space: SpaceId| self.value(Value::Space(space), None);
        let piece_name = |piece: PieceId, owner: Option<FactionId>| {
            let kind = self.value(Value::Kind(self.catalog.pieces[piece.index()].kind), None);
            owner.map_or(kind.clone(), |owner| format!("{kind} ({})", self.faction(Some(owner))))
        };
        match event {
            Event::Piece { piece, owner, from, to, .. } => {
                let who = piece_name(piece, owner);
                match (from, to) {
                    (Some(from), Some(to)) => Some(self.own("event.piece-moves", &[&who, &space(from), &space(to)])),
                    (None, Some(to)) => Some(self.own("event.piece-enters", &[&who, &space(to)])),
                    (Some(from), None) => Some(self.own("event.piece-leaves", &[&who, &space(from)])),
                    (None, None) => None,
                }
            }
            Event::Given { piece, from, to, .. } => {
                let names = [piece_name(piece, None), self.faction(from), self.faction(to)];
                Some(self.own("event.piece-given", &[&names[0], &names[1], &names[2]]))
            }
            Event::Control { space: at, from, to, .. } => {
                Some(self.own("event.control", &[&space(at), &self.faction(from), &self.faction(to)]))
            }
            _ => None,
        }
    }

    fn event_of_cards(&self, seen: &SeenEvent) -> Option<String> {
        match seen.event {
            Event::Card { card, from, to, .. } => {
                // Hidden cards that move between zones of the game reveal nothing.
                let owned = |zone: ZoneId| self.catalog.zone_list[zone.index()].1.is_some();
                // The event of the laid tile says more.
                let is_laid = self
                    .catalog
                    .tiles
                    .as_ref()
                    .is_some_and(|tiles| tiles.zones.contains(&self.catalog.zone_list[to.index()].0));
                if is_laid && !seen.hidden {
                    return None;
                }
                if seen.hidden && !owned(from) && !owned(to) {
                    return None;
                }
                Some(if seen.hidden {
                    self.own("event.card-hidden", &[&self.zone(from), &self.zone(to)])
                } else {
                    self.own("event.card", &[&self.value(Value::Card(card), None), &self.zone(from), &self.zone(to)])
                })
            }
            Event::Tile { card, space, laid } => {
                let (card, space) = (self.value(Value::Card(card), None), self.value(Value::Space(space), None));
                Some(match laid {
                    Some(_) => self.own("event.tile", &[&card, &space]),
                    None => self.own("event.tile-taken-up", &[&card, &space]),
                })
            }
            Event::Revealed { card } => Some(self.own("event.revealed", &[&self.value(Value::Card(card), None)])),
            Event::Shuffled { zone } => Some(self.own("event.shuffled", &[&self.zone(zone)])),
            _ => None,
        }
    }

    fn event_of_battle(&self, event: Event) -> Option<String> {
        let name = |value: Value| self.value(value, None);
        let seat = |seat: FactionId| self.faction(Some(seat));
        Some(match event {
            Event::Rolled { sides, result } => self.own("event.rolled", &[&sides.to_string(), &result.to_string()]),
            Event::Battle { space, attacker, defender } => {
                self.own("event.battle", &[&name(Value::Space(space)), &seat(attacker), &seat(defender)])
            }
            Event::Face { side, face, .. } => {
                self.own("event.face", &[&name(Value::Symbol(side)), &name(Value::Symbol(face))])
            }
            Event::Count { attacker, defender, .. } => {
                let words = &self.catalog.words;
                let (attack, defense) = (name(Value::Symbol(words.attacker)), name(Value::Symbol(words.defender)));
                let sum = |strength: i32, shields: i32| [strength, shields, (strength - shields).max(0)];
                let [[a, b, c], [d, e, f]] =
                    [sum(attacker.0, defender.1), sum(defender.0, attacker.1)].map(|sum| sum.map(|n| n.to_string()));
                self.own("event.count", &[&attack, &a, &b, &c, &defense, &d, &e, &f])
            }
            Event::BattleWon { space, winner, .. } => {
                self.own("event.battle-won", &[&seat(winner), &name(Value::Space(space))])
            }
            _ => return None,
        })
    }

    /// The sentence for the end of the game, with the winner.
    pub fn end(&self, winner: Option<SeatId>) -> String {
        match winner {
            Some(winner) => self.own("event.over-won", &[&self.faction(Some(winner))]),
            None => self.own("event.over-drawn", &[]),
        }
    }

    /// The sentence for the cause of the end.
    pub fn outcome(&self, cause: SymbolId, winner: Option<SeatId>) -> Option<String> {
        let id = self.catalog.symbols.name(cause.index());
        self.message(&format!("outcome.{id}"), &[winner.map_or(Value::Nil, Value::Faction)], None)
    }
}

/// A text whose line breaks are spaces.
fn on_one_line(text: String) -> String {
    if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}

/// A name made from an id, if there is no message: `far-north` becomes `Far north`.
pub fn humanize(id: &str) -> String {
    let text = id.replace(['-', '.', '_'], " ");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => text,
    }
}

/// Text for comparisons: lower case, without diacritics.
pub fn plain(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'ą' => 'a',
            'ć' => 'c',
            'ę' => 'e',
            'ł' => 'l',
            'ń' => 'n',
            'ó' | 'ö' => 'o',
            'ś' => 's',
            'ź' | 'ż' => 'z',
            'ä' => 'a',
            'ü' => 'u',
            'é' | 'è' => 'e',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_languages_have_the_same_own_words_with_the_same_places_for_values() {
        let of =
            |language| own_words(language).iter().map(|(key, text)| (key.as_str(), places(text))).collect::<Vec<_>>();
        let places_of = of("en");
        assert!(places_of.len() > 40 && places_of.contains(&("page.odds", ["{1}", "{2}", "{3}", "{4}"].into())));
        for (language, _) in OWN {
            assert_eq!(of(language), places_of, "{language}");
        }
    }

    /// The places for values in a text, such as `{1}`.
    fn places(text: &str) -> BTreeSet<&str> {
        let place = |(at, _): (usize, &str)| Some(&text[at..=at + text[at..].find('}')?]);
        text.match_indices('{').filter_map(place).collect()
    }

    #[test]
    fn text_is_compared_without_diacritics() {
        assert_eq!(plain("Władysław Łokietek"), "wladyslaw lokietek");
        assert_eq!(humanize("german-marches"), "German marches");
    }
}
