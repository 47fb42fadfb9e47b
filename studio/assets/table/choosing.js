// How things on the table choose options: by clicks, drags and keys.

import { find, isTyping } from "../dom.js";
import {
  decisions,
  frame,
  groups,
  here,
  isLive,
  now,
  options,
  optionsAt,
  outlook,
  seatOf,
  seen,
  take,
  undo,
} from "./state.js";
import { isIn } from "./things.js";
import { engine } from "../engine.js";

/**
 * Chooses by a thing: a single option is taken, several are listed. Touch has no hover, so the first touch
 * only lists the options.
 * @param {Thing | null} thing @param {boolean} [isByTouch]
 */
export function pick(thing, isByTouch = false) {
  const found = optionsAt(thing);
  const isListed = JSON.stringify(here.value) === JSON.stringify(thing);
  if (found.length === 1 && (!isByTouch || isListed)) take(found[0].option, found[0].aside);
  else if (found.length) {
    here.value = thing;
    // The list is drawn before the next frame.
    requestAnimationFrame(() => find("#ask .choice")?.focus({ preventScroll: true }));
  }
}

/** Shows what choosing a thing would do. @param {Thing | null} thing */
export function point(thing) {
  const found = optionsAt(thing);
  if (found.length === 1) preview(found[0].option, found[0].aside);
  else leave();
}

/** A short hover asks for nothing. */
const PATIENCE = 140;
/** @type {number | undefined} */
let timer;
/** @typedef {{ outlook?: Api.Outlook | null, odds?: Api.Chances | null }} Imagined */
/**
 * What is known of options, by their keys, at a version of the table.
 * @type {{ version: number | undefined, of: Map<string, Imagined> }}
 */
const known = { version: -1, of: new Map() };

/**
 * Shows the consequences of an option: at once those that it says itself, and soon those that the engine
 * imagines.
 * @param {Api.OptionInWords} option @param {boolean} [aside] @param {boolean} [isAtOnce]
 */
export function preview(option, aside, isAtOnce = false) {
  if (seen.value === option && !isAtOnce) return;
  leave();
  seen.value = option;
  if (aside || !seatOf()) return;
  timer = setTimeout(() => ask(option), isAtOnce ? 0 : PATIENCE);
}

export function leave(option = seen.value) {
  if (option !== seen.value) return;
  clearTimeout(timer);
  seen.value = null;
  outlook.value = null;
}

/** @param {Api.OptionInWords} option */
async function ask(option) {
  const { version } = now.value ?? {};
  if (known.version !== version) {
    known.version = version;
    known.of.clear();
  }
  const entry = known.of.get(option.key) ?? {};
  known.of.set(option.key, entry);
  try {
    entry.outlook ??= await engine.outlook(seatOf(), option.key);
    if (seen.value !== option || !entry.outlook) return;
    outlook.value = { option, ...entry.outlook, odds: entry.odds };
    if (entry.odds === undefined) entry.odds = await engine.odds(seatOf(), option.key);
    if (seen.value === option) outlook.value = { option, ...entry.outlook, odds: entry.odds };
  } catch {
    // The game has moved on, or the reader points at another option.
    known.of.delete(option.key);
  }
}

/** The space to which the next piece goes, if it can. */
/** @type {string | null} */
let then = null;

/** Handles a drag of a thing to a space. @param {Thing | null} thing @param {string} space */
export function drop(thing, space) {
  const found = optionsAt(thing);
  const both = found.filter(({ option }) => isIn(option, space) && option.places.length > 1);
  if (both.length) return both.length === 1 ? take(both[0].option, both[0].aside) : pick(thing);
  const marching = thing?.space && groups.value.find(({ from }) => from === thing.space);
  const first =
    marching && decisions.value.flatMap(({ options }) => options).find(({ key }) => key === marching.key);
  then = space;
  if (first) return take(first, false, marching.from).then(goOn);
  if (found.length !== 1) return pick(thing);
  return take(found[0].option, found[0].aside).then(goOn);
}

/** Continues a drag: sends the piece to the space where it was dropped. */
function goOn() {
  const space = then;
  then = null;
  const there = space
    ? options.value.filter(({ option }) => option.verb === "to" && isIn(option, space))
    : [];
  if (there.length === 1) take(there[0].option);
}

/** The options that keys take, in the order in which they are listed. */
/** @type {Api.OptionInWords[]} */
let listed = [];
/** @type {Api.OptionInWords | null} */
let last = null;
/** @param {Api.OptionInWords[]} options @param {Api.OptionInWords | null} act */
export const list = (options, act) => {
  listed = options;
  last = act;
};

let byKey = false;
/** Whether the last input came from the keyboard. */
export const isByKey = () => byKey;
document.addEventListener("pointerdown", () => {
  byKey = false;
});

document.addEventListener("keydown", (event) => {
  byKey = true;
  if (isTyping(event) || find("#table").hidden || !isLive.value) return;
  const { key } = event;
  const isFree = !(
    /** @type {Element} */ (event.target).closest?.(
      "button, a, input, summary, .lit, [tabindex]:not(.question)",
    )
  );
  if (/^[1-9]$/.test(key) && listed[Number(key) - 1]) take(listed[Number(key) - 1]);
  else if (key === "Enter" && isFree && last) take(last);
  else if (key === "u") undo();
  else if (key === "Escape" && frame.value) frame.value.skip();
  else if (key === "Escape") here.value = null;
  else if (key === "/" && find(".finder")) {
    event.preventDefault();
    find(".finder").focus();
  }
});
