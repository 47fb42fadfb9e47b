//! Tiles: where they may be laid, how they are laid, and which are connected.

use principes_core::catalog::{MOST_SIDES, Tile, TileRule};
use principes_core::ids::{CardId, SpaceId, Value};
use principes_core::{Bans, Frontier, Grouping, NetworkRoot, Obstacle, RuleError, Stretch, Table};

use crate::api::args::Args;
use crate::api::binder::Binder;
use crate::api::chapter::{NIL, act, answer, chapter, int, look};
use crate::host::context::Context;
use crate::types::{Field, Ty, field, gives, maybe, opt, p};

const FIT: &[Field] = &[
    field("tile", Ty::CARD, "the tile; if it is on the grid, it is moved"),
    field("zone", Ty::ZONE, "instead of `tile`: every tile in this zone"),
    field("owner", Ty::Seat, "the owner of the zone"),
    field("space", Ty::SPACE, "the cell"),
    field("rotation", Ty::Int, "the rotation of the tile, in sides clockwise"),
    field("network", Ty::Word, "if the tile has edges of this network, one of them must touch what `root` reaches"),
    field("root", Ty::SPACE, "the cell at which the network begins"),
    field("seat", Ty::FACTION, "the seat that lays the tile, for `guards` and for the `veto` of the procedure `tiles`"),
    field("avoid", Ty::Prop, "a prop of tiles: no cell next to a tile that has it"),
    field(
        "guards",
        Ty::Prop,
        "a prop of kinds: no cell next to a tile with a piece of such a kind, unless the piece belongs to `seat`",
    ),
];

const STRETCH: &[Field] = &[
    field("root", Ty::SPACE, "the cell at which it begins"),
    field("network", Ty::Word, "the network of the edges"),
    field("side", Ty::Int, "only from this side of the cell; default: from all"),
    field("owner", Ty::Seat, "only over tiles of this seat; default: over all"),
];

const NETWORK: &[Field] = &[
    field("network", Ty::Word, "the network of the edges"),
    field("owner", Ty::Seat, "only over tiles of this seat; default: over all"),
];

const GROUPING: &[Field] = &[
    field("prop", Ty::Prop, "a prop of the tiles"),
    field("value", Ty::Any, "the value that it must have; default: any but 0"),
    field("owner", Ty::Seat, "only tiles of this seat; default: all"),
];

chapter! { "Tiles" with helpers,
    look "lay_tiles" (opt("fields", Ty::Fields(FIT))) [gives(Ty::List(&Ty::CARD))]
        "The tiles of a zone that fit somewhere, one card of each design. If cards have counters, every card is listed."
        "lay_tiles{zone = zone.hand, owner = seat, seat = seat}"
        Many |c, a| {
            let cards: Vec<CardId> = match (a.value(0), a.value(1)) {
                (Value::Card(card), _) => vec![card],
                (_, Value::Zone(_)) => {
                    let zone = a.zone(c, 1, 2)?;
                    look(c, a, |t| Ok(t.distinct_tiles(t.world.in_zone(zone))))?
                }
                _ => return Err(a.refuse("give a `tile` or a `zone`")),
            };
            let is_asked = c.catalog.tiles.as_ref().is_some_and(|tiles| tiles.veto.is_some());
            fitting(c, a, cards.len(), |t, tiles, frontier| {
                let mut found = Vec::new();
                for card in &cards {
                    let length = found.len();
                    let cells = frontier.cells(tile(t, tiles, *card)?).map(|cell| Value::Space(tiles.space(cell)));
                    if is_asked {
                        found.extend([Value::Card(*card), Value::Int(0)]);
                        found.extend(cells);
                        found[length + 1] = Value::Int((found.len() - length - 2) as i32);
                    } else if cells.take(1).count() > 0 {
                        found.push(Value::Card(*card));
                    }
                }
                Ok(c.many(found))
            })
        }, lua "
local list, veto, query = host.lay_tiles, host.veto_point, api.query
if not veto then
  return list
end
-- After each card comes how many cells it fits on, and these.
return function(fields, extra)
  local flat, kept, at = list(fields, extra), {}, 1
  local seat = fields.seat
  while at <= #flat do
    local card, last = flat[at], at + 1 + flat[at + 1]
    for n = at + 2, last do
      if query(veto, 0, card, flat[n], seat) == 0 then
        kept[#kept + 1] = card
        break
      end
    end
    at = last + 1
  end
  return kept
end";
    look "lay_spaces" (opt("fields", Ty::Fields(FIT))) [gives(Ty::List(&Ty::SPACE))]
        "The cells on which a tile fits with some rotation."
        "lay_spaces{tile = card, seat = seat}"
        Many |c, a| {
            let card = needed_tile(a)?;
            fitting(c, a, 1, |t, tiles, frontier| {
                let cells = frontier.cells(tile(t, tiles, card)?);
                Ok(c.many(cells.map(|cell| Value::Space(tiles.space(cell)))))
            })
        }, lua "
local list, veto, query = host.lay_spaces, host.veto_point, api.query
if not veto then
  return list
end
return function(fields, extra)
  local found, kept = list(fields, extra), {}
  for _, space in found do
    if query(veto, 0, fields.tile, space, fields.seat) == 0 then
      kept[#kept + 1] = space
    end
  end
  return kept
end";
    look "lay_rotations" (opt("fields", Ty::Fields(FIT))) [gives(Ty::List(&Ty::Int))]
        "The rotations with which a tile fits on a cell. If several rotations look alike, only the first is listed."
        "lay_rotations{tile = card, space = cell, seat = seat}"
        Many |c, a| {
            let (card, space) = (needed_tile(a)?, needed_space(a, 3)?);
            fitting(c, a, 1, |t, tiles, frontier| {
                let rotations = frontier.rotations(tile(t, tiles, card)?, t.cell(space)?);
                Ok(c.many(rotations.map(|rotation| Value::Int(rotation.into()))))
            })
        }, lua "
local list, veto, query = host.lay_rotations, host.veto_point, api.query
if not veto then
  return list
end
return function(fields, extra)
  local found = list(fields, extra)
  if #found > 0 and query(veto, 0, fields.tile, fields.space, fields.seat) ~= 0 then
    return {}
  end
  return found
end";
    look "lay_refusal" (opt("fields", Ty::Fields(FIT))) [maybe(Ty::Text)]
        "Why a tile may not be laid on a cell with a rotation: \"occupied\", \"apart\", \"border\", \"edge\", \"network\", \"avoided\", \"guarded\" or \"veto\". Nil if it may."
        "if lay_refusal{tile = card, space = cell, rotation = 2} then … end"
        One |c, a| {
            let (card, space) = (needed_tile(a)?, needed_space(a, 3)?);
            let Some(rotation) = a.optional_int(4) else { return Err(a.refuse("give a `rotation`")) };
            c.scan(c.catalog.tiles.as_ref().map_or(0, |tiles| tiles.len()))?;
            let found = look(c, a, |t| {
                let moved = t.without_tile(card);
                let t = moved.as_ref().unwrap_or(t);
                let root = root(t, a)?.map(NetworkRoot::stretch);
                let found = t.obstacle(card, space, rotation, root.as_ref())?;
                Ok(found.or(t.ban(t.tile_rule()?, t.cell(space)?, &bans(a))))
            })?;
            Ok(found.map_or(NIL, |found| int(REFUSALS.iter().position(|known| *known == found).map_or(0, |at| at as i32 + 1))))
        }, lua "
local refusal, words, veto, query = host.lay_refusal, host.refusals, host.veto_point, api.query
return function(fields, extra)
  local found = refusal(fields, extra)
  if found then
    return words[found]
  elseif veto and query(veto, 0, fields.tile, fields.space, fields.seat) ~= 0 then
    return 'veto'
  end
  return nil
end";
    act "lay" (p("card", Ty::CARD), p("space", Ty::SPACE), p("rotation", Ty::Int), opt("zone", Ty::ZONE), opt("owner", Ty::ZoneOwner)) []
        "Lays a tile on an empty cell, or moves it there, without checking whether it fits. Its card goes to a zone of laid tiles, by default to the first one that the procedure `tiles` names. To take a tile off the grid, `put` its card into another zone."
        "lay(card, cell, rotation, zone.map, seat)"
        One |c, a| {
            let (card, space, rotation) = (a.card(0)?, a.space(1)?, a.int(2)?);
            let zone = match a.value(3) {
                Value::Zone(_) => a.zone(c, 3, 4)?,
                _ => look(c, a, |t| {
                    let first = t.tile_rule()?.zones.first().copied();
                    let owner = match a.value(4) {
                        Value::Faction(owner) => Some(owner),
                        _ => None,
                    };
                    let zone = first.and_then(|zone| t.catalog.zone_of(zone, owner));
                    zone.ok_or_else(|| RuleError::new("the first zone of laid tiles has, or lacks, an owner: name zone and owner"))
                })?,
            };
            c.scan(c.catalog.tiles.as_ref().map_or(0, |tiles| tiles.len()))?;
            act(c, a, |t| t.lay(card, space, rotation, zone))?;
            Ok(NIL)
        };
    act "join_links" (p("space", Ty::SPACE), opt("links", Ty::OneOf(&["joined", "apart"]))) []
        "Joins all sides of each network on a laid tile, or sets them \"apart\" again as its `links` say. Default: \"joined\"."
        "join_links(cell)"
        One |c, a| {
            let (space, joined) = (a.space(0)?, !a.is(1, "apart"));
            act(c, a, |t| t.join_links(space, joined))?;
            Ok(NIL)
        };
    look "laid" (p("space", Ty::SPACE)) [maybe(Ty::CARD)]
        "The tile on a cell, or nil."
        "if laid(cell) == nil then … end"
        One |c, a| { let space = a.space(0)?; Ok(c.read(|t| t.laid(space))?.map_or(NIL, |laid| answer(Value::Card(laid.card)))) };
    look "rotation_at" (p("space", Ty::SPACE)) [maybe(Ty::Int)]
        "The rotation of the tile on a cell, in sides clockwise, or nil if the cell is empty."
        "lay(laid(cell), other, rotation_at(cell))"
        One |c, a| { let space = a.space(0)?; Ok(c.read(|t| t.laid(space))?.map_or(NIL, |laid| int(laid.rotation.into()))) };
    look "laid_at" (p("card", Ty::CARD)) [maybe(Ty::SPACE)]
        "The cell of a laid tile, or nil. The tile's owner is the owner of its zone."
        "local cell = laid_at(card)"
        One |c, a| {
            let card = a.card(0)?;
            c.scan(c.catalog.tiles.as_ref().map_or(0, |tiles| tiles.len()))?;
            Ok(answer(c.read(|t| t.laid_at(card))?.map_or(Value::Nil, Value::Space)))
        };
    look "edge" (p("space", Ty::SPACE), p("side", Ty::Int)) [maybe(Ty::Word)]
        "The edge of the tile on a cell at a side of the map, or nil if the cell is empty. Sides count clockwise from 0: from the north-east with hexagons, from the north with squares."
        "if edge(cell, 0) == \"road\" then … end"
        One |c, a| {
            let space = a.space(0)?;
            let at = a.int(1)?;
            let found = look(c, a, |t| {
                let (tiles, side) = (t.tile_rule()?, side(t, at)?);
                let edge = t.laid(space).and_then(|laid| t.edge_at(tiles, laid, side));
                Ok(edge.map_or(Value::Nil, |kind| Value::Symbol(tiles.edges[usize::from(kind)].id)))
            })?;
            Ok(answer(found))
        };
    look "edge_of" (p("card", Ty::CARD), p("side", Ty::Int)) [maybe(Ty::Word)]
        "The edge of a tile at a side as its card shows it, on the grid or not, or nil if the card is not a tile. With rotation k, side i of the card is at side i + k of the map."
        "if edge_of(card, 0) == \"road\" then … end"
        One |c, a| {
            let (card, at) = (a.card(0)?, a.int(1)?);
            let found = look(c, a, |t| {
                let (tiles, side) = (t.tile_rule()?, side(t, at)?);
                let edge = tiles.tile(t.catalog.cards[card.index()]).map(|tile| tile.edges[side]);
                Ok(edge.map_or(Value::Nil, |kind| Value::Symbol(tiles.edges[usize::from(kind)].id)))
            })?;
            Ok(answer(found))
        };
    look "across" (p("space", Ty::SPACE), p("side", Ty::Int)) [maybe(Ty::SPACE)]
        "The cell beyond a side of a cell, or nil at the border of the grid."
        "local next = across(cell, 2)"
        One |c, a| {
            let (space, at) = (a.space(0)?, a.int(1)?);
            let found = look(c, a, |t| Ok(t.tile_rule()?.across(t.cell(space)?, side(t, at)?)))?;
            Ok(answer(found.map_or(Value::Nil, Value::Space)))
        };
    look "reach" (opt("fields", Ty::Fields(STRETCH))) [gives(Ty::List(&Ty::SPACE))]
        "The cells that a network reaches from a cell over touching edges, including itself."
        "if contains(reach{root = start, network = \"road\"}, cell) then … end"
        Many |c, a| {
            let root = needed_space(a, 0)?;
            on_grid(c, a, |t, tiles| {
                let (root, reached) = (t.cell(root)?, t.reached(tiles, &stretch(t, a)?));
                let is_there = |cell: &usize| reached.sides(*cell) != 0 || (*cell == root && t.world.laid(tiles, root).is_some());
                Ok(c.many((0..tiles.len()).filter(is_there).map(|cell| Value::Space(tiles.space(cell)))))
            })
        };
    look "open_ends" (opt("fields", Ty::Fields(STRETCH))) [gives(Ty::Int)]
        "The number of edges that `reach` finds with the same fields and that face an empty cell."
        "if open_ends{root = cell, network = \"road\", side = 0} == 0 then … end"
        One |c, a| {
            on_grid(c, a, |t, tiles| Ok(int(t.open_ends(tiles, &t.reached(tiles, &stretch(t, a)?)) as i32)))
        };
    look "components" (opt("fields", Ty::Fields(NETWORK))) [gives(Ty::List(&Ty::List(&Ty::SPACE)))]
        "All stretches of a network, each as a list of its cells. A cell is in several lists if the links of its tile keep them apart."
        "for _, road in components{network = \"road\", owner = seat} do … end"
        Many |c, a| {
            on_grid(c, a, |t, tiles| {
                let network = needed_network(t, a, 0)?;
                let all = t.stretches(tiles, network, a.optional_faction(1));
                Ok(nested(c, tiles, all.iter().map(|reached| reached.cells())))
            })
        }, lua "
local list, create, move = host.components, table.create, table.move
-- The lists come one after the other, each after its length.
function host.split(flat)
  local lists, at = {}, 1
  while at <= #flat do
    local length = flat[at]
    lists[#lists + 1] = move(flat, at + 1, at + length, 1, create(length))
    at += length + 1
  end
  return lists
end
local split = host.split
return function(fields, extra)
  return split(list(fields, extra))
end";
    look "groups" (opt("fields", Ty::Fields(GROUPING))) [gives(Ty::List(&Ty::List(&Ty::SPACE)))]
        "The groups of touching tiles with a prop, each as a list of cells."
        "for _, meadow in groups{prop = \"green\", owner = seat} do … end"
        Many |c, a| {
            on_grid(c, a, |t, tiles| {
                let prop = a.optional_symbol(0).ok_or_else(|| RuleError::new("give a `prop`"))?;
                let value = Some(a.value(1)).filter(|value| *value != Value::Nil);
                let all = t.groups(tiles, &Grouping { prop, value, owner: a.optional_faction(2) });
                Ok(nested(c, tiles, all.into_iter().map(Vec::into_iter)))
            })
        }, lua "
local list, split = host.groups, host.split
return function(fields, extra)
  return split(list(fields, extra))
end";
    look "enclosed" () [gives(Ty::List(&Ty::List(&Ty::SPACE)))]
        "The areas of empty cells that have no path over empty cells to the border of the grid, each as a list of cells."
        "for _, hole in enclosed() do … end"
        Many |c, a| {
            on_grid(c, a, |t, tiles| Ok(nested(c, tiles, t.enclosed(tiles).into_iter().map(Vec::into_iter))))
        }, lua "
local list, split = host.enclosed, host.split
return function(...)
  return split(list(...))
end";
}

/// In the order in which the Lua part knows them.
const REFUSALS: [Obstacle; 7] = [
    Obstacle::Occupied,
    Obstacle::Apart,
    Obstacle::Border,
    Obstacle::Edge,
    Obstacle::Network,
    Obstacle::Avoided,
    Obstacle::Guarded,
];

/// Provides the Lua parts: the query point of vetoes, the words for obstacles, and nested lists.
fn helpers(binder: &Binder) -> mlua::Result<()> {
    let catalog = &binder.context.catalog;
    let veto = catalog.tiles.as_ref().and_then(|tiles| tiles.veto);
    binder.host.raw_set("veto_point", veto.map(|point| catalog.points[point.index()].id.as_str()))?;
    binder.host.raw_set("refusals", binder.lua.create_sequence_from(REFUSALS.map(Obstacle::keyword))?)
}

/// Lists of cells, one after the other, each with its length first.
fn nested(c: &Context, tiles: &TileRule, lists: impl Iterator<Item = impl Iterator<Item = usize>>) -> Vec<f64> {
    let mut flat = Vec::new();
    for list in lists {
        let length = flat.len();
        flat.push(Value::Int(0));
        flat.extend(list.map(|cell| Value::Space(tiles.space(cell))));
        flat[length] = Value::Int((flat.len() - length - 1) as i32);
    }
    c.many(flat)
}

/// Reads the grid. The call is charged for its cells.
fn on_grid<T>(c: &Context, a: &Args, see: impl FnOnce(&Table, &TileRule) -> Result<T, RuleError>) -> mlua::Result<T> {
    c.scan(c.catalog.tiles.as_ref().map_or(0, |tiles| MOST_SIDES * tiles.len()))?;
    look(c, a, |t| see(t, t.tile_rule()?))
}

/// Searches placements of a number of tiles. The call is charged for the cells, and for what each tile may touch there.
fn fitting<T>(
    c: &Context,
    a: &Args,
    tiles: usize,
    see: impl FnOnce(&Table, &TileRule, &Frontier) -> Result<T, RuleError>,
) -> mlua::Result<T> {
    c.scan(MOST_SIDES * tiles)?;
    on_grid(c, a, |t, rule| {
        // A tile that is already laid is moved.
        let moved = match a.value(0) {
            Value::Card(card) => t.without_tile(card),
            _ => None,
        };
        let t = moved.as_ref().unwrap_or(t);
        let root = root(t, a)?;
        let frontier = c.frontier.borrow_mut().of(t, rule, root).without(t, rule, &bans(a));
        see(t, rule, &frontier)
    })
}

/// The cells that [`FIT`] excludes.
fn bans(a: &Args) -> Bans {
    Bans { seat: a.optional_faction(7), avoid: a.optional_symbol(8), guards: a.optional_symbol(9) }
}

fn tile<'t>(t: &Table, tiles: &'t TileRule, card: CardId) -> Result<&'t Tile, RuleError> {
    let found = tiles.tile(t.catalog.cards[card.index()]);
    found.ok_or_else(|| RuleError(format!("the card `{}` is not a tile", t.catalog.id_of(Value::Card(card)))))
}

fn side(t: &Table, side: i32) -> Result<usize, RuleError> {
    let sides = t.tile_rule()?.sides();
    let found = usize::try_from(side).ok().filter(|side| *side < sides);
    found.ok_or_else(|| RuleError(format!("the cells of this grid have the sides 0 to {}, found {side}", sides - 1)))
}

/// The network root in [`FIT`].
fn root(t: &Table, a: &Args) -> Result<Option<NetworkRoot>, RuleError> {
    match (a.optional_symbol(5), a.optional_space(6)) {
        (None, None) => Ok(None),
        (Some(network), Some(root)) => Ok(Some(NetworkRoot { network: t.network(network)?, cell: t.cell(root)? })),
        _ => Err(RuleError::new("`network` and `root` go together: a network, and the cell at which it begins")),
    }
}

/// The stretch in [`STRETCH`].
fn stretch(t: &Table, a: &Args) -> Result<Stretch, RuleError> {
    let root = a.optional_space(0).ok_or_else(|| RuleError::new("give a `root`"))?;
    let from = a.optional_int(2).map(|at| side(t, at)).transpose()?;
    Ok(Stretch { network: needed_network(t, a, 1)?, root: t.cell(root)?, side: from, owner: a.optional_faction(3) })
}

fn needed_network(t: &Table, a: &Args, at: usize) -> Result<usize, RuleError> {
    t.network(a.optional_symbol(at).ok_or_else(|| RuleError::new("give a `network`"))?)
}

fn needed_tile(a: &Args) -> mlua::Result<CardId> {
    match a.value(0) {
        Value::Card(card) => Ok(card),
        _ => Err(a.refuse("give a `tile`")),
    }
}

fn needed_space(a: &Args, at: usize) -> mlua::Result<SpaceId> {
    a.optional_space(at).ok_or_else(|| a.refuse("give the cell"))
}
