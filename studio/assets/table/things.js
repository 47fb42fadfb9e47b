// Things on the table: spaces, pieces, cards, seats and zones, and the options that are about them.

import { findAll } from "../dom.js";

/** @param {string | null | undefined} a @param {string | null | undefined} b */
const same = (a, b) => (a ?? "") === (b ?? "");

/**
 * The thing that an element shows; null if it shows none.
 * @param {EventTarget | null | undefined} element @returns {Thing | null}
 */
export function thingOf(element) {
  /** @type {HTMLElement | null | undefined} */
  const shown = /** @type {Element | null | undefined} */ (element)?.closest?.(
    ".piece[data-at], .space[data-space], [data-card], [data-faction], [data-zone]",
  );
  if (!shown) return null;
  const { kind, at, owner, space, card, faction, zone } = shown.dataset;
  if (shown.matches(".piece")) return { piece: { kind: kind ?? "", space: at ?? "", owner: owner ?? null } };
  if (space) return { space };
  if (card) return { card: { card } };
  return faction ? { faction } : { zone };
}

/** Whether a place of an option is a thing. @param {Thing} place @param {Thing | null} thing */
export function isPlace(place, thing) {
  if (!thing) return false;
  if (place.piece && thing.piece)
    return (
      place.piece.kind === thing.piece.kind &&
      place.piece.space === thing.piece.space &&
      same(place.piece.owner, thing.piece.owner)
    );
  if (place.card && thing.card) return place.card.card === thing.card.card;
  const names = /** @type {const} */ (["space", "faction", "zone"]);
  return names.some((name) => place[name] && place[name] === thing[name]);
}

/**
 * Whether an option involves a space, or a piece on it.
 * @param {Api.OptionInWords} option @param {string} space
 */
export const isIn = (option, space) =>
  option.places.some((place) => place.space === space || place.piece?.space === space);

/** Whether an option is about a thing. @param {Api.OptionInWords} option @param {Thing | null} thing */
export const isAbout = (option, thing) => option.places.some((place) => isPlace(place, thing));

/**
 * The elements of a board that show a thing.
 * @param {Element | null} board @param {Thing} thing @returns {SVGGraphicsElement[]}
 */
export function elementsOf(board, thing) {
  if (!board) return [];
  if (thing.space) return findAll(`.space[data-space="${CSS.escape(thing.space)}"]`, board);
  if (!thing.piece) return [];
  const { kind, space, owner } = thing.piece;
  /** @type {SVGGraphicsElement[]} */
  const all = findAll(`.piece[data-kind="${CSS.escape(kind)}"][data-at="${CSS.escape(space)}"]`, board);
  return all.filter((piece) => same(piece.dataset.owner, owner));
}
