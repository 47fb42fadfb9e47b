//! Tiles: whether grid, edges and zones fit together, and whether every tile can be laid.

use std::collections::{BTreeMap, BTreeSet};

use principes_findings::{Code, Finding, suggestion};
use principes_model::{EntityPlace, Merged, Sourced};
use principes_schemas::{self as schemas, Edge, Family, Grid, GridShape, PointKind};

use super::content::Content;
use crate::grid;

pub fn check(content: &Content<'_>, findings: &mut Vec<Finding>) {
    let merged = content.merged;
    let found = merged.procedures.iter().find_map(|entry| match &*entry.value {
        schemas::Procedure::Tiles { grid, edges, .. } => Some(GridCheck { merged, place: &entry.place, grid, edges }),
        _ => None,
    });
    let Some(rule) = found else {
        if merged.broken.spares(&[Family::Procedures]) {
            without_procedure(merged, findings);
        }
        return;
    };
    let before = findings.len();
    rule.check_grid(findings);
    rule.check_edges(findings);
    rule.check_zones(findings);
    rule.check_tiles(findings);
    // Which edges can touch is known only if nothing is wrong so far.
    if findings.len() == before && merged.broken.spares(&[Family::Cards, Family::Procedures]) {
        rule.check_contacts(findings);
        rule.check_equal(findings);
    }
}

fn without_procedure(merged: &Merged, findings: &mut Vec<Finding>) {
    for entry in merged.cards.iter().filter(|entry| entry.value.tile.is_some()) {
        let message = format!("`{}` is a tile, but the game has no grid to lay it on", entry.value.id);
        let finding = merged.finding_at_key(&entry.place, "/tile", Code::UnsuitableTile, message);
        findings.push(finding.help("declare the procedure `tiles`"));
    }
}

struct GridCheck<'m> {
    merged: &'m Merged,
    place: &'m EntityPlace,
    grid: &'m Grid,
    edges: &'m [Edge],
}

impl<'m> GridCheck<'m> {
    fn finding(&self, field: &str, message: impl Into<String>) -> Finding {
        self.merged.finding(self.place, field, Code::UnsuitableTiles, message)
    }

    fn sides(&self) -> usize {
        match self.grid.shape {
            GridShape::Hexagons => 6,
            GridShape::Squares => 4,
        }
    }

    fn tiles(&self) -> impl Iterator<Item = (&'m Sourced<schemas::Card>, &'m schemas::Tile)> {
        self.merged.cards.iter().filter_map(|entry| Some((entry, entry.value.tile.as_ref()?)))
    }

    fn edge(&self, sign: char) -> Option<&'m Edge> {
        self.edges.iter().find(|edge| edge.sign.starts_with(sign))
    }

    fn check_grid(&self, findings: &mut Vec<Finding>) {
        if grid::of(self.grid).is_none() {
            let (shape, wanted) = match self.grid.shape {
                GridShape::Hexagons => ("hexagons", "`radius` only"),
                GridShape::Squares => ("squares", "`columns` and `rows` only"),
            };
            findings.push(self.finding("/grid", format!("a grid of {shape} needs {wanted}")));
            return;
        }
        let listed: BTreeMap<&str, &Sourced<schemas::Space>> =
            self.merged.spaces.iter().take(self.merged.cells).map(|space| (space.value.id.as_str(), space)).collect();
        for cell in self.merged.spaces.iter().skip(self.merged.cells) {
            let Some(space) = listed.get(cell.value.id.as_str()) else { continue };
            let message = format!("`{}` is also the name of a cell of the grid", cell.value.id);
            let finding = self.merged.finding(&space.place, "/id", Code::UnsuitableTiles, message);
            findings.push(finding.help("give the space another id; cells are named by column and row"));
        }
    }

    fn check_edges(&self, findings: &mut Vec<Finding>) {
        let (mut ids, mut signs) = (BTreeSet::new(), BTreeSet::new());
        for (at, edge) in self.edges.iter().enumerate() {
            if !ids.insert(edge.id.as_str()) {
                let finding = self.finding(&format!("/edges/{at}/id"), format!("there are two edges `{}`", edge.id));
                findings.push(finding.help("remove one of them, or give it another id"));
            }
            if !signs.insert(edge.sign.as_str()) {
                let finding =
                    self.finding(&format!("/edges/{at}/sign"), format!("two edges have the sign `{}`", edge.sign));
                findings.push(finding.help("give each edge a sign of its own"));
            }
            for (nth, other) in edge.meets.iter().enumerate() {
                if self.edges.iter().any(|edge| edge.id == *other) {
                    continue;
                }
                let near = suggestion(other.as_str(), self.edges.iter().map(|edge| edge.id.as_str()));
                let finding = self.finding(&format!("/edges/{at}/meets/{nth}"), format!("unknown edge `{other}`"));
                findings.push(finding.help("name an edge of this list").suggest(near));
            }
        }
    }

    fn check_zones(&self, findings: &mut Vec<Finding>) {
        let found = self.merged.procedures.iter().find_map(|entry| match &*entry.value {
            schemas::Procedure::Tiles { zones, veto, .. } => Some((zones, veto)),
            _ => None,
        });
        let Some((zones, veto)) = found else { return };
        for (at, id) in zones.iter().enumerate() {
            let zone = self.merged.zones.iter().find(|zone| zone.value.id.as_str() == id.as_str());
            if let Some(zone) = zone.filter(|zone| zone.value.visible != schemas::Visibility::Everyone) {
                let message = format!("not everyone sees the zone `{id}`, but laid tiles must be visible to everyone");
                let label = self.merged.label(&zone.place, "/visible", "it is hidden here");
                let finding = self.finding(&format!("/zones/{at}"), message).label(label);
                findings.push(finding.help("name a zone that is visible to everyone"));
            }
        }
        let Some(veto) = veto else { return };
        let point = self.merged.points.iter().find(|point| point.value.id.as_str() == veto.as_str());
        let args = ["card", "space", "seat"];
        if point.is_none_or(|point| point.value.kind != PointKind::Query || point.value.args != args) {
            let message = format!("`{veto}` is not a query point with the arguments `card`, `space` and `seat`");
            let finding = self.finding("/veto", message);
            let help =
                "declare it under `points` with \"kind\": \"query\" and \"args\": [\"card\", \"space\", \"seat\"]";
            findings.push(finding.help(help));
        }
    }

    fn check_tiles(&self, findings: &mut Vec<Finding>) {
        for (entry, tile) in self.tiles() {
            let mut add = |field: &str, message: String, help: String| {
                let finding = self.merged.finding(&entry.place, field, Code::UnsuitableTile, message);
                findings.push(finding.help(help));
            };
            let (sides, many) = (self.sides(), tile.edges.chars().count());
            if many != sides {
                let message = format!("a tile of this grid has {sides} edges, found {many}");
                add("/tile/edges", message, "write one sign for each side, clockwise from side 0".to_owned());
                continue;
            }
            let unknown: BTreeSet<char> = tile.edges.chars().filter(|sign| self.edge(*sign).is_none()).collect();
            for sign in unknown {
                let known: Vec<&str> = self.edges.iter().map(|edge| edge.sign.as_str()).collect();
                let help = format!("the signs of the procedure `tiles` are {}", known.join(" "));
                add("/tile/edges", format!("no edge has the sign `{sign}`"), help);
            }
            for (at, link) in tile.links.iter().enumerate() {
                let network = |side: &u8| self.edge(tile.edges.chars().nth(usize::from(*side))?)?.network.as_ref();
                let networks: BTreeSet<_> =
                    link.0.iter().map(|side| network(side).map(schemas::Keyword::as_str)).collect();
                let field = format!("/tile/links/{at}");
                if let Some(side) = link.0.iter().find(|side| usize::from(**side) >= sides) {
                    add(&field, format!("there is no side {side}"), format!("the sides are 0 to {}", sides - 1));
                } else if networks.contains(&None) || networks.len() > 1 {
                    let message = "a link joins sides of one network".to_owned();
                    add(&field, message, "name sides whose edges have the same `network`".to_owned());
                }
            }
        }
    }

    /// Reports edges and tiles that can touch nothing.
    fn check_contacts(&self, findings: &mut Vec<Finding>) {
        // The number of tiles with each edge, counting copies, and the largest number of such sides on one tile.
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        for (entry, tile) in self.tiles() {
            let own: BTreeSet<&str> =
                tile.edges.chars().filter_map(|sign| Some(self.edge(sign)?.id.as_str())).collect();
            own.into_iter().for_each(|edge| *used.entry(edge).or_default() += usize::from(entry.value.copies));
        }
        if used.is_empty() {
            return;
        }
        let met: BTreeSet<(&str, &str)> = self
            .edges
            .iter()
            .flat_map(|edge| edge.meets.iter().map(|other| (edge.id.as_str(), other.as_str())))
            .collect();
        let meets = |edge: &Edge, other: &Edge| {
            let (edge, other) = (edge.id.as_str(), other.id.as_str());
            met.contains(&(edge, other)) || met.contains(&(other, edge))
        };
        for (at, edge) in self.edges.iter().enumerate() {
            let is_used = |edge: &Edge| used.contains_key(edge.id.as_str());
            let what = match (is_used(edge), self.edges.iter().any(|other| is_used(other) && meets(edge, other))) {
                (false, _) => "no tile has the edge",
                (true, false) => "no tile has an edge that may touch the edge",
                (true, true) => continue,
            };
            let message = format!("{what} `{}`", edge.id);
            let finding = self.merged.finding(self.place, &format!("/edges/{at}/id"), Code::LonelyEdge, message);
            findings.push(finding.help("add it to `meets` of another edge, use it on a tile, or remove it"));
        }
        for (entry, tile) in self.tiles() {
            let edges: Vec<&Edge> = tile.edges.chars().filter_map(|sign| self.edge(sign)).collect();
            // A tile does not touch itself. If only this tile has an edge, another copy is needed.
            let own = |edge: &Edge| edges.iter().any(|own| own.id == edge.id);
            let others = |edge: &&Edge| {
                let copies = if own(edge) { usize::from(entry.value.copies).min(1) } else { 0 };
                used.get(edge.id.as_str()).is_some_and(|many| *many > copies)
            };
            let touches = |edge: &&Edge| self.edges.iter().filter(others).any(|other| meets(edge, other));
            let stuck = edges.iter().any(|edge| !edge.empty && !touches(edge) && !edge.border);
            if stuck || !edges.iter().any(touches) {
                let message = format!("`{}` can never lie beside another tile", entry.value.id);
                let finding = self.merged.finding(&entry.place, "/tile/edges", Code::UnplaceableTile, message);
                findings.push(finding.help("give it an edge that some edge of another tile may touch"));
            }
        }
    }

    /// Reports two designs that are the same tile, only rotated.
    fn check_equal(&self, findings: &mut Vec<Finding>) {
        let turned = |tile: &schemas::Tile| -> Option<(String, Vec<BTreeSet<u8>>)> {
            let (sides, signs) = (self.sides(), tile.edges.chars().collect::<Vec<char>>());
            let look = |turn: usize| {
                let edges: String = (0..sides).map(|side| signs[(side + sides - turn) % sides]).collect();
                let turn_side = |side: &u8| ((usize::from(*side) + turn) % sides) as u8;
                let mut links: Vec<BTreeSet<u8>> =
                    tile.links.iter().map(|link| link.0.iter().map(turn_side).collect()).collect();
                links.sort();
                (edges, links)
            };
            (0..sides).map(look).min()
        };
        let mut first: BTreeMap<String, &Sourced<schemas::Card>> = BTreeMap::new();
        for (entry, tile) in self.tiles() {
            let card = &entry.value;
            let key = format!(
                "{:?}",
                (
                    turned(tile),
                    &card.card_type,
                    &card.zone,
                    &card.faction,
                    &card.props.0,
                    &card.params.0,
                    &card.hooks.0
                )
            );
            let Some(other) = first.get(&key) else {
                first.insert(key, entry);
                continue;
            };
            let message = format!("`{}` is the same tile as `{}`, only rotated", card.id, other.value.id);
            let label = self.merged.label(&other.place, "/tile/edges", format!("`{}` is here", other.value.id));
            let finding = self.merged.finding(&entry.place, "/tile/edges", Code::EqualTiles, message).label(label);
            findings.push(finding.help(format!("remove one of them, and raise `copies` of `{}`", other.value.id)));
        }
    }
}
