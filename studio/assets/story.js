// The log, in the server's words. Names of cards can be clicked.

import { drawing, fill, find, make } from "./dom.js";
import { get } from "./net.js";

const SHOWN = 200;
let titles = null;
let pattern = null;
let ids = new Map();

/** Forgets the names of cards, because the packs have changed. */
export function forget() {
  titles = null;
}

async function learn() {
  titles ??= get("/api/titles").then((all) => {
    ids = new Map(Object.entries(all).map(([id, title]) => [title, id]));
    const names = [...ids.keys()].filter((title) => title.length > 3).sort((a, b) => b.length - a.length);
    const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    pattern = names.length ? new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
  });
  await titles;
}

/** The title of a card. */
export async function title(id) {
  await learn();
  return [...ids].find(([, known]) => known === id)?.[0] ?? id;
}

function linked(text, read) {
  if (!pattern) return [text];
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), make("button", { class: "name", onclick: () => read(ids.get(match[0])) }, match[0]));
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** Equal lines in a row appear once, with their number, and all of their dice. */
function merged(lines) {
  const all = [];
  lines.forEach(({ text, die }, at) => {
    const last = all.at(-1);
    const dice = die ? [die] : [];
    if (last?.text === text) Object.assign(last, { count: last.count + 1, at, dice: [...last.dice, ...dice] });
    else all.push({ text, count: 1, at, dice });
  });
  return all;
}

function rolled(die) {
  const drawn = drawing(die);
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

/** Shows the lines. Lines from `fresh` on are new to the reader. */
export async function show(lines, fresh, read) {
  await learn();
  const log = find("#log");
  const shown = merged(lines).slice(-SHOWN);
  fill(log, shown.map(({ text, count, at, dice }) => make("li", { class: at >= fresh ? "fresh" : null }, dice.map(rolled), linked(text, read), count > 1 ? ` ×${count}` : "")));
  const first = find("li.fresh", log);
  log.scrollTop = first ? Math.min(first.offsetTop - log.offsetTop - 4, log.scrollHeight) : log.scrollHeight;
}
