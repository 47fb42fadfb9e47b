// Names of cards in sentences, which can be clicked.

import { engine } from "./engine.js";
import { signal } from "./table/view.js";

/** @type {Promise<void> | null} */
let titles = null;
/** @type {RegExp | null} */
let pattern = null;
/** @type {Map<string, string>} */
let ids = new Map();
/** Grows when names have been learned. */
export const version = signal(0);

/** Forgets the names of cards, because the packs have changed. */
export function forget() {
  titles = null;
}

export async function learn() {
  titles ??= engine.titles().then((all) => {
    ids = new Map(Object.entries(all).map(([id, title]) => [title, id]));
    const names = [...ids.keys()].filter((title) => title.length > 3).sort((a, b) => b.length - a.length);
    const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    pattern = names.length
      ? new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join("|")})(?![\\p{L}\\p{N}])`, "gu")
      : null;
    version.value += 1;
  });
  await titles;
}

/** The title of a card. @param {string} id */
export async function title(id) {
  await learn();
  return [...ids].find(([, known]) => known === id)?.[0] ?? id;
}

/**
 * The parts of a sentence: texts, and names of cards as `{ text, id }`.
 * @param {string} text @returns {(string | { text: string, id: string })[]}
 */
export function linked(text) {
  if (!version.value || !pattern) return [text];
  /** @type {(string | { text: string, id: string })[]} */
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), { text: match[0], id: ids.get(match[0]) ?? "" });
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}
