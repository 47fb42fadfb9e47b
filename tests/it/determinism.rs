//! Determinism: packs with generated scripts are played in different circumstances, with the same results.
//!
//! The circumstances are: a machine for each game; one machine for all games, which take turns, are copied, and share
//! memory with garbage; another thread with another heap and with packs of another name, where the games are played in
//! reverse order; and processes with other addresses, numbers of workers, shards, environments, and folders. The seed is
//! fixed;
//! `PRINCIPES_DETERMINISM_SECONDS` and `PRINCIPES_DETERMINISM_SEED` make a longer run with another one.
//! `PRINCIPES_DETERMINISM_PACK` begins with one pack.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common;
use crate::common::program;
use principes_content::{LoadOptions, load};
use principes_core::bots::{self, Players, RandomBot};
use principes_core::*;
use principes_model::Loaded;
use principes_scripting::LuaHost;
use principes_source::{MemoryPack, PackSource, folder};
use serde_json::Value as Json;

/// Generated packs that once differed, because no memory was left for the trace of an error, or while it was made.
const FOUND: [u64; 2] = [78_000_038, 97_000_027];
/// Games of each pack.
const GAMES: u64 = 4;
/// The number of answers in a game, including those that fail.
const TRIES: usize = 24;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

// Generated scripts --------------------------------------------------------------------------------------------------------

/// The start of every script: `mix` turns anything that a script can see into a number.
const START: &str = r#"local M = {}
local WORDS = { "one", "two", "three", "four", ["five"] = 6 }
local function mix(h, v)
  local kind = type(v)
  if kind == "number" then
    if v ~= v or math.abs(v) > 1e15 then
      v = 17
    end
    return (h * 31 + math.floor(v * 8) % 65521) % 65521
  elseif kind == "string" then
    for i = 1, math.min(#v, 300) do
      h = (h * 31 + string.byte(v, i)) % 65521
    end
    return (h + #v) % 65521
  end
  return (h * 7 + #kind + (v and 1 or 0)) % 65521
end
"#;

/// Statements for queries and effects: `@N` is a small number, `@L` a large one, `@W` a word, `@P` a pattern.
const LOOK: &[&str] = &[
    "for k, v in pairs(t) do h = mix(mix(h, k), v) end",
    "for k, v in t do h = mix(mix(h, k), v) end",
    "h = mix(h, next(t))",
    "local k, v = next(t) h = mix(mix(h, k), v)",
    "t[#t + 1] = @N",
    "t['@W'] = @N",
    "t['k@N'] = '@W'",
    "t[@N] = h",
    "t[@N / 8] = seat",
    "t[seat] = @N",
    "t['k@N'] = nil",
    "t[@N] = nil",
    "t[h] = '@W'",
    "for i = 1, @N do t[i * 7919] = i end for i = 1, @N, 2 do t[i * 7919] = nil end",
    "s = s .. '@W' .. h",
    "s = string.sub(s .. '@W' .. h, -150)",
    "s = s .. s",
    "s = s:rep(@N)",
    "s = s:gsub('@P', '@W')",
    "s = s:gsub('@P', function(x) h = mix(h, x) return '@W' end)",
    "h = mix(h, s:find('@P'))",
    "h = mix(h, s:match('@P'))",
    "for w in s:gmatch('@P') do h = mix(h, w) end",
    "h = mix(h, #s:split(' '))",
    "h = mix(h, s < '@W' .. @N)",
    "h = mix(h, select(2, pcall(error, s)))",
    "h = mix(h, select(2, pcall(error, t)))",
    "h = mix(h, select(2, pcall(next, t, '@W')))",
    "h = mix(h, select(2, pcall(next, t, @N)))",
    "h = mix(h, select(2, pcall(function() return t.five.five end)))",
    "h = mix(h, select(2, pcall(function() local x x.y = h end)))",
    "h = mix(h, select(2, pcall(function() error('@W') end)))",
    "h = mix(h, select(2, pcall(function() error('@W', 2) end)))",
    "h = mix(h, tostring(select(2, pcall(get, h))))",
    "h = mix(h, select(2, pcall(choose, seat, 'arena.turn', {})))",
    "h = mix(h, select(2, pcall(function() return import(tostring(h)) end)))",
    "h = mix(h, select(2, pcall(function() t[t] = 1 end)))",
    "h = mix(h, select(2, pcall(pairs, t, h)))",
    "h = mix(h, select(2, pcall(get, t, s)))",
    "h = mix(h, select(2, pcall(string.rep, s, @L)))",
    "h = mix(h, select(2, pcall(table.concat, t, '@W')))",
    "h = mix(h, tostring(t) .. tostring(seat) .. tostring(mix) .. tostring(h / @N))",
    "h = mix(h, string.format('%5.2f|%.30s|%d', h / 7, s, h))",
    "local list = {} for i = 1, @N do list[i] = (h * i) % 101 end table.sort(list) h = mix(h, list[1])",
    "local list = {} for i = 1, @N do list[i] = (h * i) % 101 end table.sort(list, function(a, b) return a % 7 < b % 7 end) for _, x in list do h = mix(h, x) end",
    "for i = 1, @L do t[i] = { i, h } end",
    "for i = 1, @L do local x = { i, 'x' .. i } end",
    "local u = {} for i = 1, @L do u = { u, i } end h = mix(h, #u)",
    "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end h = mix(h, select(2, pcall(f, @L)))",
    "for i = 1, @L do h = mix(h, i) end",
    "local function f(...) return select('#', ...), ... end h = mix(h, (select(2, f(h, @N, '@W'))))",
    "h = mix(h, h ^ 2) h = mix(h, math.fmod(h, 7)) h = mix(h, 0 / 0) h = mix(h, -h % @N)",
    "h = mix(h, WORDS[@N % 5]) for k, v in WORDS do h = mix(mix(h, k), v) end",
    "h = mix(h, get(counter.score, seat))",
    "h = mix(h, tonumber('@N.5') + tonumber('0x@N'))",
    "h = mix(h, ('@N'):byte() + #tostring(nil))",
    "if h % 2 == 0 then return value or @N end",
];

/// Statements for effects.
const ACT: &[&str] = &[
    "add(counter.score, h % 5, seat)",
    "add(counter.score, -(h % 3), seat)",
    "h = mix(h, roll(6))",
    "h = mix(h, choose(seat, 'arena.turn', { 'wait', 'dare', 'weigh' }))",
    "h = mix(h, choose(seat, 'arena.turn', function() return { 'wait', 'weigh' } end))",
    "local held = {} for i = 1, @L do held[i] = { i } end h = mix(h, choose(seat, 'arena.turn', { 'wait', 'dare' })) h = mix(h, #held)",
    "local held = s:rep(@N) h = mix(h, choose(seat, 'arena.turn', { 'wait', 'dare' })) h = mix(h, held)",
    "h = mix(h, query('arena.weigh', @N, seat))",
    "h = mix(h, select(2, pcall(query, 'arena.weigh', h, seat)))",
    "if h % 7 == 0 then trigger('arena.dare', seat) end",
    "log('dared', seat)",
];

fn statement(r: &mut Random, acts: bool, depth: usize) -> String {
    if depth > 0 && r.below(4) == 0 {
        let inner = statements(r, acts, depth - 1);
        return match r.below(4) {
            0 => format!("if h % {} == 0 then {inner} end", 1 + r.below(3)),
            1 => format!("for i = 1, {} do {inner} end", 1 + r.below(4)),
            2 => format!("h = mix(h, select(2, pcall(function() {inner} end)))"),
            _ => format!("do {inner} end"),
        };
    }
    let pieces = if acts && r.below(3) == 0 { ACT } else { LOOK };
    let large = [10, 300, 300, 5_000, 5_000, 40_000, 200_000][r.below(7)];
    let piece = r.pick(pieces).replace("@N", &(1 + r.below(20)).to_string()).replace("@L", &large.to_string());
    let word = r.pick(&["a", "knight", "the king", "x y z", "1", " 7", "red"]);
    // A piece may return, which must end its block.
    let piece =
        piece.replace("@W", word).replace("@P", r.pick(&["%a+", "k.-g", "(a)(.)", "%d", "[^a]", "%s*x", "^.", ".$"]));
    format!("do {piece} end")
}

fn statements(r: &mut Random, acts: bool, depth: usize) -> String {
    let many = 1 + r.below(6);
    (0..many).map(|_| statement(r, acts, depth)).collect::<Vec<_>>().join("\n  ")
}

/// The script of a pack.
fn script(seed: u64) -> String {
    let r = &mut Random(seed);
    let (act, weigh) = (statements(r, true, 2), statements(r, false, 2));
    format!(
        "{START}\nfunction M.act(self, owner, seat)\n  local value, h, t, s = nil, mix(mix({}, 'a'), nil), {{}}, 'a knight'\n  {act}\n  \
         add(counter.score, h % 7, seat)\nend\n\nfunction M.weigh(self, value, owner, seat)\n  local h, t, s = value, {{}}, \
         'the king'\n  {weigh}\n  return value + h % 3\nend\n\nreturn M\n",
        r.below(1000)
    )
}

/// The file of the made script, in its pack.
const SCRIPT: &str = "scripts/stranger.lua";
const MANIFEST: &str = r#"{ "format": 1, "id": "stranger", "version": "1.0.0", "api": 1, "title": "Stranger",
  "kind": "extension", "requires": { "arena": "*" } }"#;
const RULES: &str = r#"{ "rules": [{ "id": "stranger", "hooks": { "arena.dare": "stranger.act", "arena.weigh": "stranger.weigh" } }] }"#;
const TITLE: &str = r#"{ "messages": { "pack.title": "Stranger" } }"#;

/// The files of a pack.
fn files(script: &str) -> [(&'static str, &str); 4] {
    [("pack.json", MANIFEST), ("rules.json", RULES), ("locale/en.json", TITLE), (SCRIPT, script)]
}

/// The packs, of which the stranger's one is called `name` where people read about it.
fn loaded(script: &str, name: &str) -> Loaded {
    let mut pack = MemoryPack::new(name);
    for (path, text) in files(script) {
        pack = pack.with(path, text);
    }
    let packs: [Arc<dyn PackSource>; 2] = [folder(arena()), Arc::new(pack)];
    let options = LoadOptions { search: Vec::new(), ..LoadOptions::default() };
    load(&packs, &options).unwrap_or_else(|findings| panic!("{findings:?}\n{script}"))
}

// Played games --------------------------------------------------------------------------------------------------------

/// A game in progress, and everything that is observed.
struct Seen {
    game: Game<LuaHost>,
    players: Players<LuaHost>,
    transcript: Vec<String>,
    tries: usize,
}

impl Seen {
    fn start(loaded: &Loaded, host: &LuaHost, seed: u64) -> Seen {
        let config = GameConfig { seats: vec![FactionId(0), FactionId(1)], seed, options: Vec::new() };
        let game = Game::new(Arc::clone(&loaded.catalog), host.clone(), config).unwrap();
        let players =
            (0..2).map(|seat| (FactionId(seat), Box::new(RandomBot::new(seed + u64::from(seat))) as _)).collect();
        Seen { game, players, transcript: Vec::new(), tries: 0 }
    }

    /// One answer; false if the game is over.
    fn step(&mut self) -> bool {
        self.tries += 1;
        if self.tries > TRIES {
            return false;
        }
        match bots::step(&mut self.game, &mut self.players) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(AnswerError::Script(error)) => {
                // People read the folders, too.
                let inside = |file: &str| file.rsplit_once("scripts/").map(|(_, file)| file.to_owned());
                let trace: Vec<_> =
                    error.trace.iter().map(|call| (&call.function, inside(&call.file), call.line)).collect();
                let at = (error.file.as_deref().map(inside), error.line, error.kind, error.steps, trace);
                self.transcript.push(format!("failed: {} {at:?}", error.message));
            }
            Err(other) => panic!("{other}"),
        }
        let events = self.game.take_events();
        self.transcript.push(format!("{} {} {events:?}", self.game.digest(), self.game.steps()));
        true
    }

    fn whole(mut self) -> Vec<String> {
        while self.step() {}
        self.transcript
    }
}

/// Each game in a machine of its own.
fn alone(loaded: &Loaded) -> Vec<Vec<String>> {
    (0..GAMES).map(|seed| Seen::start(loaded, &loaded.host().unwrap(), seed).whole()).collect()
}

/// All games in one machine, taking turns, some of them copied between answers, and rebuilt.
fn crowded(loaded: &Loaded) -> Vec<Vec<String>> {
    let host = loaded.host().unwrap();
    // Other games have left garbage, and some wait for an answer.
    let mut waiting: Vec<Seen> = (100..103).map(|seed| Seen::start(loaded, &host, seed)).collect();
    for seen in &mut waiting {
        let _ = (0..3).all(|_| seen.step());
    }
    let mut games: Vec<Seen> = (0..GAMES).map(|seed| Seen::start(loaded, &host, seed)).collect();
    let mut going = true;
    while going {
        going = false;
        for (at, seen) in games.iter_mut().enumerate() {
            going |= seen.step();
            if (at + seen.tries) % 3 == 0 {
                let events = seen.game.take_events();
                seen.game = seen.game.clone();
                assert!(events.is_empty());
            }
        }
    }
    games.into_iter().map(|seen| seen.transcript).collect()
}

/// In another thread with a heap in disorder, in one machine, the last game first.
fn elsewhere(script: &str) -> Vec<Vec<String>> {
    let run = || {
        let heap: Vec<Vec<u8>> = (0..3000).map(|at| vec![1; 16 + at * 37 % 900]).collect();
        let holes: Vec<Vec<u8>> = heap.into_iter().step_by(2).collect();
        let loaded = loaded(script, "/home/somebody else/games: 12/stranger");
        let host = loaded.host().unwrap();
        let games = (0..GAMES).rev().map(|seed| Seen::start(&loaded, &host, seed).whole());
        let mut games: Vec<Vec<String>> = games.collect();
        games.reverse();
        drop(holes);
        games
    };
    std::thread::scope(|scope| scope.spawn(run).join().unwrap())
}

fn compare(seed: u64, circumstances: &str, one: &[Vec<String>], other: &[Vec<String>], script: &str) {
    for (game, (one, other)) in one.iter().zip(other).enumerate() {
        for at in 0..one.len().max(other.len()) {
            assert_eq!(one.get(at), other.get(at), "seed {seed}, game {game}, line {at}, {circumstances}\n{script}");
        }
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// Both packs on the disk, for processes.
struct OnDisk {
    place: tempfile::TempDir,
}

/// Where the packs are, how the user names them, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Named {
    /// By their absolute paths.
    Usual,
    /// In deep folders with long and odd names, which sort the other way round.
    Deep,
    /// By a link to another folder, relative to the working directory.
    Linked,
    /// From within a pack.
    Inside,
    /// As packed files.
    Packed,
    /// With the line ends of another system, as git may write them.
    Converted,
}

const NAMED: [Named; 5] = [Named::Deep, Named::Linked, Named::Inside, Named::Packed, Named::Converted];

/// A folder whose name is odd, but possible everywhere.
const ODD: &str = "Zażółć gęślą jaźń, 12 - copy of my old games (do not delete) [x]/a/b/c/d/scripts.lua";

/// Environments in which processes run. The system also gives each process other addresses.
const ENVIRONMENTS: [&[(&str, &str)]; 3] = [
    &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "pl_PL.UTF-8"), ("TZ", "Asia/Kathmandu"), ("COLUMNS", "20")],
    &[("MALLOC_PERTURB_", "165"), ("MALLOC_ARENA_MAX", "1")],
    &[("MALLOC_TOP_PAD_", "1234567"), ("HOME", "/nowhere"), ("PADDING", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")],
];

fn arena() -> PathBuf {
    common::root().join("tests/hostile/arena")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
        let target = to.join(entry.file_name().unwrap());
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            std::fs::copy(&entry, target).unwrap();
        }
    }
}

/// A row without the folder in which an error is: people read where their file is, and scripts do not.
fn without_folder(row: &str) -> String {
    let error = row.split_once(",\"").filter(|(_, error)| error.contains(SCRIPT));
    error.map_or(row.to_owned(), |(row, error)| format!("{row},{}", error.split(SCRIPT).last().unwrap_or_default()))
}

impl OnDisk {
    fn new(script: &str) -> Self {
        let place = tempfile::tempdir().unwrap();
        for folder in ["stranger".to_owned(), format!("{ODD}/a stranger")] {
            for (path, text) in files(script) {
                let path = place.path().join(&folder).join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
        }
        copy(&arena(), &place.path().join(ODD).join("z arena"));
        #[cfg(unix)]
        std::os::unix::fs::symlink(place.path().join(ODD), place.path().join("link")).unwrap();
        OnDisk { place }
    }

    /// The program with an action, in a working directory and with the packs as a user names them there.
    fn program(&self, action: &[&str], named: Named) -> std::process::Command {
        let odd = self.place.path().join(ODD);
        let (place, packs): (&Path, [PathBuf; 2]) = match named {
            Named::Usual => (common::root(), [arena(), self.place.path().join("stranger")]),
            Named::Deep => (common::root(), [odd.join("a stranger"), odd.join("z arena")]),
            Named::Linked if cfg!(unix) => (self.place.path(), ["link/a stranger".into(), "link/z arena".into()]),
            Named::Linked => (&odd, ["a stranger".into(), "z arena".into()]),
            Named::Inside => (&odd.join("a stranger"), [".".into(), "../z arena".into()]),
            Named::Converted => (self.place.path(), [self.converted("a stranger"), self.converted("z arena")]),
            Named::Packed => (self.place.path(), [self.packed("a stranger"), self.packed("z arena")]),
        };
        let mut command = program::principes(action);
        command.current_dir(place);
        for pack in packs {
            command.arg("--pack").arg(pack);
        }
        command
    }

    /// A pack with carriage returns.
    fn converted(&self, pack: &str) -> PathBuf {
        let (from, to) = (folder(self.place.path().join(ODD).join(pack)), PathBuf::from(format!("{pack} (CRLF)")));
        for path in from.list().unwrap() {
            let text = String::from_utf8(from.read(&path).unwrap()).unwrap();
            let target = self.place.path().join(&to).join(path);
            std::fs::create_dir_all(target.parent().unwrap()).unwrap();
            std::fs::write(target, text.replace('\n', "\r\n")).unwrap();
        }
        to
    }

    /// A pack as a file.
    fn packed(&self, pack: &str) -> PathBuf {
        let file = PathBuf::from(format!("{pack}.zip"));
        let bytes = principes_source::archive::pack(&*folder(self.place.path().join(ODD).join(pack))).unwrap();
        std::fs::write(self.place.path().join(&file), bytes).unwrap();
        file
    }

    /// The output of `sim` in an environment; empty if `check` finds errors in the script.
    fn sim(&self, named: Named, arguments: &[&str], environment: &[(&str, &str)]) -> String {
        let mut command = self.program(&["sim"], named);
        let output = command.args(arguments).envs(environment.iter().copied()).output().unwrap();
        let refused = output.status.code() == Some(2) && output.stdout.is_empty();
        assert!(refused || !output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// The rows of all games, however many workers and shards there are, and wherever the packs are.
    fn rows(&self, named: Named, jobs: &str, shards: usize, environment: &[(&str, &str)]) -> Vec<String> {
        let mut rows = Vec::new();
        for part in 1..=shards {
            let shard = format!("{part}/{shards}");
            let asked = ["--games", "6", "--jobs", jobs, "--format", "csv", "--shard", &shard];
            let told = self.sim(named, &asked, environment);
            rows.extend(told.lines().skip(1).map(without_folder));
        }
        rows.sort_by_key(|row| row.split(',').next().and_then(|number| number.parse::<u64>().ok()));
        rows
    }

    /// All sums, without times.
    fn sums(&self, named: Named, jobs: &str, environment: &[(&str, &str)]) -> Json {
        let asked = ["--games", "12", "--jobs", jobs, "--format", "json"];
        let mut told: Json = serde_json::from_str(&self.sim(named, &asked, environment)).unwrap();
        for time in ["seconds", "games_per_second", "decisions_per_second"] {
            told.as_object_mut().unwrap().remove(time);
        }
        told
    }
}

#[test]
fn some_made_packs_play_the_same_in_all_circumstances() {
    play_everywhere(Duration::ZERO);
}

#[test]
#[ignore = "slow; run by .ci/run"]
fn made_packs_play_the_same_in_all_circumstances() {
    play_everywhere(Duration::from_secs(number("PRINCIPES_DETERMINISM_SECONDS", 15)));
}

fn play_everywhere(time: Duration) {
    let usual = number("PRINCIPES_DETERMINISM_SEED", 1).wrapping_mul(1_000_000);
    let (begun, first) = (Instant::now(), number("PRINCIPES_DETERMINISM_PACK", usual));
    let (mut packs, mut failed, mut played, mut refused) = (0, 0, 0, 0);
    for seed in FOUND.into_iter().chain(first..) {
        // Play a few in any case, even on a slow machine.
        if begun.elapsed() >= time && packs >= FOUND.len() + 3 {
            break;
        }
        let text = script(seed);
        let loaded = loaded(&text, "stranger");
        let usual = alone(&loaded);
        compare(seed, "in one machine", &usual, &crowded(&loaded), &text);
        compare(seed, "in another thread", &usual, &elsewhere(&text), &text);
        let (disk, environment) = (OnDisk::new(&text), ENVIRONMENTS[(seed % 3) as usize]);
        let (rows, named) = (disk.rows(Named::Usual, "1", 1, &[]), NAMED[(seed % 5) as usize]);
        assert!(matches!(rows.len(), 0 | 6), "{rows:?}");
        refused += usize::from(rows.is_empty());
        let workers = disk.rows(named, "2", 1, environment);
        assert_eq!(rows, workers, "seed {seed}, two workers, {named:?}, {environment:?}\n{text}");
        let shards = disk.rows(Named::Usual, "1", 2, environment);
        assert_eq!(rows, shards, "seed {seed}, two shards, {environment:?}\n{text}");
        played += usual.iter().map(Vec::len).sum::<usize>();
        failed += usual.iter().flatten().filter(|line| line.starts_with("failed")).count();
        packs += 1;
    }
    eprintln!("{packs} packs, {refused} refused by check, {played} answers, {failed} failures");
    // A slow machine plays few packs, which may all be harmless.
    let few = packs < 20;
    assert!(few || failed > 0 && played > 2 * failed, "{played} lines, {failed} failures");
    assert!(few || refused * 10 < packs, "{refused} packs were refused");
}

#[test]
fn processes_play_the_same_in_all_environments() {
    let made = (3..).map(|seed| (seed, script(seed)));
    let made = made.map(|(seed, text)| (seed, OnDisk::new(&text), text));
    // `check` refuses some of the packs.
    for (seed, disk, text) in made.filter(|(_, disk, _)| !disk.rows(Named::Usual, "1", 1, &[]).is_empty()).take(2) {
        let usual = disk.sums(Named::Usual, "1", &[]);
        for (jobs, environment) in ["2", "3", "1"].into_iter().zip(ENVIRONMENTS) {
            let sums = disk.sums(Named::Usual, jobs, environment);
            assert_eq!(usual, sums, "seed {seed}, {jobs} workers, {environment:?}\n{text}");
        }
    }
}

/// Everything that a script can read about the place of an error goes into the score.
fn reads_places() -> String {
    let body = r#"
  local h, t = 0, {}
  local function read(f, ...)
    h = mix(h, tostring(select(2, pcall(f, ...))))
  end
  read(function() local x x.y = 1 end)
  read(function() error("told") end)
  read(function() error("told", 2) end)
  read(function() error({}) end)
  read(function() read(function() t[t] = 1 end) error(h) end)
  read(get, h)
  read(function() return import(tostring(h)) end)
  read(query, "arena.weigh", t, seat)
  read(trigger, "arena.weigh", seat)
  read(choose, seat, "arena.turn", {})
  read(string.rep, "x", 1e9)
  h = mix(h, LINES)
  read(table.sort, { 3, 1, 2 }, function(a, b) error("compared") end)
  read(table.sort, { 3, 1, {}, 2 })
  read(string.gsub, "abc", "%a", function(x) error(x) end)
  read(string.gsub, "abc", "%a", function(x) return {} end)
  read(string.format, "%d", {})
  read(string.format, "%s", read)
  read(string.match, "x", "(")
  read(tonumber, "z", 99)
  read(function()
    local function deep(n) if n > 0 then return pcall(deep, n - 1) end error("deep") end
    return select(2, deep(150))
  end)
  read(function()
    local function deep(n) return 1 + deep(n + 1) end
    return deep(1)
  end)
  read(function()
    local function deep(n) return (string.gsub("x", "x", function() return deep(n + 1) end)) end
    return deep(1)
  end)"#;
    format!(
        "{START}\nlocal LINES = [[\none\ntwo]]\n\nfunction M.act(self, owner, seat){body}\n  add(counter.score, h % 97, seat)\nend\n\n\
         function M.weigh(self, value, owner, seat)\n  return value + mix(0, select(2, pcall(error, \"told\", 2))) % 5\nend\n\n\
         return M\n"
    )
}

#[test]
fn the_folder_is_not_part_of_the_game() {
    let disk = OnDisk::new(&reads_places());
    let usual = disk.sums(Named::Usual, "1", &[]);
    let rows = disk.rows(Named::Usual, "1", 1, &[]);
    assert!(rows.len() == 6 && rows.iter().all(|row| row.ends_with(',')), "{rows:?}");
    for named in NAMED {
        assert_eq!(usual, disk.sums(named, "2", &[]), "{named:?}");
        assert_eq!(rows, disk.rows(named, "1", 2, &[]), "{named:?}");
    }
}

#[test]
fn a_game_continues_where_its_packs_have_moved() {
    let disk = OnDisk::new(&reads_places());
    let save = disk.place.path().join("game.json");
    let saved =
        disk.program(&["play", "--seats", "random", "--seed", "5"], Named::Usual).arg("--save").arg(&save).output();
    let saved = saved.unwrap();
    assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stderr));
    for named in NAMED {
        let again = disk.program(&["replay", "--verify"], named).arg(&save).output().unwrap();
        assert!(again.status.success(), "{named:?}: {}", String::from_utf8_lossy(&again.stderr));
    }
}
