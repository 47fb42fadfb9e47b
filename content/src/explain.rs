//! The long explanation of every diagnostic code.

pub use crate::diagnostic::Severity;

/// What a code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The code.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// Why it matters and what to do.
    pub text: &'static str,
    /// An example that is wrong; empty where none helps.
    pub broken: &'static str,
    /// The example as it should be.
    pub mended: &'static str,
}

impl Explanation {
    /// The explanation as plain text.
    pub fn print(&self) -> String {
        let mut text = format!("{} ({}): {}\n\n{}\n", self.code, self.severity.name(), self.title, self.text);
        let indent = |example: &str| example.lines().map(|line| format!("    {line}\n")).collect::<String>();
        if !self.broken.is_empty() {
            text.push_str(&format!("\nWrong:\n\n{}\nRight:\n\n{}", indent(self.broken), indent(self.mended)));
        }
        text
    }
}

impl Explanation {
    /// The explanation as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("**{}** ({}): {}\n\n{}\n", self.code, self.severity.name(), self.title, self.text);
        if !self.broken.is_empty() {
            text.push_str(&format!("\nWrong:\n\n```\n{}\n```\n\nRight:\n\n```\n{}\n```\n", self.broken, self.mended));
        }
        text
    }
}

/// The explanation of a code, in any case: `p0202` is `P0202`.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    EXPLANATIONS.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

const fn entry(
    code: &'static str,
    severity: Severity,
    title: &'static str,
    text: &'static str,
    broken: &'static str,
    mended: &'static str,
) -> Explanation {
    Explanation { code, severity, title, text, broken, mended }
}

use Severity::{Error, Warning};

/// All codes in order. A code keeps its meaning for ever; new meanings get new codes.
pub const EXPLANATIONS: &[Explanation] = &[
    entry(
        "P0001",
        Error,
        "a file or folder cannot be read",
        "The system refused to hand the file over, or the file is a link, is no ordinary file, or is longer than 16 MiB. Packs are read file by file; links are never followed, because they could lead out of the pack.",
        r#"pins.json -> ../../my-pins.json"#,
        r#"pins.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2 } ] }"#,
    ),
    entry(
        "P0002",
        Error,
        "a file has a name that not every system can store",
        "Names consist of letters, digits, `.`, `_`, `-` and `@`, do not begin or end with a dot, are not the name of a Windows device, and differ from each other in more than upper and lower case.",
        r#"pins/Two Powers.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2 } ] }"#,
        r#"pins/two-powers.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2 } ] }"#,
    ),
    entry(
        "P0003",
        Error,
        "a file is not UTF-8",
        "All files of a pack are UTF-8. Old editors and spreadsheets may save in another encoding.",
        r#"locale/en/words.json
{ "messages": { "word.coins": "z<B3>oty" } }"#,
        r#"locale/en/words.json
{ "messages": { "word.coins": "złoty" } }"#,
    ),
    entry(
        "P0004",
        Warning,
        "a file begins with a byte order mark",
        "Some editors put three invisible bytes in front of a text. They are ignored here, but other programs stumble over them.",
        r#"pins.json
<EF BB BF>{ "pins": [] }"#,
        r#"pins.json
{ "pins": [] }"#,
    ),
    entry(
        "P0005",
        Error,
        "a file is not valid JSON",
        "Content is strict JSON: keys and texts in double quotes, commas between items and none after the last, no comments (write `notes` instead).",
        r#"pins.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2, } ] }"#,
        r#"pins.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2 } ] }"#,
    ),
    entry(
        "P0006",
        Error,
        "a key stands twice in an object",
        "Only one of the two could count, and which one is chance.",
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 5, "max": 6 } ] }"#,
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 6 } ] }"#,
    ),
    entry(
        "P0007",
        Error,
        "a text has a hidden character",
        "Control characters command terminals, and some characters turn the direction in which a line is read, so that a text looks like another. Neither belongs into a pack; a line break is `\\n`.",
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 6, "notes": "Coins\u001b[2J" } ] }"#,
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 6, "notes": "Coins" } ] }"#,
    ),
    entry(
        "P0010",
        Error,
        "a pack has no pack.json",
        "The manifest in the outermost folder says what the pack is. `principes new NAME` writes a whole pack to begin with.",
        r#"(no pack.json)"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
    ),
    entry(
        "P0011",
        Error,
        "a file has not exactly one family key",
        "A content file is an object with one family key (`cards`, `spaces`, …) and perhaps `$schema`. Folders decide nothing.",
        r#"pins.json
{ "pin": [] }"#,
        r#"pins.json
{ "pins": [] }"#,
    ),
    entry(
        "P0012",
        Error,
        "messages lie outside a language's folder",
        "The folder says the language: `locale/en/…`, `locale/pl/…`.",
        r#"texts.json
{ "messages": { "word.coins": "coins" } }"#,
        r#"locale/en/texts.json
{ "messages": { "word.coins": "coins" } }"#,
    ),
    entry(
        "P0013",
        Error,
        "a packed pack is refused",
        "Packed packs are zip files, and since they come from strangers the rules are strict: plain files only, no links, no passwords; names as in folders, no two that differ only in case; at most 20,000 files, 16 MiB each, 128 MiB together and 64 MiB packed; nothing that unpacks to more than 200 times its size; directory and entries agree. `principes pack` writes such files.",
        "../../.bashrc in my-cards-0.1.0.zip",
        "principes pack mods/my-cards",
    ),
    entry(
        "P0101",
        Error,
        "a value has the wrong type",
        "The field wants another type of value. Numbers are whole and stand without quotes.",
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": "66" } ] }"#,
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 66 } ] }"#,
    ),
    entry(
        "P0102",
        Error,
        "a field is unknown",
        "Unknown fields are refused, so that a typing error does not silently do nothing. Free-form values go into `props`, remarks into `notes`.",
        r#"kinds.json
{ "kinds": [ { "id": "knight", "class": "cavalry", "ocupies": true } ] }"#,
        r#"kinds.json
{ "kinds": [ { "id": "knight", "class": "cavalry", "occupies": true } ] }"#,
    ),
    entry(
        "P0103",
        Error,
        "a field is missing",
        "The field has no sensible value of its own, so it must be written.",
        r#"zones.json
{ "zones": [ { "id": "deck", "scope": "game" }, { "id": "hand" } ] }"#,
        r#"zones.json
{ "zones": [ { "id": "deck", "scope": "game" }, { "id": "hand", "scope": "faction" } ] }"#,
    ),
    entry(
        "P0104",
        Error,
        "a value is not one of those allowed",
        "The field allows only a few words.",
        r#"zones.json
{ "zones": [ { "id": "deck", "scope": "game" }, { "id": "hand", "scope": "player" } ] }"#,
        r#"zones.json
{ "zones": [ { "id": "deck", "scope": "game" }, { "id": "hand", "scope": "faction" } ] }"#,
    ),
    entry(
        "P0105",
        Error,
        "a number lies outside its bounds",
        "The number is too small or too large for what it says.",
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck", "copies": 0,
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck", "copies": 1,
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
    ),
    entry(
        "P0106",
        Error,
        "a text is not written as it must be",
        "Ids are lower-case letters, digits and `-`, with `.` between parts. Functions are `module.function`. Texts that must say something are not empty.",
        r#"pins.json
{ "pins": [ { "id": "Two Powers", "of": "factions", "count": 2 } ] }"#,
        r#"pins.json
{ "pins": [ { "id": "two-powers", "of": "factions", "count": 2 } ] }"#,
    ),
    entry(
        "P0107",
        Error,
        "a list has too few or too many items",
        "The list or object needs at least, or allows at most, so many items.",
        r#"pins.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2, "provenance": {} } ] }"#,
        r#"pins.json
{ "pins": [ { "id": "powers", "of": "factions", "count": 2, "provenance": { "rulebook": "p. 5" } } ] }"#,
    ),
    entry(
        "P0108",
        Error,
        "not exactly one of several fields",
        "Of the fields named, one must be there and the others not.",
        r#"phases.json
{ "phases": [
    { "id": "play", "run": "main.play", "each": "main.play" },
    { "id": "stop", "run": "peace.stop" }
] }"#,
        r#"phases.json
{ "phases": [
    { "id": "play", "run": "main.play" },
    { "id": "stop", "run": "peace.stop" }
] }"#,
    ),
    entry(
        "P0109",
        Error,
        "a value does not fit its schema",
        "The value breaks a rule of its schema for which there is no better message.",
        "",
        "",
    ),
    entry(
        "P0201",
        Error,
        "an id is declared twice",
        "Ids are unique in their family, over all packs that are loaded. To change an entity of an earlier pack, write a file of `patches`. The phases of a game stand in one file.",
        r#"pins.json
{ "pins": [
    { "id": "powers", "of": "factions", "count": 2 },
    { "id": "powers", "of": "spaces", "count": 2 }
] }"#,
        r#"pins.json
{ "pins": [
    { "id": "powers", "of": "factions", "count": 2 },
    { "id": "lands", "of": "spaces", "count": 2 }
] }"#,
    ),
    entry(
        "P0202",
        Error,
        "a reference leads nowhere",
        "No loaded pack declares an entity with this id in the family that the field points into.",
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "dekc",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
    ),
    entry(
        "P0203",
        Error,
        "a pack is for another version of the program",
        "`format` is the version of the content formats, `api` that of the script interface.",
        r#"pack.json
{
  "format": 2,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
    ),
    entry(
        "P0204",
        Error,
        "a required pack is not found",
        "Required packs are looked for beside the given ones, in `content/`, in `mods/`, in the folders of PRINCIPES_PATH, and among the packs inside the program.",
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "requires": { "my-gaem": "*" },
  "seats": { "min": 1, "max": 2 }
}"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
    ),
    entry(
        "P0205",
        Error,
        "a required pack has an unsuitable version",
        "The loaded version lies outside the range. Note that `^1` does not include `1.3.0-beta.1`.",
        r#"more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "^2.0" }
}"#,
        r#"more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "^0.1" }
}"#,
    ),
    entry(
        "P0206",
        Error,
        "two packs cannot be loaded together",
        "One of them names the other in `conflicts`.",
        r#"more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "*" },
  "conflicts": { "toy": "<1.0" }
}"#,
        r#"more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "*" }
}"#,
    ),
    entry(
        "P0207",
        Error,
        "packs require each other in a circle",
        "Each pack is loaded after those that it names in `requires` and `optional`; in a circle none can be the first.",
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "requires": { "more": "*" },
  "seats": { "min": 1, "max": 2 }
}

more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "*" }
}"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}

more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "*" }
}"#,
    ),
    entry(
        "P0208",
        Error,
        "there is not exactly one game",
        "Exactly one game is played. An extension names its game in `requires`; where several games are loaded, `--game` chooses.",
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "extension"
}"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
    ),
    entry(
        "P0209",
        Error,
        "a patch has nothing to change",
        "A patch changes an entity of a pack that this one names in `requires` or `optional`, directly or through others. The entity, and a field that is taken away, must be there. Its own entities a pack edits directly.",
        r#"more/patches.json
{ "patches": [ { "of": "cards", "id": "lukc", "set": { "copies": 3 } } ] }"#,
        r#"more/patches.json
{ "patches": [ { "of": "cards", "id": "luck", "set": { "copies": 3 } } ] }"#,
    ),
    entry(
        "P0210",
        Error,
        "two packs change the same field",
        "Neither pack names the other in `requires` or `optional`, so nothing but their ids would decide which value counts. All writers are shown. Equal values do not conflict. A third pack that requires both may decide it by writing the field itself.",
        r#"more/patches.json
{ "patches": [ { "of": "cards", "id": "luck", "set": { "copies": 3 } } ] }

other/patches.json
{ "patches": [ { "of": "cards", "id": "luck", "set": { "copies": 4 } } ] }"#,
        r#"more/patches.json
{ "patches": [ { "of": "cards", "id": "luck", "set": { "copies": 3 } } ] }

other/patches.json
{ "patches": [ { "of": "cards", "id": "luck", "set": { "copies": 4 } } ] }

other/pack.json
{
  "format": 1,
  "api": 1,
  "id": "other",
  "version": "0.1.0",
  "title": "Other",
  "kind": "extension",
  "requires": { "toy": "*", "more": "*" }
}"#,
    ),
    entry(
        "P0211",
        Error,
        "a version or range is not written as it must be",
        "Versions are `major.minor.patch`; ranges are `^1.2`, `>=1.0, <2.0` or `*`.",
        r#"more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "latest" }
}"#,
        r#"more/pack.json
{
  "format": 1,
  "api": 1,
  "id": "more",
  "version": "0.1.0",
  "title": "More",
  "kind": "extension",
  "requires": { "toy": "*" }
}"#,
    ),
    entry(
        "P0212",
        Warning,
        "a patch changes nothing",
        "The entity has this value already, perhaps since its pack was brought up to date. A patch that does nothing hides what a pack is about.",
        r#"more/patches.json
{ "patches": [ { "of": "kinds", "id": "knight", "set": { "class": "cavalry" } } ] }"#,
        r#"more/patches.json
{ "patches": [ { "of": "kinds", "id": "knight", "set": { "class": "guard" } } ] }"#,
    ),
    entry(
        "P0213",
        Error,
        "a pack changes the same field twice",
        "Two patches of one pack write the same field of an entity, or one writes into what the other replaces or removes. Only the later one could count.",
        r#"more/patches.json
{ "patches": [
    { "of": "cards", "id": "luck", "set": { "copies": 3 } },
    { "of": "cards", "id": "luck", "set": { "copies": 4 } }
] }"#,
        r#"more/patches.json
{ "patches": [
    { "of": "cards", "id": "luck", "set": { "copies": 4 } }
] }"#,
    ),
    entry(
        "P0301",
        Error,
        "a script module does not exist",
        "The module of `cards/events.play` is the file scripts/cards/events.lua.",
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck",
    "params": { "gold": 2 }, "hooks": { "card.play": "mian.luck" } } ] }"#,
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
    ),
    entry(
        "P0302",
        Error,
        "a script function does not exist",
        "The module is there, but the table it returns has no such function.",
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.lukc" } } ] }"#,
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
    ),
    entry(
        "P0303",
        Error,
        "two packs have a script module of the same name",
        "Modules share one name space. A folder named after the pack keeps them apart.",
        r#"more/scripts/main.lua
local M = {}
return M"#,
        r#"more/scripts/more/cards.lua
local M = {}
return M"#,
    ),
    entry(
        "P0304",
        Error,
        "a script cannot be loaded",
        "The text is not Lua 5.1, or the file fails while it is loaded.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0305",
        Error,
        "a constant in a script names nothing",
        "`space.x`, `kind.x`, `counter.x`, `zone.x`, `faction.x`, `design.x` name entities; `-` and `.` of ids are written `_`.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.glod, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0306",
        Error,
        "a script names a decision or hook point that does not exist",
        "`choose` and `confirm` name a declared decision; `query`, `trigger`, `perform` and `listens` name a declared hook point.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  if choose(seat, "paye", { "coins", "goods" }) == "coins" then
    add(counter.gold, self.gold, seat)
  end
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  if choose(seat, "pay", { "coins", "goods" }) == "coins" then
    add(counter.gold, self.gold, seat)
  end
end

return M"#,
    ),
    entry(
        "P0307",
        Error,
        "a script says something for which there is no message",
        r#"`log("key")` needs the message `log.key`; `win` and `draw_game` need `outcome.<cause>`."#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  log("luck", seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  log("luck", seat)
  add(counter.gold, self.gold, seat)
end

return M

locale/en/log.json
{ "messages": { "log.luck": "{1} has luck." } }"#,
    ),
    entry(
        "P0308",
        Error,
        "a script ran out of steps or memory",
        "Every call has a budget that is the same on every machine. A loop that never ends is the usual reason.",
        r#"scripts/main.lua
local M = {}

local n = 0
while n >= 0 do
  n = n + 1
end

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0309",
        Error,
        "a script did what it may not do where it runs",
        "Query hooks only change a number: they neither change the table nor ask.",
        r#"points.json
{ "points": [
    { "id": "card.play", "kind": "effect", "doc": "A card is played.", "args": ["seat"] },
    { "id": "tax.income", "kind": "query", "doc": "What a seat earns.", "args": ["seat"], "value": "gold" }
] }

rules.json
{ "rules": [ { "id": "rich", "hooks": { "tax.income": "tax.rich" } } ] }

scripts/main.lua
local M = {}

function M.play()
  query("tax.income", 1, faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

scripts/tax.lua
local M = {}

function M.rich(self, value, owner, seat)
  pcall(add, counter.gold, 1, seat)
  return value + 1
end

return M"#,
        r#"points.json
{ "points": [
    { "id": "card.play", "kind": "effect", "doc": "A card is played.", "args": ["seat"] },
    { "id": "tax.income", "kind": "query", "doc": "What a seat earns.", "args": ["seat"], "value": "gold" }
] }

rules.json
{ "rules": [ { "id": "rich", "hooks": { "tax.income": "tax.rich" } } ] }

scripts/main.lua
local M = {}

function M.play()
  query("tax.income", 1, faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

scripts/tax.lua
local M = {}

function M.rich(self, value, owner, seat)
  return value + 1
end

return M"#,
    ),
    entry(
        "P0310",
        Error,
        "a script uses a name that does not exist",
        "A name is a local variable, a function of the script API, a part of Lua's library that scripts have, or something that the module behind it returns. `principes api` lists the API.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  ad(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0311",
        Error,
        "a call has too few or too many arguments",
        "What a function needs must be given; `nil` may be given by name. Counters and zones that belong to somebody need their owner, messages and prompts as many values as their texts show, and hook points what they declare. Functions of scripts need all their parameters; a comment `---@param name? type` above a function says that one may be left out. Hooks must not wait for more than their point hands over.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0312",
        Error,
        "a value has the wrong type",
        "Handles are not numbers and not each other: a space is no seat, and a kind of piece no piece. Types are followed through variables, tables, functions and modules; what cannot be known is not complained of. A function that needs a type further on needs it from its callers: where it takes several on purpose, say so above it, as in `---@param entity Space|Card`.",
        r#"scripts/main.lua
local M = {}

function M.play()
  local here = spaces{ empty = true }[1]
  add(counter.gold, 1, here)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
  local here = spaces{ empty = true }[1]
  add(counter.gold, 1, controller(here) or faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0313",
        Error,
        "a script reads or gives a field that is not there",
        "`self` has the params of the entity, and `id`, `card` and `owner`. Every entity that names the hook must have the param, unless the hook looks whether it is there (`self.gold or 0`). Tables of options have the fields that the reference lists. Other tables have the fields that some script writes.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gld, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0314",
        Error,
        "a query hook or a list of options can end without a value",
        "A query hook returns a number on every path: the given one where it changes nothing. A function that lists options returns a list, an empty one where there are none.",
        r#"points.json
{ "points": [
    { "id": "card.play", "kind": "effect", "doc": "A card is played.", "args": ["seat"] },
    { "id": "tax.income", "kind": "query", "doc": "What a seat earns.", "args": ["seat"], "value": "gold" }
] }

rules.json
{ "rules": [ { "id": "rich", "params": { "gold": 1 }, "hooks": { "tax.income": "tax.rich" } } ] }

scripts/main.lua
local M = {}

function M.play()
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

scripts/tax.lua
local M = {}

function M.rich(self, value, owner, seat)
  if seat == faction.red then
    return value + self.gold
  end
end

return M"#,
        r#"points.json
{ "points": [
    { "id": "card.play", "kind": "effect", "doc": "A card is played.", "args": ["seat"] },
    { "id": "tax.income", "kind": "query", "doc": "What a seat earns.", "args": ["seat"], "value": "gold" }
] }

rules.json
{ "rules": [ { "id": "rich", "params": { "gold": 1 }, "hooks": { "tax.income": "tax.rich" } } ] }

scripts/main.lua
local M = {}

function M.play()
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

scripts/tax.lua
local M = {}

function M.rich(self, value, owner, seat)
  if seat == faction.red then
    return value + self.gold
  end
  return value
end

return M"#,
    ),
    entry(
        "P0315",
        Warning,
        "nothing leads to a function",
        "No content names the function as a hook, no scenario calls it, and no function that is used uses it. Often a hook that was written but never bound.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

function M.reward(self, seat)
  add(counter.gold, 1, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0316",
        Error,
        "a script writes what is read-only",
        "There are no global variables, and the names of the API and `self` cannot be changed. A variable is declared with `local`.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  bonus = self.gold + 1
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  local bonus = self.gold + 1
  add(counter.gold, bonus, seat)
end

return M"#,
    ),
    entry(
        "P0317",
        Error,
        "a query hook or a list of options changes the game or asks",
        "Both are called whenever somebody wants to know, for displays and bots too, and may only look. Functions that they call may only look as well.",
        r#"points.json
{ "points": [
    { "id": "card.play", "kind": "effect", "doc": "A card is played.", "args": ["seat"] },
    { "id": "tax.income", "kind": "query", "doc": "What a seat earns.", "args": ["seat"], "value": "gold" }
] }

rules.json
{ "rules": [ { "id": "rich", "params": { "gold": 1 }, "hooks": { "tax.income": "tax.rich" } } ] }

scripts/main.lua
local M = {}

function M.play()
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

scripts/tax.lua
local M = {}

function M.rich(self, value, owner, seat)
  set_active(seat)
  return value + self.gold
end

return M"#,
        r#"points.json
{ "points": [
    { "id": "card.play", "kind": "effect", "doc": "A card is played.", "args": ["seat"] },
    { "id": "tax.income", "kind": "query", "doc": "What a seat earns.", "args": ["seat"], "value": "gold" }
] }

rules.json
{ "rules": [ { "id": "rich", "params": { "gold": 1 }, "hooks": { "tax.income": "tax.rich" } } ] }

scripts/main.lua
local M = {}

function M.play()
  add(counter.gold, query("tax.income", 1, faction.red), faction.red)
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

scripts/tax.lua
local M = {}

function M.rich(self, value, owner, seat)
  return value + self.gold
end

return M"#,
    ),
    entry(
        "P0318",
        Error,
        "a text in a script is no name that the packs know",
        "Names of properties, stats, params and faces, and keywords stand in scripts as texts. A text that is compared with must be able to occur.",
        r#"scripts/main.lua
local M = {}

function M.play()
  if prop(space.ford, "knid") == "land" then
    set_active(faction.red)
  end
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
  if prop(space.ford, "kind") == "land" then
    set_active(faction.red)
  end
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0319",
        Error,
        "a function leaves something in a variable of its file",
        "Scripts are run again when a game is loaded or taken back, so whatever must last lies in counters, zones and pieces. Variables of a file are set once, while it is loaded.",
        r#"scripts/main.lua
local M = {}

local played = 0

function M.play()
end

function M.luck(self, seat)
  played = self.gold
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  local played = self.gold
  add(counter.gold, played, seat)
end

return M"#,
    ),
    entry(
        "P0320",
        Warning,
        "an argument is left out that is not marked as optional",
        "The function looks whether the parameter is nil, so leaving it out is probably meant. Say so in a comment above the function; then editors know it too, and a forgotten argument is not mistaken for a wish.",
        r#"scripts/main.lua
local M = {}

local function turn(seat)
  set_active(seat or faction.red)
end

function M.play()
  turn()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scripts/main.lua
local M = {}

---@param seat? Seat
local function turn(seat)
  set_active(seat or faction.red)
end

function M.play()
  turn()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
    ),
    entry(
        "P0401",
        Error,
        "a border has only one side",
        "`adjacent` works both ways, so both spaces list each other. One-way connections are `exits`.",
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": [] }
] }"#,
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }"#,
    ),
    entry(
        "P0402",
        Error,
        "a neighbour is listed twice, or is the space itself",
        "Each neighbour stands once in the list.",
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor", "moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }"#,
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }"#,
    ),
    entry(
        "P0403",
        Warning,
        "a part of the board cannot be reached",
        "No `adjacent` and no `exits` join the space with the rest of the board.",
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] },
    { "id": "isle", "kind": "land", "at": [2, 0], "adjacent": [] }
] }

locale/en/isle.json
{ "messages": { "space.isle": "Isle" } }"#,
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford", "isle"] },
    { "id": "isle", "kind": "land", "at": [2, 0], "adjacent": ["moor"] }
] }

locale/en/isle.json
{ "messages": { "space.isle": "Isle" } }"#,
    ),
    entry(
        "P0404",
        Error,
        "the start needs more than the box has",
        "All pieces placed at the start come from `supply` of their kind; pieces for led and for unled factions are never on the table together. The same holds for counters with a supply.",
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"],
      "pieces": [ { "kind": "knight", "faction": "red", "count": 3 } ] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }"#,
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"],
      "pieces": [ { "kind": "knight", "faction": "red", "count": 2 } ] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }"#,
    ),
    entry(
        "P0405",
        Error,
        "a derived counter would add up a negative number",
        "Points for control are given and taken away; a negative amount would turn that round.",
        r#"counters.json
{ "counters": [
    { "id": "gold", "scope": "faction" },
    { "id": "might", "scope": "faction", "derived": { "space": "might" } }
] }

spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"], "props": { "might": -1 } },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"], "props": { "might": 1 } }
] }

locale/en/might.json
{ "messages": { "counter.might": "Might" } }"#,
        r#"counters.json
{ "counters": [
    { "id": "gold", "scope": "faction" },
    { "id": "might", "scope": "faction", "derived": { "space": "might" } }
] }

spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"], "props": { "might": 0 } },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"], "props": { "might": 1 } }
] }

locale/en/might.json
{ "messages": { "counter.might": "Might" } }"#,
    ),
    entry(
        "P0406",
        Error,
        "control cannot give points on this counter",
        "`on_control` needs a counter of scope `faction` that keeps a number and is not derived.",
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction" }, { "id": "round" } ] }

spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"],
      "on_control": [ { "counter": "round", "amount": 1 } ] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }

locale/en/round.json
{ "messages": { "counter.round": "Round" } }"#,
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction" }, { "id": "round" } ] }

spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"],
      "on_control": [ { "counter": "gold", "amount": 1 } ] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }

locale/en/round.json
{ "messages": { "counter.round": "Round" } }"#,
    ),
    entry(
        "P0407",
        Error,
        "the fields of a counter contradict each other",
        "For example a start outside the bounds, a setup option for each faction, or a computed counter with a start.",
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 10, "start": 12 } ] }"#,
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction", "max": 10, "start": 4 } ] }"#,
    ),
    entry(
        "P0408",
        Error,
        "a card starts in a zone that it cannot have",
        "A zone of scope `faction` exists once for each playable faction, so the card must say whose.",
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "hand",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck",
    "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } } ] }"#,
    ),
    entry(
        "P0409",
        Error,
        "a game has no phases",
        "Phases are what happens in a game; without any it would end before it begins.",
        r#"phases.json
{ "phases": [] }"#,
        r#"phases.json
{ "phases": [ { "id": "play", "run": "main.play" }, { "id": "stop", "run": "peace.stop" } ] }"#,
    ),
    entry(
        "P0410",
        Error,
        "numbers of seats do not fit",
        "`min` is at most `max`, and a game has at least `max` playable factions.",
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 2, "max": 1 }
}"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
    ),
    entry(
        "P0411",
        Error,
        "a loop of phases or a procedure has an unsuitable counter, or a loop nothing to repeat",
        "`repeat` goes with `phases`, and its counters are numbers of the game; `fog` needs a counter of spaces.",
        r#"phases.json
{ "phases": [
    { "id": "rounds", "repeat": "gold", "phases": [ { "id": "play", "run": "main.play" } ] },
    { "id": "stop", "run": "peace.stop" }
] }

locale/en/rounds.json
{ "messages": { "phase.rounds": "Rounds" } }"#,
        r#"phases.json
{ "phases": [
    { "id": "rounds", "repeat": 6, "phases": [ { "id": "play", "run": "main.play" } ] },
    { "id": "stop", "run": "peace.stop" }
] }

locale/en/rounds.json
{ "messages": { "phase.rounds": "Rounds" } }"#,
    ),
    entry(
        "P0412",
        Error,
        "there are too many entities",
        "Ids are small numbers inside the program: 255 factions and 65,535 of everything else.",
        "",
        "",
    ),
    entry(
        "P0413",
        Error,
        "the battle procedure is not complete",
        "Faces and steps have ids of their own, `opposite` names a face, and the steps resolve the battle exactly once.",
        r#"procedures.json
{ "procedures": [ { "id": "battle", "strength": "might", "toughness": "armour", "rank": "rank",
    "fortify": "walls", "tie": "defender",
    "faces": [ { "id": "sword", "opposite": "sheild" }, { "id": "shield", "opposite": "sword" } ],
    "steps": [ { "id": "dice", "do": "roll" }, { "id": "end", "do": "resolve" } ] } ] }"#,
        r#"procedures.json
{ "procedures": [ { "id": "battle", "strength": "might", "toughness": "armour", "rank": "rank",
    "fortify": "walls", "tie": "defender",
    "faces": [ { "id": "sword", "opposite": "shield" }, { "id": "shield", "opposite": "sword" } ],
    "steps": [ { "id": "dice", "do": "roll" }, { "id": "end", "do": "resolve" } ] } ] }"#,
    ),
    entry(
        "P0414",
        Error,
        "a variant sets what is no option, or sets it out of bounds",
        "Only counters with `option` can be set by variants.",
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction" }, { "id": "hands" } ] }

variants.json
{ "variants": [ { "id": "rich", "options": { "hands": 5 } } ] }

locale/en/rich.json
{ "messages": { "counter.hands": "Hands", "variant.rich": "Rich" } }"#,
        r#"counters.json
{ "counters": [ { "id": "gold", "scope": "faction" }, { "id": "hands", "option": true } ] }

variants.json
{ "variants": [ { "id": "rich", "options": { "hands": 5 } } ] }

locale/en/rich.json
{ "messages": { "counter.hands": "Hands", "variant.rich": "Rich" } }"#,
    ),
    entry(
        "P0415",
        Warning,
        "two spaces lie at the same place",
        "A map that is drawn shows only one of them. `at` says where the middle of a space is drawn.",
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [0, 0], "adjacent": ["ford"] }
] }"#,
        r#"spaces.json
{ "spaces": [
    { "id": "ford", "kind": "land", "at": [0, 0], "adjacent": ["moor"] },
    { "id": "moor", "kind": "land", "at": [1, 0], "adjacent": ["ford"] }
] }"#,
    ),
    entry(
        "P0416",
        Warning,
        "nothing makes use of a card",
        "The card has no hooks, and no script speaks of it, of its type, its zone or its properties, so it never does anything.",
        r#"cards.json
{ "cards": [
    { "id": "luck", "type": "event", "zone": "deck",
      "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } },
    { "id": "fate", "type": "omen", "zone": "omens" }
] }

zones.json
{ "zones": [
    { "id": "deck", "scope": "game" },
    { "id": "hand", "scope": "faction" },
    { "id": "omens", "scope": "game" }
] }

locale/en/fate.json
{ "messages": { "card.fate.title": "Fate", "card.fate.text": "Nothing happens.",
    "type.omen": "Omen", "zone.omens": "Omens" } }"#,
        r#"cards.json
{ "cards": [
    { "id": "luck", "type": "event", "zone": "deck",
      "params": { "gold": 2 }, "hooks": { "card.play": "main.luck" } },
    { "id": "fate", "type": "omen", "zone": "omens",
      "hooks": { "card.play": "main.play" } }
] }

zones.json
{ "zones": [
    { "id": "deck", "scope": "game" },
    { "id": "hand", "scope": "faction" },
    { "id": "omens", "scope": "game" }
] }

locale/en/fate.json
{ "messages": { "card.fate.title": "Fate", "card.fate.text": "Nothing happens.",
    "type.omen": "Omen", "zone.omens": "Omens" } }"#,
    ),
    entry(
        "P0501",
        Error,
        "a pinned number is wrong",
        "A pin states a count or sum that must be right, so that a broken edit is found here and not in a game. It counts what its own pack and those that one requires declare, patches of all packs included; what other packs add is not counted.",
        r#"pins.json
{ "pins": [ { "id": "lands", "of": "spaces", "count": 3 } ] }"#,
        r#"pins.json
{ "pins": [ { "id": "lands", "of": "spaces", "count": 2 } ] }"#,
    ),
    entry(
        "P0601",
        Warning,
        "messages are missing",
        "Players would see an id instead of a name or sentence.",
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }"#,
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich" } }"#,
    ),
    entry(
        "P0602",
        Warning,
        "a message belongs to nothing",
        "Its key names an entity that does not exist, or begins with a word that nothing looks up.",
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich", "card.fate.title": "Fate" } }"#,
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich" } }"#,
    ),
    entry(
        "P0603",
        Error,
        "nothing gives a placeholder a value",
        "Card and rule texts read `params` and `props`; decisions, options and log lines read {1}, {2}, {3}; names read nothing.",
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": { "rule.tax.title": "Tax", "rule.tax.text": "Pay {glod} gold." } }"#,
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": { "rule.tax.title": "Tax", "rule.tax.text": "Pay {gold} gold." } }"#,
    ),
    entry(
        "P0604",
        Warning,
        "plural forms do not fit the language",
        "English has `one` and `other`; Polish has `one`, `few` and `many`.",
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": {
    "rule.tax.title": "Tax",
    "rule.tax.text": { "by": "gold", "one": "Pay a coin.", "few": "Pay a few.", "other": "Pay {gold} coins." }
} }"#,
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": {
    "rule.tax.title": "Tax",
    "rule.tax.text": { "by": "gold", "one": "Pay a coin.", "other": "Pay {gold} coins." }
} }"#,
    ),
    entry(
        "P0605",
        Error,
        "a message stands twice in a pack",
        "Only one could be shown.",
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich" } }

locale/en/names.json
{ "messages": { "variant.rich": "Rich" } }"#,
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich" } }"#,
    ),
    entry(
        "P0606",
        Error,
        "braces in a message are wrong",
        "`{name}` is a placeholder; a brace itself is written twice.",
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich} and merry" } }"#,
        r#"variants.json
{ "variants": [ { "id": "rich" } ] }

locale/en/rich.json
{ "messages": { "variant.rich": "Rich and merry" } }"#,
    ),
    entry(
        "P0607",
        Warning,
        "a translation has other placeholders than the English text",
        "It leaves a value out or speaks of one that the original does not have.",
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": { "rule.tax.title": "Tax", "rule.tax.text": "Pay {gold} gold." } }

locale/pl/tax.json
{ "messages": { "rule.tax.title": "Podatek", "rule.tax.text": "Płać złotem." } }"#,
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": { "rule.tax.title": "Tax", "rule.tax.text": "Pay {gold} gold." } }

locale/pl/tax.json
{ "messages": { "rule.tax.title": "Podatek", "rule.tax.text": "Płać: {gold}." } }"#,
    ),
    entry(
        "P0608",
        Warning,
        "a pack promises a language that it does not have",
        "`languages` lists what the pack is written in.",
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "languages": ["en", "pl"],
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
        r#"pack.json
{
  "format": 1,
  "api": 1,
  "id": "toy",
  "version": "0.1.0",
  "title": "Toy",
  "languages": ["en"],
  "kind": "game",
  "seats": { "min": 1, "max": 2 }
}"#,
    ),
    entry(
        "P0609",
        Warning,
        "nothing reads a param",
        "Neither the text of the card nor any script uses the number.",
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": { "rule.tax.title": "Tax", "rule.tax.text": "Pay two gold." } }"#,
        r#"rules.json
{ "rules": [ { "id": "tax", "params": { "gold": 2 } } ] }

locale/en/tax.json
{ "messages": { "rule.tax.title": "Tax", "rule.tax.text": "Pay {gold} gold." } }"#,
    ),
    entry(
        "P0701",
        Error,
        "a scenario fails",
        "Something that the scenario expects is not so, or a step cannot be taken. Either the content or the scenario is wrong.",
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 5 } ] } ] }

$ principes test . --accept"#,
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

$ principes test . --accept"#,
    ),
    entry(
        "P0702",
        Error,
        "a scenario tells another story than its stored snapshot",
        "Its expectations hold, but the transcript has changed. Read the difference; `principes test --accept` stores the new one if it is meant.",
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

scenarios/snapshots/luck__luck.snap
---
source: scenarios/luck.json
---
Luck brings nothing"#,
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

scenarios/snapshots/luck__luck.snap
---
source: scenarios/luck.json
---
Luck brings nothing

$ principes test . --accept"#,
    ),
    entry(
        "P0703",
        Warning,
        "a scenario has no stored snapshot yet",
        "Its transcript has nothing to be compared with. `principes test --accept` stores it.",
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }"#,
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

$ principes test . --accept"#,
    ),
    entry(
        "P0704",
        Warning,
        "no scenario reaches a hook",
        "Nothing shows what the function does, and nothing will notice when it does something else.",
        r#"scripts/main.lua
local M = {}

function M.play()
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M"#,
        r#"scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

$ principes test . --accept"#,
    ),
    entry(
        "P0705",
        Error,
        "a hook goes beyond what its card declares",
        "`may` of a card or rule lists what its effect hooks may touch: counters, zones, kinds of pieces, control, movement, battle, dice, the end. A scenario or trial game showed one that touches something else. What other hooks, movements and battles do that it starts is not held against it.",
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck", "params": { "gold": 2 },
    "hooks": { "card.play": "main.luck" }, "may": ["other counter:gold"] } ] }

scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

$ principes test . --accept"#,
        r#"cards.json
{ "cards": [ { "id": "luck", "type": "event", "zone": "deck", "params": { "gold": 2 },
    "hooks": { "card.play": "main.luck" }, "may": ["own counter:gold"] } ] }

scenarios/luck.json
{ "scenarios": [ { "id": "luck", "title": "Luck brings gold",
    "run": { "perform": "luck", "point": "card.play", "seat": "red" },
    "when": [ { "call": "peace.stop" } ],
    "then": [ { "counter": "gold", "of": "red", "is": 4 } ] } ] }

$ principes test . --accept"#,
    ),
    entry(
        "P0801",
        Error,
        "a game of random moves failed",
        "A script broke off, or the flow could not go on, in a game that was played to try the packs out. The message names seed and hook.",
        r#"scripts/main.lua
local M = {}

function M.play()
  local first = spaces{}[3]
  log("at", home(first))
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

locale/en/log.json
{ "messages": { "log.at": "At {1}." } }"#,
        r#"scripts/main.lua
local M = {}

function M.play()
  local first = spaces{}[1]
  log("at", home(first))
end

function M.luck(self, seat)
  add(counter.gold, self.gold, seat)
end

return M

locale/en/log.json
{ "messages": { "log.at": "At {1}." } }"#,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(EXPLANATIONS.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert!(EXPLANATIONS.iter().all(|entry| entry.broken.is_empty() == entry.mended.is_empty()));
        assert!(explain("p0202").is_some_and(|entry| entry.print().contains("dekc")));
        assert!(explain("P9999").is_none());
    }

    #[test]
    fn every_code_that_is_used_is_explained() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut open = vec![root.join("src"), root.join("../cli")];
        let mut used = std::collections::BTreeSet::new();
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            } else if !path.ends_with("explain.rs") {
                let text = std::fs::read_to_string(path).expect("a source file");
                for (at, _) in text.match_indices("\"P0") {
                    used.extend(text.get(at + 1..at + 6).map(str::to_owned));
                }
            }
        }
        for code in &used {
            assert!(explain(code).is_some(), "{code} is not explained");
        }
        // Findings of running games get their codes from the program.
        for entry in EXPLANATIONS.iter().filter(|entry| entry.code < "P0700") {
            assert!(used.contains(entry.code), "{} is explained but never used", entry.code);
        }
    }
}
