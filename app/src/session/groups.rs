//! Units that march together. For the kernel, each unit is a separate decision.

use principes_core::*;

use super::{Session, SessionError};

/// Units of one space that can march.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The space they stand on.
    pub from: SpaceId,
    /// The kinds that can march, and how many of each the viewer sees there.
    pub units: Vec<(KindId, usize)>,
}

/// The spaces from which more than one unit can march, if a decision asks for a unit.
pub fn groups(catalog: &Catalog, decision: &Decision, view: &View) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (kind, from) in decision.options.iter().filter_map(|option| march(catalog, option)) {
        let stands = |(id, piece): &(PieceId, Piece)| {
            catalog.pieces[id.index()].kind == kind
                && piece.space() == Some(from)
                && piece.owner() == Some(decision.seat)
        };
        let count = view.seen_pieces().filter(stands).count().max(1);
        match groups.iter_mut().find(|group| group.from == from) {
            Some(group) => group.units.push((kind, count)),
            None => groups.push(Group { from, units: vec![(kind, count)] }),
        }
    }
    groups.retain(|group| group.units.iter().map(|(_, count)| count).sum::<usize>() > 1);
    groups
}

/// The unit that an option of a march chooses.
fn march(catalog: &Catalog, option: &DecisionOption) -> Option<(KindId, SpaceId)> {
    match (option.verb, &option.args[..]) {
        (Some(verb), [Value::Kind(kind), Value::Space(from)]) if verb == catalog.words.r#move => Some((*kind, *from)),
        _ => None,
    }
}

/// The result of moving a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marched {
    /// The number of units that will march.
    pub followed: usize,
    /// The number of kinds that cannot.
    pub stayed: usize,
}

impl Session {
    /// Sends all other units of a space after the first one, as far as they can go there. Each is a separate answer.
    ///
    /// # Errors
    /// [`SessionError`]; units that were sent before the error stay sent.
    pub fn follow(&mut self, seat: SeatId, from: SpaceId, to: SpaceId) -> Result<Marched, SessionError> {
        let catalog = self.game().catalog().clone();
        let back = DecisionOption::verb(catalog.words.back, &[]);
        let target = DecisionOption::verb(catalog.words.to, &[Value::Space(to)]);
        let mut cannot: Vec<KindId> = Vec::new();
        let mut marched = Marched::default();
        loop {
            let next = self.open(seat).and_then(|decision| {
                let unit = |option: &&DecisionOption| {
                    march(&catalog, option).is_some_and(|(kind, space)| space == from && !cannot.contains(&kind))
                };
                decision.options.iter().find(unit).copied()
            });
            let Some(unit) = next else { break };
            self.answer(seat, &unit.key(&catalog))?;
            let reaches = self.open(seat).is_some_and(|decision| decision.options.contains(&target));
            if reaches {
                self.answer(seat, &target.key(&catalog))?;
                marched.followed += 1;
            } else {
                self.answer(seat, &back.key(&catalog))?;
                cannot.extend(march(&catalog, &unit).map(|(kind, _)| kind));
            }
        }
        marched.stayed = cannot.len();
        Ok(marched)
    }

    fn open(&self, seat: SeatId) -> Option<&Decision> {
        self.game().pending().into_iter().find(|decision| decision.seat == seat)
    }
}
