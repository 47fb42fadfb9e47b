//! The changes that an option would cause, tried in a game as its seat may imagine it.

use principes_core::rng::Rng;
use principes_core::scripts::Scripts;
use principes_core::*;

use super::log::is_revealing;
use super::story::CounterChange;
use crate::setup::derive_seed;
use crate::words::Words;

/// Longer lists have no previews.
const MOST_PREVIEWED: usize = 200;

/// For each option of a decision, the immediate changes of the seat's counters, such as `Gold −1, People +1`. Empty if
/// nothing changes, or if the changes depend on chance or on another seat.
pub fn previews<S: Scripts>(game: &Game<S>, words: &Words, decision: &Decision) -> Vec<Vec<CounterChange>> {
    let none = vec![Vec::new(); decision.options.len()];
    if decision.options.len() > MOST_PREVIEWED {
        return none;
    }
    // The real seed is secret, but repeated previews must agree.
    let mut rng = Rng::new(derive_seed(game.config().seed, game.record().len() as u64));
    let Some(mut imagined) = game.imagine(decision.seat, &mut rng) else { return none };
    imagined.record_events(true);
    let before = counters(&imagined, decision.seat);
    let tried = |option: &DecisionOption| {
        let mut copy = imagined.clone();
        copy.clear_events();
        copy.answer(decision.seat, *option).ok()?;
        let catalog = copy.catalog().clone();
        let is_uncertain = |event: &Event| matches!(event, Event::Phase { .. }) || is_revealing(&catalog, event);
        match copy.events().iter().position(is_uncertain) {
            Some(end) => Some(changes(decision.seat, &copy.events()[..end])),
            None => Some(differences(&before, &counters(&copy, decision.seat))),
        }
    };
    let preview = |option| tried(option).map_or_else(Vec::new, |changes| in_words(words, &before, &changes));
    decision.options.iter().map(preview).collect()
}

/// The counters of a seat, as it sees them.
fn counters<S: Scripts>(game: &Game<S>, seat: SeatId) -> Vec<(CounterId, i32)> {
    let view = game.table().view(Some(seat));
    let own = view.counters.iter().filter(|(_, owner, _)| *owner == Value::Faction(seat));
    own.filter_map(|(counter, _, value)| match value {
        Value::Int(value) => Some((*counter, *value)),
        _ => None,
    })
    .collect()
}

/// The value of a counter in a list; 0 if it is not there.
fn value(list: &[(CounterId, i32)], counter: CounterId) -> i32 {
    list.iter().find(|(of, _)| *of == counter).map_or(0, |(_, n)| *n)
}

fn differences(before: &[(CounterId, i32)], after: &[(CounterId, i32)]) -> Vec<(CounterId, i32)> {
    after.iter().map(|(counter, now)| (*counter, now - value(before, *counter))).collect()
}

fn changes(seat: SeatId, events: &[Event]) -> Vec<(CounterId, i32)> {
    let mut sums: Vec<(CounterId, i32)> = Vec::new();
    for event in events {
        let Event::Counter { counter, owner: Value::Faction(owner), from, to, to_value: Value::Int(_), .. } = event
        else {
            continue;
        };
        match sums.iter_mut().find(|(of, _)| of == counter) {
            _ if *owner != seat => {}
            Some((_, sum)) => *sum += to - from,
            None => sums.push((*counter, to - from)),
        }
    }
    sums
}

fn in_words(words: &Words, before: &[(CounterId, i32)], changes: &[(CounterId, i32)]) -> Vec<CounterChange> {
    let catalog = words.catalog();
    let shown = changes
        .iter()
        .filter(|(counter, change)| *change != 0 && words.is_named("counter", &catalog.counters[counter.index()].id));
    let change = |(counter, by): &(CounterId, i32)| CounterChange {
        counter: catalog.counters[counter.index()].id.clone(),
        name: words.value(Value::Counter(*counter), None),
        owner: None,
        by: *by,
        now: words.counter_value(*counter, Value::Int(value(before, *counter) + by)),
    };
    shown.map(change).collect()
}

/// Changes as a text, such as `Gold −1, People +1`; `None` if there are none.
pub fn sentence(changes: &[CounterChange]) -> Option<String> {
    let texts: Vec<String> = changes
        .iter()
        .map(|change| {
            let sign = if change.by < 0 { '−' } else { '+' };
            format!("{} {sign}{}", change.name, change.by.unsigned_abs())
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}
