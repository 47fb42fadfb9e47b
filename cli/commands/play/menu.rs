//! The options as a list that fits on the screen. A long list is divided into two steps.

use principes_app::session::{Group, OpenDecision, groups};
use principes_app::words::Words;
use principes_core::*;

/// The length of the longest list that is not divided.
pub const LONGEST: usize = 24;

/// What a number in a menu stands for.
#[derive(Clone, Debug)]
pub enum Entry {
    /// An option, by its index in the decision.
    Option(usize),
    /// Options that have something in common, by their indices.
    Part {
        /// What the options have in common.
        label: String,
        /// Their indices in the decision.
        members: Vec<usize>,
    },
    /// All units of a space, which march together.
    Group(Group),
}

/// A list of numbered entries.
#[derive(Clone, Debug)]
pub struct Menu {
    /// The entries in order. Numbers begin at 1.
    pub entries: Vec<Entry>,
    /// Whether it is part of another menu, to which 0 returns.
    pub is_part: bool,
}

impl Menu {
    /// The menu of a decision.
    pub fn new(words: &Words, decision: &Decision, view: &View) -> Menu {
        let marching = groups(words.catalog(), decision, view).into_iter().map(Entry::Group);
        let all: Vec<usize> = (0..decision.options.len()).collect();
        let options = divided(words, decision, &all).unwrap_or_else(|| all.into_iter().map(Entry::Option).collect());
        Menu { entries: options.into_iter().chain(marching).collect(), is_part: false }
    }

    /// A menu with every option as a separate entry.
    pub fn flat(decision: &Decision) -> Menu {
        Menu { entries: (0..decision.options.len()).map(Entry::Option).collect(), is_part: false }
    }

    /// A menu of some options. Many options are divided again.
    pub fn part(words: &Words, decision: &Decision, members: &[usize]) -> Menu {
        let options = divided(words, decision, members);
        Menu { entries: options.unwrap_or_else(|| members.iter().copied().map(Entry::Option).collect()), is_part: true }
    }

    /// The entry with a number.
    pub fn entry(&self, number: usize) -> Option<&Entry> {
        self.entries.get(number.checked_sub(1)?)
    }
}

/// The options in groups. `None` if they fit in one list, or have nothing in common.
fn divided(words: &Words, decision: &Decision, members: &[usize]) -> Option<Vec<Entry>> {
    if members.len() <= LONGEST {
        return None;
    }
    let by = |key: &dyn Fn(&DecisionOption) -> Key| {
        let mut parts: Vec<(Key, Vec<usize>)> = Vec::new();
        for at in members {
            let key = key(&decision.options[*at]);
            match parts.iter_mut().find(|(known, _)| *known == key) {
                Some((_, part)) => part.push(*at),
                None => parts.push((key, vec![*at])),
            }
        }
        parts
    };
    let catalog = words.catalog();
    let mut ways = vec![by(&|option| option.verb.map_or(Key::None, |verb| Key::Value(Value::Symbol(verb))))];
    for at in 0..3 {
        ways.push(by(&|option| option.args.get(at).map_or(Key::None, |value| Key::Value(*value))));
    }
    ways.push(by(&|option| match option.args.iter().find_map(|value| match value {
        Value::Space(space) => Some(*space),
        _ => None,
    }) {
        Some(space) => Key::Home(catalog.spaces[space.index()].home),
        None => Key::None,
    }));
    // Prefer the key with which players read the fewest lines in both steps together.
    let lines =
        |parts: &Vec<(Key, Vec<usize>)>| parts.len() + parts.iter().map(|(_, part)| part.len()).max().unwrap_or(0);
    let best = ways.into_iter().filter(|parts| parts.len() > 1).min_by_key(lines)?;
    if lines(&best) >= members.len() {
        return None;
    }
    let entry = |(key, part): (Key, Vec<usize>)| match (key, &part[..]) {
        (_, [only]) => vec![Entry::Option(*only)],
        // Options without a common value are separate entries.
        (Key::None, several) => several.iter().copied().map(Entry::Option).collect(),
        (key, _) => vec![Entry::Part { label: key.label(words), members: part }],
    };
    Some(best.into_iter().flat_map(entry).collect())
}

/// What options can have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    /// A verb or a value.
    Value(Value),
    /// The faction whose borders contain their space.
    Home(Option<FactionId>),
    /// Nothing.
    None,
}

impl Key {
    fn label(self, words: &Words) -> String {
        match self {
            Key::Value(value) => words.value(value, None),
            Key::Home(Some(home)) => words.value(Value::Faction(home), None),
            Key::Home(None) | Key::None => words.own("play.elsewhere", &[]),
        }
    }
}

/// The notes beside an option: whom it would fight, what it changes.
pub fn remarks(open: &OpenDecision, at: usize) -> String {
    let Some(option) = open.options.get(at) else { return String::new() };
    let remarks: Vec<&str> = option.note.iter().chain(&option.preview).map(String::as_str).collect();
    remarks.join("; ")
}

#[cfg(test)]
mod tests {
    use principes_app::packs::{OpenPacks, PackRequest};
    use principes_app::session::Session;
    use principes_app::setup::{Player, SetupRequest, set_up};

    use super::*;

    /// A decision between all spaces of the base game.
    fn long() -> (Session, Decision) {
        principes_games::install();
        let packs = OpenPacks::open(&PackRequest::default()).unwrap();
        let table = set_up(&packs.catalog, &SetupRequest::all(Player::Human, 1)).unwrap();
        let session = Session::start(packs, table, "en").unwrap();
        let mut decision = session.next_decision().unwrap();
        let spaces = 0..session.game().catalog().spaces.len();
        let option = |at| DecisionOption { verb: None, args: Args::new(&[Value::Space(SpaceId::at(at))]) };
        decision.options = spaces.map(option).collect();
        (session, decision)
    }

    #[test]
    fn a_long_list_is_divided_into_two_steps() {
        let (session, decision) = long();
        let menu = Menu::new(session.words(), &decision, &session.view_for(Some(decision.seat)));
        assert!(menu.entries.len() < LONGEST, "{}", menu.entries.len());
        let mut members: Vec<usize> = Vec::new();
        for entry in &menu.entries {
            match entry {
                Entry::Option(at) => members.push(*at),
                Entry::Part { members: part, label } => {
                    assert!(!label.is_empty());
                    assert!(Menu::part(session.words(), &decision, part).is_part);
                    members.extend(part);
                }
                Entry::Group(_) => panic!("nobody marches"),
            }
        }
        members.sort_unstable();
        assert_eq!(members, (0..decision.options.len()).collect::<Vec<_>>(), "every option appears once");
    }

    #[test]
    fn a_short_list_stays_as_it_is() {
        let (session, mut decision) = long();
        decision.options.truncate(LONGEST);
        let menu = Menu::new(session.words(), &decision, &session.view_for(Some(decision.seat)));
        assert_eq!(menu.entries.len(), LONGEST);
        assert!(menu.entry(0).is_none() && menu.entry(LONGEST + 1).is_none());
        assert!(matches!(menu.entry(3), Some(Entry::Option(2))));
    }
}
