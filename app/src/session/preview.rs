//! The changes that an option would cause, tried in a game as its seat may imagine it.

use principes_core::catalog::HookSource;
use principes_core::rng::Rng;
use principes_core::scripts::Scripts;
use principes_core::*;

use super::log::is_revealing;
use super::story::CounterChange;
use crate::setup::derive_seed;
use crate::words::Words;

/// Longer lists have no previews.
const MOST_PREVIEWED: usize = 200;

/// In how many games a card must change nothing, because cards that the seat does not see may decide what it does.
const GAMES_OF_A_SPENT_CARD: u64 = 4;

/// The immediate consequences of an option for the seat that decides.
#[derive(Clone, Default)]
pub struct Preview {
    /// The changes of the seat's counters, such as `Gold −1, People +1`. Empty if nothing changes, or if the changes
    /// depend on chance or on another seat.
    pub changes: Vec<CounterChange>,
    /// Whether the option gives up a card and changes nothing else.
    pub only_spends_a_card: bool,
}

/// The preview of each option of a decision.
pub fn previews<S: Scripts>(game: &Game<S>, words: &Words, decision: &Decision) -> Vec<Preview> {
    let none = vec![Preview::default(); decision.options.len()];
    if decision.options.len() > MOST_PREVIEWED {
        return none;
    }
    // The real seed is secret, but repeated previews must agree.
    let mut rng = Rng::new(derive_seed(game.config().seed, game.record().len() as u64));
    let Some(imagined) = game.imagine(decision.seat, &mut rng) else { return none };
    let before = counters(&imagined, decision.seat);
    let mut others: Option<Vec<Game<S>>> = None;
    let mut preview = |option: &DecisionOption| {
        let Some(after) = answered(&imagined, decision, *option) else { return Preview::default() };
        let catalog = after.catalog();
        let is_uncertain = |event: &Event| matches!(event, Event::Phase { .. }) || is_revealing(catalog, event);
        let changes = match after.events().iter().position(is_uncertain) {
            Some(end) => changes(decision.seat, &after.events()[..end]),
            None => differences(&before, &counters(&after, decision.seat)),
        };
        let only_spends_a_card = only_spends_a_card(&imagined, &after, decision, *option) && {
            let more = || (1..GAMES_OF_A_SPENT_CARD).filter_map(|_| game.imagine(decision.seat, &mut rng)).collect();
            others.get_or_insert_with(more).iter().all(|game| {
                answered(game, decision, *option)
                    .is_some_and(|after| only_spends_a_card(game, &after, decision, *option))
            })
        };
        Preview { changes: in_words(words, &before, &changes), only_spends_a_card }
    };
    decision.options.iter().map(&mut preview).collect()
}

/// A game after an option, with the events since. `None` if the option fails.
fn answered<S: Scripts>(game: &Game<S>, decision: &Decision, option: DecisionOption) -> Option<Game<S>> {
    let mut copy = game.clone();
    copy.record_events(true);
    copy.clear_events();
    copy.answer(decision.seat, option).ok()?;
    Some(copy)
}

/// Whether an option lays its card out, takes it away again, changes nothing else, and leads back to the same question.
fn only_spends_a_card<S: Scripts>(
    game: &Game<S>,
    after: &Game<S>,
    decision: &Decision,
    option: DecisionOption,
) -> bool {
    let card_of = |value: &Value| if let Value::Card(card) = *value { Some(card) } else { None };
    let Some(card) = option.args.iter().find_map(card_of) else { return false };
    let catalog = after.catalog();
    let entered = |event: &Event| match *event {
        Event::Card { card: moved, to, .. } if moved == card => Some(to),
        _ => None,
    };
    // Where a card that has left the table again cannot act any more. A card that is only put somewhere moves once.
    let zones: Vec<ZoneId> = after.events().iter().filter_map(entered).collect();
    let is_active = |zone: &ZoneId| catalog.zones[catalog.zone_list[zone.index()].0.index()].active;
    let is_spent = zones.len() > 1 && zones.last().is_some_and(|zone| !is_active(zone));
    let is_about_the_card = |event: &Event| match *event {
        Event::Card { card: moved, .. } | Event::Revealed { card: moved } => moved == card,
        // What the card itself says is an effect.
        Event::Log { hook: Some(hook), .. } => !matches!(catalog.hooks[hook.index()].source, HookSource::Design(_)),
        Event::Log { hook: None, .. } | Event::Chosen { .. } => true,
        _ => false,
    };
    let is_asked_again =
        after.pending().into_iter().any(|open| (open.seat, open.kind) == (decision.seat, decision.kind));
    is_spent
        && is_asked_again
        && after.events().iter().all(is_about_the_card)
        && after.table().world.differs_only_in_cards(&game.table().world)
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
