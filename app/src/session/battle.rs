//! A battle in progress, as everybody may know it: the pieces on the space, the dice, and the last count.

use principes_core::catalog::{BattleRule, Fighter};
use principes_core::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::GameInWords;

/// A battle in progress.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BattleInWords {
    /// The id of the space.
    pub space: String,
    /// Who fights where.
    pub title: String,
    /// What the attacker does to the defender, and the other way round.
    pub strikes: [Strike; 2],
}

/// What one side does to the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Strike {
    /// The id of the faction that strikes.
    pub by: String,
    /// The name of this faction in the language of the viewer.
    pub name: String,
    /// Its role: the attacker or the defender.
    pub role: String,
    /// The strength of the side.
    pub strength: BattleNumber,
    /// The shields of the other side.
    pub shields: BattleNumber,
    /// The damage at the last count; `None` before the first one.
    pub damage: Option<i32>,
    /// The names of the other side's pieces that would fall, in order.
    pub falls: Vec<String>,
}

/// A number and its parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BattleNumber {
    /// What is counted.
    pub name: String,
    /// The number at the last count or, before the first one, what is known of it.
    pub total: i32,
    /// The parts that are not 0, by name.
    pub parts: Vec<(String, i32)>,
}

impl GameInWords<'_> {
    /// The current battle; `None` if there is none, or if a viewer cannot see all its pieces.
    pub fn battle(&self, viewer: Option<SeatId>) -> Option<BattleInWords> {
        let (world, catalog) = (&self.game.table().world, self.game.catalog());
        let (battle, rule) = (world.battle()?, catalog.battle.as_ref()?);
        let view = self.view_for(viewer);
        let entered = [&battle.attacker, &battle.defender].into_iter().flat_map(|side| side.entered.iter().copied());
        let is_unseen = |piece: PieceId| view.pieces.get(piece.index()).is_none_or(Option::is_none);
        if world.on_space(battle.space).chain(entered).any(is_unseen) {
            return None;
        }
        let counted = Counted { scene: self, battle, rule };
        let sides = [SideId::Attacker, SideId::Defender];
        let [attacker, defender] = sides.map(|side| self.words.value(Value::Faction(battle.side(side).faction), None));
        let space = self.words.value(Value::Space(battle.space), None);
        Some(BattleInWords {
            space: catalog.id_of(Value::Space(battle.space)),
            title: self.words.own("event.battle", &[&space, &attacker, &defender]),
            strikes: sides.map(|side| counted.strike(side)),
        })
    }
}

/// A battle with what its numbers mean.
struct Counted<'a> {
    scene: &'a GameInWords<'a>,
    battle: &'a Battle,
    rule: &'a BattleRule,
}

impl Counted<'_> {
    /// Whether it has been counted: a count in which everything is 0 says no more than none.
    fn is_counted(&self) -> bool {
        [&self.battle.attacker, &self.battle.defender].iter().any(|side| side.strength > 0 || side.shields > 0)
    }

    fn strike(&self, by: SideId) -> Strike {
        let (words, catalog) = (self.scene.words, self.scene.game.catalog());
        let (side, other) = (self.battle.side(by), self.battle.side(by.other()));
        let role = if by == SideId::Attacker { catalog.words.attacker } else { catalog.words.defender };
        let fallen = self.battle.losses(self.scene.game.table(), by.other()).toppled;
        let kind = |piece: &PieceId| words.value(Value::Kind(catalog.pieces[piece.index()].kind), None);
        Strike {
            by: catalog.id_of(Value::Faction(side.faction)),
            name: words.value(Value::Faction(side.faction), None),
            role: words.value(Value::Symbol(role), None),
            strength: self.strength(side),
            shields: self.shields(by.other()),
            damage: self.is_counted().then_some(other.damage),
            falls: other.entered.iter().take(fallen).map(kind).collect(),
        }
    }

    fn strength(&self, side: &Side) -> BattleNumber {
        let mut parts = self.by_kind(side.entered.iter().copied(), |fighter| fighter.strength);
        parts.extend(self.die(side, self.rule.strength));
        self.sum(self.rule.strength, parts, side.strength)
    }

    fn shields(&self, id: SideId) -> BattleNumber {
        let side = self.battle.side(id);
        let mut parts = Vec::new();
        if id == SideId::Defender {
            let (words, game) = (self.scene.words, self.scene.game);
            let space = self.battle.space;
            let place = game.catalog().spaces[space.index()].props.int(self.rule.fortify);
            parts.push((words.value(Value::Space(space), None), place));
            parts.extend(self.by_kind(game.table().world.on_space(space), |fighter| fighter.fortify));
        }
        parts.extend(self.die(side, self.rule.fortify));
        self.sum(self.rule.fortify, parts, side.shields)
    }

    /// What pieces contribute, by the names of their kinds.
    fn by_kind(&self, pieces: impl Iterator<Item = PieceId>, value: impl Fn(&Fighter) -> i32) -> Vec<(String, i32)> {
        let catalog = self.scene.game.catalog();
        let mut kinds: Vec<(KindId, i32, i32)> = Vec::new();
        for piece in pieces {
            let kind = catalog.pieces[piece.index()].kind;
            let worth = value(&self.rule.fighters[kind.index()]);
            match kinds.iter_mut().find(|(of, ..)| *of == kind) {
                Some((_, count, sum)) => (*count, *sum) = (*count + 1, *sum + worth),
                None => kinds.push((kind, 1, worth)),
            }
        }
        let named = |(kind, count, sum)| {
            let name = self.scene.words.value(Value::Kind(kind), None);
            (if count == 1 { name } else { format!("{count} × {name}") }, sum)
        };
        kinds.into_iter().map(named).collect()
    }

    fn die(&self, side: &Side, what: SymbolId) -> Option<(String, i32)> {
        let face = self.rule.faces.get(usize::from(side.face?))?;
        Some((self.scene.words.own("battle.die", &[]), face.values.int(what)))
    }

    /// The sum with all its parts. The kernel does not know why a script changes it, so that is one part.
    fn sum(&self, what: SymbolId, mut parts: Vec<(String, i32)>, counted: i32) -> BattleNumber {
        let words = self.scene.words;
        let known: i32 = parts.iter().map(|(_, value)| value).sum();
        let total = if self.is_counted() { counted } else { known };
        parts.push((words.own("battle.others", &[]), total - known));
        parts.retain(|(_, value)| *value != 0);
        BattleNumber { name: words.value(Value::Symbol(what), None), total, parts }
    }
}
