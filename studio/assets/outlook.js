// The consequences of an option, before it is taken. The server imagines them as the seat may.

import { fill, find, findAll, make } from "./dom.js";
import { get } from "./net.js";

/** A short hover asks for nothing. */
const PATIENCE = 140;

let seat = null;
let current = null;
let timer = null;
const known = new Map();

/** Starts a new moment or another seat: forgets the known consequences. */
export function begin(whose) {
  seat = whose;
  known.clear();
  clear();
}

export function clear() {
  clearTimeout(timer);
  current = null;
  find("#outlook").hidden = true;
  for (const space of findAll(".changes")) space.classList.remove("changes");
}

/** Called when the pointer leaves the option, or all of them. */
export function leave(option = current) {
  if (option === current) clear();
}

export function show(option, aside, atOnce = false) {
  if (current === option && !atOnce) return;
  clear();
  if (aside || !seat) return;
  current = option;
  timer = setTimeout(() => ask(option), atOnce ? 0 : PATIENCE);
}

async function ask(option) {
  if (!known.has(option.key)) known.set(option.key, { outlook: null, odds: undefined });
  const entry = known.get(option.key);
  try {
    entry.outlook ??= await get("/api/outlook", { seat, key: option.key });
    if (current !== option || !entry.outlook) return;
    draw(option, entry);
    if (entry.odds === undefined) {
      const odds = await get("/api/odds", { seat, key: option.key });
      entry.odds = odds;
    }
    if (current === option) draw(option, entry);
  } catch (error) {
    // The game has moved on, or the user points at another option.
    known.delete(option.key);
  }
}

function draw(option, { outlook, odds }) {
  const panel = find("#outlook");
  const lines = outlook.lines.map((line) => make("li", {}, line));
  const empty = !lines.length && !outlook.is_open && !odds && !option.note && !option.preview;
  fill(panel, make("h3", {}, option.text),
    option.note && make("p", { class: "note" }, option.note), option.preview && make("p", { class: "preview" }, option.preview),
    lines.length ? make("ul", {}, lines) : null,
    outlook.is_open && make("p", { class: "quiet" }, "Chance or another seat decides what happens after that."),
    odds && chances(odds), empty && make("p", { class: "quiet" }, "Nothing else changes at once."));
  panel.hidden = false;
  for (const space of outlook.spaces) {
    for (const element of findAll(`#map .space[data-space="${CSS.escape(space)}"]`)) element.classList.add("changes");
  }
}

function chances({ won, of, space }) {
  const percent = Math.round((100 * won) / of);
  return make("div", { class: "odds" }, make("meter", { min: 0, max: of, value: won, "aria-label": "Chance to win the battle" }),
    make("span", {}, `Battle for ${space}: you win ${won} of ${of} imagined (${percent} %).`));
}
