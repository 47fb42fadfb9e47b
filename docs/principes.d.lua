---@meta
-- Generated from the script API; do not edit.

---@class Handle
---@class Faction: Handle
---@class Space: Handle
---@class Kind: Handle
---@class Piece: Handle
---@class Card: Handle
---@class Design: Handle
---@class Zone: Handle
---@class Counter: Handle
---@class Rule: Handle
---@class CounterOfNumber: Counter
---@class CounterOfSpace: Counter
---@class CounterOfFaction: Counter
---@class CounterOfCard: Counter
---@class CounterOfDesign: Counter
---@alias Seat Faction
---@alias Side "attacker"|"defender"

--- A decision that a pack declares.
---@alias DecisionName string

--- A query point.
---@alias QueryPoint string

--- An effect point.
---@alias EffectPoint string

--- A message `log.<key>`.
---@alias MessageKey string

--- A message `outcome.<key>`.
---@alias OutcomeKey string

--- A prop of some entity.
---@alias PropName string

--- A stat of some kind of piece.
---@alias StatName string

--- A param of some card.
---@alias ParamName string

--- The factions of the packs.
---@type table<string, Faction>
faction = {}

--- The spaces of the packs.
---@type table<string, Space>
space = {}

--- The kinds of pieces of the packs.
---@type table<string, Kind>
kind = {}

--- The card designs of the packs.
---@type table<string, Design>
design = {}

--- The zones of the packs.
---@type table<string, Zone>
zone = {}

--- The counters of the packs.
---@type table<string, Counter>
counter = {}

--- The table of another module.
---@param module string
---@return table
function import(module) end

battle = {}

--- The value of a counter within its bounds, or the handle that it holds, or nil. A counter of the game has no owner.
---@overload fun(counter: CounterOfNumber, owner?: Faction|Space|Card): integer
---@overload fun(counter: CounterOfSpace, owner?: Faction|Space|Card): Space?
---@overload fun(counter: CounterOfFaction, owner?: Faction|Space|Card): Faction?
---@overload fun(counter: CounterOfCard, owner?: Faction|Space|Card): Card?
---@overload fun(counter: CounterOfDesign, owner?: Faction|Space|Card): Design?
---@param counter Counter
---@param owner? Faction|Space|Card
---@return integer
function get(counter, owner) end

--- The value of a counter before its bounds apply. It differs from `get` only for derived counters.
---@param counter Counter
---@param owner? Faction|Space|Card
---@return integer
function raw(counter, owner) end

--- Adds to a counter as far as its bounds and the bank allow. A negative amount subtracts. Returns how much the counter really changed.
---@param counter Counter
---@param amount number
---@param owner? Faction|Space|Card
---@return integer
function add(counter, amount, owner) end

--- Adds to a counter like `add`, but a negative amount is an error. Returns how much the counter really changed. If you pass a message and that number is not 0, it logs `log.<message>` with the owner, the number and the counter.
---@param counter Counter
---@param amount number
---@param owner? Faction|Space|Card
---@param message? MessageKey
---@return integer
function gain(counter, amount, owner, message) end

--- Subtracts from a counter as far as it goes. A negative amount is an error. Returns how much the counter really changed, as a positive number. If you pass a message and that number is not 0, it logs `log.<message>` with the owner, the number and the counter.
---@param counter Counter
---@param amount number
---@param owner? Faction|Space|Card
---@param message? MessageKey
---@return integer
function lose(counter, amount, owner, message) end

--- Sets a counter. A value out of bounds is an error. A counter that holds a handle takes a handle or nil.
---@param counter Counter
---@param value? number|Handle
---@param owner? Faction|Space|Card
function set(counter, value, owner) end

--- Moves as much as possible of an amount from one owner to another. Returns how much.
---@param counter Counter
---@param amount number
---@param from Faction|Space|Card
---@param to Faction|Space|Card
---@return integer
function transfer(counter, amount, from, to) end

--- How much of a counter with a limited supply is left in the bank.
---@param counter Counter
---@return integer
function bank(counter) end

--- The faction that controls a space, or nil.
---@param space Space
---@return Seat?
function controller(space) end

--- The faction inside whose borders a space is, or nil.
---@param space Space
---@return Faction?
function home(space) end

--- The spaces next to a space, with a way in both directions.
---@param space Space
---@return Space[]
function neighbors(space) end

--- The spaces that can be entered from a space, including one-way exits.
---@param space Space
---@return Space[]
function exits(space) end

--- The number of steps from one space to another, or nil if there is no route.
---@param from Space
---@param to Space
---@return integer?
function distance(from, to) end

--- The spaces at most this many steps from a space, including itself, in id order.
---@param space Space
---@param steps number
---@return Space[]
function within(space, steps) end

--- The spaces that match all given fields.
---@param filter? { kind?: string, home?: Faction, controller?: Faction, prop?: PropName, neutral?: boolean, empty?: boolean, without?: Kind|string, first_of?: PropName, uncontrolled_by?: Faction, fewer?: Kind|string, than?: PropName, beside?: Space, marked?: Counter, unmarked?: Counter }
---@return Space[]
function spaces(filter) end

--- The space that matches all given fields: the first one in id order if there are several, nil if there is none.
---@param filter? { kind?: string, home?: Faction, controller?: Faction, prop?: PropName, neutral?: boolean, empty?: boolean, without?: Kind|string, first_of?: PropName, uncontrolled_by?: Faction, fewer?: Kind|string, than?: PropName, beside?: Space, marked?: Counter, unmarked?: Counter }
---@return Space?
function the_space(filter) end

--- The length of the longest straight row without gaps of spaces that a faction controls, through a given space; 0 if the faction does not control that space. A row continues if the next space is next to the last one, at the same distance and in the same direction.
---@param space Space
---@param seat Faction
---@return integer
function row(space, seat) end

--- How much of a counter the current controller of a space really gained there, when it took the space or since then.
---@param space Space
---@param counter Counter
---@return integer
function gained(space, counter) end

--- The pieces that match all given fields.
---@param filter? { at?: Space, owner?: Faction, kind?: Kind, class?: string, occupying?: boolean, on?: "map"|"pool", near?: Space, steps?: number }
---@return Piece[]
function pieces(filter) end

--- The piece that matches all given fields: the first one in id order if there are several, nil if there is none.
---@param filter? { at?: Space, owner?: Faction, kind?: Kind, class?: string, occupying?: boolean, on?: "map"|"pool", near?: Space, steps?: number }
---@return Piece?
function the_piece(filter) end

--- How many pieces match. The fields are those of `pieces`.
---@param filter? { at?: Space, owner?: Faction, kind?: Kind, class?: string, occupying?: boolean, on?: "map"|"pool", near?: Space, steps?: number }
---@return integer
function count(filter) end

--- How many pieces match on each space, as a table from spaces to numbers. Spaces without such pieces are not in it. The fields are those of `pieces`.
---@param filter? { at?: Space, owner?: Faction, kind?: Kind, class?: string, occupying?: boolean, on?: "map"|"pool", near?: Space, steps?: number }
---@return table<Space, integer>
function tally(filter) end

--- The space on which a piece is, or nil in the pool.
---@param piece Piece
---@return Space?
function at(piece) end

--- The owner of a piece.
---@param piece Piece
---@return Faction?
function owner(piece) end

--- The kind of a piece.
---@param piece Piece
---@return Kind
function kindof(piece) end

--- A stat of a kind, or 0 if the kind does not have it.
---@param piece Piece|Kind
---@param name StatName
---@return integer
function stat(piece, name) end

--- Takes a piece from the pool and puts it on a space. Returns nil if the pool has none.
---@param kind Kind
---@param owner? Faction
---@param space Space
---@return Piece?
function place(kind, owner, space) end

--- Moves a piece to a space, from the map or the pool, without the rules of movement.
---@param piece Piece
---@param space Space
function move(piece, space) end

--- Puts a piece back into the pool.
---@param piece Piece
function remove(piece) end

--- Gives a piece to another faction, or to nobody with nil. The piece stays where it is. When it is removed, it goes to the pool of its new owner.
---@param piece Piece
---@param owner? Faction
function give(piece, owner) end

--- The factions with occupying pieces on a space.
---@param space Space
---@return Faction[]
function occupants(space) end

--- The cards of a zone, top first. If you pass props, only the cards with those values, as `prop` returns them. A zone of the game has no owner.
---@param zone Zone
---@param owner? Seat
---@param props? table<PropName, any>
---@return Card[]
function cards(zone, owner, props) end

--- How many cards a zone holds, or how many of them have the given props, as in `cards`.
---@param zone Zone
---@param owner? Seat
---@param props? table<PropName, any>
---@return integer
function size(zone, owner, props) end

--- The top card of a zone.
---@param zone Zone
---@param owner? Seat
---@return Card?
function top(zone, owner) end

--- Puts a card at the "bottom" or the "top" of a zone. Default: "bottom".
---@param card Card
---@param zone Zone
---@param owner? Seat
---@param where? "top"|"bottom"
function put(card, zone, owner, where) end

--- Moves the top card of one zone to the bottom of another. Returns nil if there is none.
---@param from Zone
---@param from_owner? Seat
---@param to Zone
---@param to_owner? Seat
---@return Card?
function draw(from, from_owner, to, to_owner) end

--- Shuffles the cards of a zone.
---@param zone Zone
---@param owner? Seat
function shuffle(zone, owner) end

--- The zone a card is in, and whose zone it is.
---@param card Card
---@return Zone
---@return Seat?
function zoneof(card) end

--- The design of a card. Copies share it.
---@param card Card
---@return Design
function designof(card) end

--- Shows a card to everyone.
---@param card Card
function reveal(card) end

--- A prop of an entity, or nil. Spaces also have `kind` and `home`, factions `group`, kinds and pieces `class`, pieces `kind` and `faction`, cards `type` and `faction`.
---@param entity Handle
---@param name PropName
---@return any?
function prop(entity, name) end

--- Whether an entity has a prop that is neither 0 nor missing.
---@param entity Handle
---@param name PropName
---@return boolean
function has(entity, name) end

--- The id of an entity as packs write it. For a card it is the design's id, for a piece the kind's.
---@param entity any
---@return string
function idof(entity) end

--- A param of a card or design: the number that its text shows.
---@param card Card|Design
---@param name ParamName
---@return integer
function param(card, name) end

--- The seats that are still in the game, in turn order.
---@return Seat[]
function seats() end

--- The other seats that are still in the game, in turn order.
---@param seat Faction
---@return Seat[]
function others(seat) end

--- Whether a faction is led by a player who is still in the game. False for nil.
---@param seat Faction|nil
---@return boolean
function playing(seat) end

--- Whether a player led the faction when the game began and is still in the game. False for nil.
---@param faction Faction|nil
---@return boolean
function led(faction) end

--- Sets the turn order. The list contains every seat in the game once.
---@param order Seat[]
function set_order(order) end

--- The seat whose turn it is, in phases that go from seat to seat.
---@return Seat?
function active() end

--- Sets whose turn it is. Pass nil if it is nobody's.
---@param seat? Seat
function set_active(seat) end

--- Takes a seat out of the game. Its pieces stay and belong to a faction without a seat. The script must deal with its cards.
---@param seat Seat
function eliminate(seat) end

--- Asks a seat for a decision. An option is a handle, a number, a keyword, or `{verb, a, b, c}`. Returns the chosen value, or verb, a, b, c. If a value after the verb is a list, each of its elements makes an option: `{ "build", kinds, lands }` is every kind on every land. Without options, returns nil. A single option is taken without asking unless `always = true`. With `pass = true` the seat may decline, which returns nil too. If the options depend on gold, hands or tracks, pass a function that returns them: it is called again if something else happens in the meantime.
---@param seat Seat
---@param decision DecisionName
---@param options any[]|fun():any[]
---@param about? { about?: any[], source?: any, always?: boolean, pass?: boolean }
---@return any?
---@return any?
---@return any?
---@return any?
function choose(seat, decision, options, about) end

--- Asks a seat for a yes-or-no decision.
---@param seat Seat
---@param decision DecisionName
---@param about? { about?: any[], source?: any, always?: boolean }
---@return boolean
function confirm(seat, decision, about) end

--- Passes a value through all live query hooks of a point and returns the result. A point without hooks costs nothing.
---@param point QueryPoint
---@param value number
---@param ... any
---@return integer
function query(point, value, ...) end

--- Runs all live effect hooks of a point, one after another. They may ask for decisions.
---@param point EffectPoint
---@param ... any
function trigger(point, ...) end

--- Runs the hook of a card, design or rule for an effect point, whether it is live or not. The seat acts as the owner. Returns false if the hook does not exist.
---@param card Handle
---@param point EffectPoint
---@param seat? Faction
---@param ... any
---@return boolean
function perform(card, point, seat, ...) end

--- Whether a card, design or rule has a hook for a point.
---@param card Handle
---@param point QueryPoint|EffectPoint
---@return boolean
function listens(card, point) end

--- The tiles of a zone that fit somewhere, one card of each design. If cards have counters, every card is listed.
---@param fields? { tile?: Card, zone?: Zone, owner?: Seat, space?: Space, rotation?: number, network?: string, root?: Space, seat?: Faction, avoid?: PropName, guards?: PropName }
---@return Card[]
function lay_tiles(fields) end

--- The cells on which a tile fits with some rotation.
---@param fields? { tile?: Card, zone?: Zone, owner?: Seat, space?: Space, rotation?: number, network?: string, root?: Space, seat?: Faction, avoid?: PropName, guards?: PropName }
---@return Space[]
function lay_spaces(fields) end

--- The rotations with which a tile fits on a cell. If several rotations look alike, only the first is listed.
---@param fields? { tile?: Card, zone?: Zone, owner?: Seat, space?: Space, rotation?: number, network?: string, root?: Space, seat?: Faction, avoid?: PropName, guards?: PropName }
---@return integer[]
function lay_rotations(fields) end

--- Why a tile may not be laid on a cell with a rotation: "occupied", "apart", "border", "edge", "network", "avoided", "guarded" or "veto". Nil if it may.
---@param fields? { tile?: Card, zone?: Zone, owner?: Seat, space?: Space, rotation?: number, network?: string, root?: Space, seat?: Faction, avoid?: PropName, guards?: PropName }
---@return string?
function lay_refusal(fields) end

--- Lays a tile on an empty cell, or moves it there, without checking whether it fits. Its card goes to a zone of laid tiles, by default to the first one that the procedure `tiles` names. To take a tile off the grid, `put` its card into another zone.
---@param card Card
---@param space Space
---@param rotation number
---@param zone? Zone
---@param owner? Seat
function lay(card, space, rotation, zone, owner) end

--- Joins all sides of each network on a laid tile, or sets them "apart" again as its `links` say. Default: "joined".
---@param space Space
---@param links? "joined"|"apart"
function join_links(space, links) end

--- The tile on a cell, or nil.
---@param space Space
---@return Card?
function laid(space) end

--- The rotation of the tile on a cell, in sides clockwise, or nil if the cell is empty.
---@param space Space
---@return integer?
function rotation_at(space) end

--- The cell of a laid tile, or nil. The tile's owner is the owner of its zone.
---@param card Card
---@return Space?
function laid_at(card) end

--- The edge of the tile on a cell at a side of the map, or nil if the cell is empty. Sides count clockwise from 0: from the north-east with hexagons, from the north with squares.
---@param space Space
---@param side number
---@return string?
function edge(space, side) end

--- The edge of a tile at a side as its card shows it, on the grid or not, or nil if the card is not a tile. With rotation k, side i of the card is at side i + k of the map.
---@param card Card
---@param side number
---@return string?
function edge_of(card, side) end

--- The cell beyond a side of a cell, or nil at the border of the grid.
---@param space Space
---@param side number
---@return Space?
function across(space, side) end

--- The cells that a network reaches from a cell over touching edges, including itself.
---@param fields? { root?: Space, network?: string, side?: number, owner?: Seat }
---@return Space[]
function reach(fields) end

--- The number of edges that `reach` finds with the same fields and that face an empty cell.
---@param fields? { root?: Space, network?: string, side?: number, owner?: Seat }
---@return integer
function open_ends(fields) end

--- All stretches of a network, each as a list of its cells. A cell is in several lists if the links of its tile keep them apart.
---@param fields? { network?: string, owner?: Seat }
---@return Space[][]
function components(fields) end

--- The groups of touching tiles with a prop, each as a list of cells.
---@param fields? { prop?: PropName, value?: any, owner?: Seat }
---@return Space[][]
function groups(fields) end

--- The areas of empty cells that have no path over empty cells to the border of the grid, each as a list of cells.
---@return Space[][]
function enclosed() end

--- Lets a seat move pieces by the movement procedure. Returns the spaces where moves `ended`, what `moved` (piece, from, to), and who controlled each of those spaces `before`, or false.
---@param order { mover: Seat, pieces: Piece[], limits?: table<Kind, number>, forbid?: Space[], source?: any }
---@return { ended: Space[], moved: { piece: Piece, from: Space, to: Space }[], before: table<Space, any> }
function move_units(order) end

--- Fights a battle by the battle procedure. Returns the side that won.
---@param order { space: Space, attacker: Faction, defender: Faction, mover?: Seat }
---@return Side
function battle_at(order) end

--- Whether there is a battle now.
---@return boolean
function battle.active() end

--- The space on which the battle is fought.
---@return Space
function battle.space() end

--- The faction whose pieces fight on a side.
---@param side Side
---@return Faction
function battle.faction(side) end

--- The seat that leads the faction of a side, or nil.
---@param side Side
---@return Seat?
function battle.player(side) end

--- The seat that moved the attacker, if it is not the attacker itself.
---@return Seat?
function battle.mover() end

--- The side on which a faction fights, or nil.
---@param seat Faction
---@return Side?
function battle.side(seat) end

--- The pieces with which a side entered the battle, in the order in which they take damage.
---@param side Side
---@return Piece[]
function battle.units(side) end

--- The pieces of a side that its damage does not fell.
---@param side Side
---@return Piece[]
function battle.standing(side) end

--- The pieces of a side that its damage fells.
---@param side Side
---@return Piece[]
function battle.toppled(side) end

--- Damage on the next piece to fall.
---@param side Side
---@return integer
function battle.wounds(side) end

--- The damage that a side takes, as of the last count.
---@param side Side
---@return integer
function battle.damage(side) end

--- Strength or shields of a side as of the last count, under the names of the battle procedure.
---@param side Side
---@param what string
---@return integer
function battle.total(side, what) end

--- Adds strength or shields to a side for this battle, from the next count on.
---@param side Side
---@param what string
---@param amount number
function battle.add(side, what, amount) end

--- The face that the die of a side shows, or nil before it is rolled.
---@param side Side
---@return string?
function battle.face(side) end

--- Turns the die of a side to a face.
---@param side Side
---@param face string
function battle.set_face(side, face) end

--- Rolls the die of a side again.
---@param side Side
function battle.reroll(side) end

--- Turns the die of a side to the opposite face.
---@param side Side
function battle.flip(side) end

--- A value of the face that the die of a side shows, or 0 before it is rolled.
---@param side Side
---@param what string
---@return integer
function battle.face_value(side, what) end

--- Computes strengths, shields and damage of both sides from scratch.
function battle.count() end

--- The side that won, or nil before that is known.
---@return Side?
function battle.winner() end

--- Rolls a die: 1 to `sides`.
---@param sides number
---@return integer
function roll(sides) end

--- Logs the message `log.<key>` with up to four values. A player who may not know a card reads "a card" instead of its name.
---@param key MessageKey
---@param ... any
function log(key, ...) end

--- Ends the game: the seat wins. Only the first call counts.
---@param seat Seat
---@param cause OutcomeKey
function win(seat, cause) end

--- Ends the game without a winner.
---@param cause OutcomeKey
function draw_game(cause) end

--- Whether the game has ended.
---@return boolean
function over() end

--- A sorted copy of a list: numbers and handles first, then keywords. For another order, pass a function that says whether its first argument comes before its second.
---@param list any[]
---@param before? function
---@return any[]
function sorted(list, before) end

--- Whether a list holds a value.
---@param list any[]
---@param value any
---@return boolean
function contains(list, value) end

--- The elements of a list for which a function returns true, in order.
---@param list any[]
---@param keep function
---@return any[]
function filter(list, keep) end

-- What Luau has beyond Lua 5.1.

---@param x number
---@param least number
---@param most number
---@return number
function math.clamp(x, least, most) end

---@param x number
---@return number
function math.round(x) end

---@param x number
---@return number
function math.sign(x) end

---@param text string
---@param separator? string
---@return string[]
function string.split(text, separator) end

---@param list any[]
---@param value any
---@param from? number
---@return number?
function table.find(list, value, from) end

---@param ... any
---@return table
function table.pack(...) end

---@param list any[]
---@param from? number
---@param to? number
---@return any
---@return any
---@return any
---@return any
function table.unpack(list, from, to) end
