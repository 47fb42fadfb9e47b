// The sentences of the page, in the language of the game.

import { engine } from "./engine.js";

/** @type {Record<string, string>} */
let words = {};

/** Fetches the sentences. Until then, their keys are shown. */
export async function learn() {
  words = await engine.words().catch(() => words);
}

/** Uses these sentences. @param {Record<string, string>} sentences */
export const use = (sentences) => {
  words = sentences;
};

/**
 * The sentence with a key, with its values filled in.
 * @param {string} key @param {(string | number)[]} values
 */
export function t(key, ...values) {
  const text = words[`page.${key}`] ?? key;
  return values.map(String).reduce((text, value, at) => text.replaceAll(`{${at + 1}}`, value), text);
}
