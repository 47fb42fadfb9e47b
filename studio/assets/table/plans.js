// Plans: what a decision is about, and where the option under the pointer would move it, as an arrow. Nothing
// of it has happened yet.

import { shape } from "../dom.js";

/** @typedef {{ from: Thing, to: Thing, kind?: string }} Arrow */

/** How far an arrow bends, as a part of its length, and how far it stays from its ends, in pixels. */
const BEND = 0.14;
const APART = 15;
const HEAD = 15;

/** @param {Thing} place */
const spaceOf = (place) => place.space ?? place.piece?.space;

/**
 * Where an option would move something: from the piece that it is about to another space. Null if it moves
 * nothing.
 * @param {Thing[]} about @param {Api.OptionInWords | null} option
 * @returns {Arrow | null}
 */
function moveOf(about, option) {
  if (!option) return null;
  const pieces = [...option.places, ...about].filter((place) => place.piece);
  const spaces = option.places.filter((place) => place.space);
  // A decision about a space, such as the one a unit leaves, is enough.
  const from = pieces[0] ?? about.find((place) => place.space) ?? (spaces.length > 1 ? spaces[0] : null);
  const to = from && spaces.findLast((place) => place.space !== spaceOf(from));
  return to ? { from, to } : null;
}

/**
 * An arrow between two points, in units of the drawing; `unit` is a pixel.
 * @param {DOMPoint} from @param {DOMPoint} to @param {number} unit
 */
function arrow(from, to, unit) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = Math.hypot(dx, dy) || 1;
  const middle = { x: (from.x + to.x) / 2 - dy * BEND, y: (from.y + to.y) / 2 + dx * BEND };
  /** @param {{ x: number, y: number }} end @param {number} far */
  const towards = (end, far) => {
    const way = Math.hypot(middle.x - end.x, middle.y - end.y) || 1;
    return { x: end.x + ((middle.x - end.x) * far) / way, y: end.y + ((middle.y - end.y) * far) / way };
  };
  const apart = Math.min(APART * unit, long / 4);
  const [start, tip, neck] = [towards(from, apart), towards(to, apart), towards(to, apart + HEAD * unit)];
  const [wx, wy] = [(tip.y - neck.y) * 0.5, (neck.x - tip.x) * 0.5];
  const line = `M${start.x} ${start.y}Q${middle.x} ${middle.y} ${neck.x} ${neck.y}`;
  const head = `M${tip.x} ${tip.y}L${neck.x + wx} ${neck.y + wy}L${neck.x - wx} ${neck.y - wy}Z`;
  return [
    shape("path", { class: "plan-under", d: `${line}${head}` }),
    shape("path", { class: "plan-line", d: line }),
    shape("path", { class: "plan-head", d: head }),
  ];
}

/**
 * Draws the plans of a decision on a board.
 * @param {SVGSVGElement} board
 * @param {Api.PlannedMove[]} moves what is already planned
 * @param {Thing[]} about what the decision is about
 * @param {Api.OptionInWords | null} option the option under the pointer
 * @param {(place: Thing) => DOMPoint | null} spotOf where a place is
 * @param {(place: Thing) => Element[]} elementsOf
 * @param {number} scale pixels for a unit of the drawing
 */
export function draw(board, moves, about, option, spotOf, elementsOf, scale) {
  board.querySelector(".plans")?.remove();
  for (const element of board.querySelectorAll(".about")) element.classList.remove("about");
  for (const place of about) for (const element of elementsOf(place)) element.classList.add("about");
  const move = moveOf(about, option);
  /** @type {Arrow[]} */
  const all = [
    ...moves.map(({ piece, to }) => ({ from: piece, to: { space: to }, kind: "planned" })),
    ...(move ? [move] : []),
  ];
  // Equal pieces that march together are one arrow.
  const arrows = new Map(all.map((one) => [JSON.stringify([one.from, one.to]), one]));
  const drawn = [...arrows.values()].flatMap(({ from, to, kind }) => {
    const [start, end] = [spotOf(from), spotOf(to)];
    return start && end ? [shape("g", { class: kind ?? "hinted" }, arrow(start, end, 1 / scale))] : [];
  });
  if (drawn.length) board.append(shape("g", { class: "plans", "pointer-events": "none" }, drawn));
}
