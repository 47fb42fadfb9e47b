//! A catalog is built only from parts that fit: no game can meet an id that names nothing.
#![allow(clippy::unwrap_used)]

mod common;

use common::*;
use principes_core::catalog::*;
use principes_core::*;

/// The toy with a loop, a rule, a design, a zone, a variant and asides.
fn parts() -> CatalogParts {
    let repeat = PhaseBody::Repeat { times: Times::Fixed(1), counter: Some(ROUND), phases: vec![PhaseId(1)] };
    let phases = vec![phase("loop", repeat), phase("turn", PhaseBody::Each(HookId(0)))];
    let mut parts = Catalog::clone(&catalog(phases, vec![PhaseId(0)], 3, true)).into_parts();
    parts.zones = vec![ZoneKind {
        id: "hand".to_owned(),
        scope: Scope::Faction,
        visible: Visible::Owner,
        active: true,
        offset: 0,
    }]
    .into();
    parts.zone_list = vec![(ZoneKindId(0), Some(RED)), (ZoneKindId(0), Some(BLUE))];
    let listener = Listener { point: HookPointId(0), hook: HookId(2), priority: 0, stays: false };
    parts.designs = vec![Design {
        id: "banner".to_owned(),
        card_type: SymbolId(0),
        faction: Some(RED),
        start: ZoneId(0),
        copies: 1,
        props: Props::default(),
        params: Default::default(),
        listeners: vec![listener],
    }];
    parts.cards = vec![DesignId(0)];
    parts.rules =
        vec![Rule { id: "law".to_owned(), faction: None, params: Default::default(), listeners: vec![listener] }];
    parts.variants = vec![Variant { id: "short".to_owned(), options: vec![(ROUND, 1)], seats: (1, 2) }];
    parts
}

fn errors(change: impl FnOnce(&mut CatalogParts)) -> String {
    let mut parts = parts();
    change(&mut parts);
    parts.build().map_or_else(|errors| errors.to_string(), |_| String::new())
}

fn space(parts: &mut CatalogParts, change: impl FnOnce(&mut Space)) {
    let mut list = parts.spaces.to_vec();
    change(&mut list[0]);
    parts.spaces = list.into();
}

#[test]
fn parts_that_fit_make_a_catalog_and_give_it_back() {
    let catalog = parts().build().unwrap();
    assert_eq!(catalog.phase("turn"), Some(PhaseId(1)));
    assert!(catalog.into_parts().build().is_ok());
    assert!(CatalogParts::new("nothing").build().is_ok());
}

/// A change of the parts, and what is wrong then.
type Case = (fn(&mut CatalogParts), &'static str);

#[test]
fn no_id_dangles() {
    let cases: [Case; 20] = [
        (|parts| parts.flow = vec![PhaseId(7)], "flow of game `toy` names phase 7, but there are 2"),
        (|parts| parts.phases[1].body = PhaseBody::Run(HookId(3)), "phase `turn` names hook 3, but there are 3"),
        (
            |parts| {
                let offer = Offer::Spaces {
                    filter: SpaceFilter { without: Some(KindOrClass::Kind(KindId(9))), ..SpaceFilter::default() },
                    own_home: false,
                    own_control: false,
                    beside: None,
                };
                parts.phases[1].decision = Some(PhaseDecision { decision: DecisionId(0), offer, always: false });
            },
            "phase `turn` names kind 9, but there are 4",
        ),
        (|parts| parts.factions[0].rival = Some(FactionId(3)), "faction `red` names faction 3, but there are 3"),
        (|parts| parts.factions[2].group = SymbolId(900), "faction `wild` names keyword 900, but there are 20"),
        (|parts| space(parts, |space| space.exits.push(SpaceId(5))), "space `a` names space 5, but there are 5"),
        (
            |parts| space(parts, |space| space.props.set(SymbolId(0), Value::Design(DesignId(1)))),
            "space `a` names design 1, but there are 1",
        ),
        (
            |parts| parts.kinds[0].on_control = vec![ControlScore { counter: CounterId(4), amount: 1 }],
            "kind `knight` names counter 4, but there are 4",
        ),
        (
            |parts| parts.pieces = vec![PieceSpec { kind: KindId(4), owner: None }].into(),
            "box of game `toy` names kind 4, but there are 4",
        ),
        (|parts| parts.cards.push(DesignId(1)), "box of game `toy` names design 1, but there are 1"),
        (|parts| parts.designs[0].start = ZoneId(2), "design `banner` names zone 2, but there are 2"),
        (
            |parts| parts.designs[0].listeners[0].point = HookPointId(8),
            "design `banner` names hook point 8, but there are 8",
        ),
        (|parts| parts.rules[0].listeners[0].hook = HookId(3), "rule `law` names hook 3, but there are 3"),
        (|parts| parts.hooks[0].source = HookSource::Rule(RuleId(1)), "hook `0` names rule 1, but there are 1"),
        (|parts| parts.kernel.bot_value = HookPointId(8), "game `toy` names hook point 8, but there are 8"),
        (|parts| parts.variants[0].options[0].0 = CounterId(4), "variant `short` names counter 4, but there are 4"),
        (|parts| parts.fog = Some(CounterId(4)), "game `toy` names counter 4, but there are 4"),
        (|parts| parts.control.blocked_by = Some(KindId(4)), "control of game `toy` names kind 4, but there are 4"),
        (
            |parts| parts.movement.as_mut().unwrap().consent = DecisionId(4),
            "movement of game `toy` names decision 4, but there are 4",
        ),
        (
            |parts| parts.battle.as_mut().unwrap().steps[0].1 = BattleStep::Run(HookId(3)),
            "battle of game `toy` names hook 3, but there are 3",
        ),
    ];
    for (change, wanted) in cases {
        assert_eq!(errors(change), wanted);
    }
}

#[test]
fn parts_fit_each_other() {
    let cases: [Case; 11] = [
        (|parts| parts.playable = 3, "faction `wild`: playable factions come first"),
        (
            |parts| parts.phases[1].body = parts.phases[0].body.clone(),
            "phase `turn`: phases in it come after it in the list",
        ),
        (
            |parts| parts.zone_list.truncate(1),
            "game `toy`: the list of zones has other entries than the declared zones need",
        ),
        (|parts| parts.counters[2].min = 9, "counter `gold`: its least number is above its greatest"),
        (|parts| parts.counters[2].offset = 5, "counter `gold`: it does not begin after the counters before it"),
        (|parts| parts.counter_values = 6, "game `toy`: the counters have more values than `counter_values`"),
        (|parts| parts.fog = Some(ROUND), "game `toy`: the counter of the fog belongs to spaces"),
        (
            |parts| parts.battle.as_mut().unwrap().fighters.truncate(1),
            "battle of game `toy`: it needs a fighter for each kind",
        ),
        (
            |parts| parts.battle.as_mut().unwrap().faces[0].opposite = 3,
            "battle of game `toy`: the opposite of a face does not exist",
        ),
        (
            |parts| {
                let mut rule = TileRule::new(Grid::Squares { columns: 2, rows: 3 }, SpaceId(0), Vec::new(), Vec::new());
                rule.offset = 7;
                (parts.counter_values, parts.tiles) = (13, Some(Box::new(rule)));
            },
            "tiles of game `toy`: the grid has more cells than there are spaces",
        ),
        (
            |parts| parts.decisions = vec![DecisionKind { id: String::new() }; usize::from(u16::MAX) + 1],
            "decision: there are 65536, but at most 65535 are allowed",
        ),
    ];
    for (change, wanted) in cases {
        let found = errors(change);
        assert!(found.lines().any(|line| line == wanted), "{wanted}\n{found}");
    }
}
