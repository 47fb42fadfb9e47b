// Random duels in ygopro-core, one process, one core: node play.mjs DECK GAMES SEED. Prints one line of JSON.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

// The package is installed outside of the repository, and the cards' scripts are a checkout of theirs.
const home = path.join(process.env.PEERS_NODE || process.cwd(), "node_modules/ocgcore-wasm/dist/index.js");
const scripts = path.join(process.env.PEERS_YGOPRO || ".", "CardScripts");
const ocg = await import(pathToFileURL(home));
const { OcgMessageType: Ask, OcgResponseType: Answer, OcgProcessResult: Status } = ocg;
const lines = (file) => readFileSync(file, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
const [deck_file, games, seed] = [process.argv[2], ...process.argv.slice(3).map(Number)];

// A line for each card of the database: number, type, attack, defense, level, race, attribute.
const cards = new Map();
for (const line of lines(path.join(process.env.PEERS_YGOPRO || ".", "cards.txt"))) {
  const [code, type, attack, defense, level, race, attribute] = line.split(" ").map(Number);
  const unused = { alias: 0, setcodes: [], lscale: 0, rscale: 0, link_marker: 0 };
  cards.set(code, { code, type, attack, defense, level, race: BigInt(race), attribute, ...unused });
}
const deck = lines(deck_file).map((line) => line.split(" ").map(Number));
for (const [, code] of deck) {
  if (!cards.has(code)) throw new Error(`cards.txt has no card ${code}`);
}

let number = seed | 1;
const below = (n) => {
  // Xorshift, 32 bits.
  number ^= number << 13; number ^= number >>> 17; number ^= number << 5;
  return (number >>> 0) % n;
};
const shuffled = (n) => {
  const order = Array.from({ length: n }, (_, at) => at);
  for (let at = n - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
};
const some = (ask) => {
  // To call it off is one answer among as many as there are cards.
  if (ask.can_cancel && below(ask.selects.length + 1) === 0) return null;
  const most = Math.min(ask.max, ask.selects.length);
  return shuffled(ask.selects.length).slice(0, ask.min + below(most - ask.min + 1));
};
const each = (list, action) => list.map((_, index) => ({ action, index }));

// All that a player may do in a phase, to draw one from; to shuffle one's hand is not a move.
const in_main_phase = (ask) => [
  ...each(ask.summons, 0), ...each(ask.special_summons, 1), ...each(ask.pos_changes, 2), ...each(ask.monster_sets, 3),
  ...each(ask.spell_sets, 4), ...each(ask.activates, 5),
  ...(ask.to_bp ? [{ action: 6, index: 0 }] : []), ...(ask.to_ep ? [{ action: 7, index: 0 }] : []),
];
const in_battle_phase = (ask) => [
  ...each(ask.chains, 0), ...each(ask.attacks, 1),
  ...(ask.to_m2 ? [{ action: 2, index: 0 }] : []), ...(ask.to_ep ? [{ action: 3, index: 0 }] : []),
];
const places = (ask) => {
  // Of each player eight bits for the monsters, eight for the rest; a bit that is set is taken.
  const free = [];
  for (let bit = 0; bit < 32; bit += 1) {
    if ((ask.field_mask >>> bit) & 1) continue;
    const mine = bit < 16;
    free.push({ player: mine ? ask.player : 1 - ask.player, location: bit & 8 ? 8 : 4, sequence: bit & 7 });
  }
  return shuffled(free.length).slice(0, ask.count).map((at) => free[at]);
};

const ANSWERS = {
  [Ask.SELECT_IDLECMD]: (ask) => {
    const all = in_main_phase(ask);
    return { type: Answer.SELECT_IDLECMD, ...all[below(all.length)] };
  },
  [Ask.SELECT_BATTLECMD]: (ask) => {
    const all = in_battle_phase(ask);
    return { type: Answer.SELECT_BATTLECMD, ...all[below(all.length)] };
  },
  [Ask.SELECT_EFFECTYN]: () => ({ type: Answer.SELECT_EFFECTYN, yes: below(2) === 1 }),
  [Ask.SELECT_YESNO]: () => ({ type: Answer.SELECT_YESNO, yes: below(2) === 1 }),
  [Ask.SELECT_OPTION]: (ask) => ({ type: Answer.SELECT_OPTION, index: below(ask.options.length) }),
  [Ask.SELECT_CARD]: (ask) => ({ type: Answer.SELECT_CARD, indicies: some(ask) }),
  [Ask.SELECT_TRIBUTE]: (ask) => ({ type: Answer.SELECT_TRIBUTE, indicies: some(ask) }),
  [Ask.SELECT_UNSELECT_CARD]: (ask) => {
    const all = ask.select_cards.length + ask.unselect_cards.length;
    const index = below(all + (ask.can_finish || ask.can_cancel ? 1 : 0));
    return { type: Answer.SELECT_UNSELECT_CARD, index: index < all ? index : null };
  },
  [Ask.SELECT_CHAIN]: (ask) => {
    const index = below(ask.selects.length + (ask.forced ? 0 : 1));
    return { type: Answer.SELECT_CHAIN, index: index < ask.selects.length ? index : null };
  },
  [Ask.SELECT_PLACE]: (ask) => ({ type: Answer.SELECT_PLACE, places: places(ask) }),
  [Ask.SELECT_DISFIELD]: (ask) => ({ type: Answer.SELECT_DISFIELD, places: places(ask) }),
  [Ask.SELECT_POSITION]: (ask) => {
    const all = [1, 2, 4, 8].filter((position) => ask.positions & position);
    return { type: Answer.SELECT_POSITION, position: all[below(all.length)] };
  },
  [Ask.SORT_CARD]: (ask) => ({ type: Answer.SORT_CARD, order: shuffled(ask.cards.length) }),
  [Ask.SORT_CHAIN]: (ask) => ({ type: Answer.SORT_CARD, order: shuffled(ask.cards.length) }),
  [Ask.ANNOUNCE_NUMBER]: (ask) => ({ type: Answer.ANNOUNCE_NUMBER, value: below(ask.options.length) }),
};

const kept = new Map();
const read = (name) => {
  if (!kept.has(name)) {
    const found = [name, `official/${name}`].map((file) => path.join(scripts, file)).find(existsSync);
    kept.set(name, found ? readFileSync(found, "utf8") : null);
  }
  return kept.get(name);
};

const core = await ocg.default({ sync: true });
let hash = 0xcbf29ce484222325n;
let decisions = 0;
let microseconds = 0;
// A quarter more before, unmeasured, for the compilers of JavaScript and WebAssembly.
for (let game = -Math.floor(games / 4); game < games; game += 1) {
  if (game === 0) decisions = microseconds = 0;
  const side = { startingLP: 8000, startingDrawCount: 5, drawCountPerTurn: 1 };
  const duel = core.createDuel({
    flags: ocg.OcgDuelMode.MODE_MR5,
    seed: [1, 2, 3, 4].map(() => BigInt(1 + below(2 ** 31))),
    team1: side,
    team2: side,
    cardReader: (code) => cards.get(code) || null,
    scriptReader: read,
    errorHandler: (_, text) => { throw new Error(text); },
  });
  for (const name of ["constant.lua", "utility.lua"]) core.loadScript(duel, name, read(name));
  for (const team of [0, 1]) {
    for (const [copies, code] of deck) {
      for (let copy = 0; copy < copies; copy += 1) {
        core.duelNewCard(duel, { team, duelist: 0, code, controller: team, location: 1, sequence: 2, position: 8 });
      }
    }
  }
  // The library of scripts is read by now: the clock is for the game alone.
  const cpu = process.cpuUsage();
  core.startDuel(duel);
  let [turns, result] = [0, ""];
  // Who won is a message; the core would let the loser play on.
  while (!result) {
    const status = core.duelProcess(duel);
    let ask = null;
    for (const message of core.duelGetMessage(duel)) {
      if (message.type === Ask.RETRY) throw new Error("it did not take the answer");
      if (message.type === Ask.NEW_TURN) turns += 1;
      if (message.type === Ask.WIN) result = `${message.player} ${message.reason}`;
      ask = message;
    }
    if (result || status !== Status.WAITING) continue;
    if (!ANSWERS[ask.type]) throw new Error(`no answer to message ${ask.type}`);
    core.duelSetResponse(duel, ANSWERS[ask.type](ask));
    // Nothing to chain is no decision: a player is not shown it.
    if (ask.type !== Ask.SELECT_CHAIN || ask.selects.length > 0) decisions += 1;
  }
  const used = process.cpuUsage(cpu);
  microseconds += used.user + used.system;
  core.destroyDuel(duel);
  if (game < 0) continue;
  // FNV-1a, as in play.cpp.
  for (const byte of Buffer.from(`${result} ${turns} ${decisions};`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
}
console.log(JSON.stringify({
  games,
  decisions,
  cpu_seconds: microseconds / 1e6,
  hash: hash.toString(16).padStart(16, "0"),
}));
