// Things on the table: spaces, pieces, cards, seats and zones, and the options that are about them.

const same = (a, b) => (a ?? "") === (b ?? "");

/**
 * A thing that an option can be about; the shape is that of a place in the server's options.
 * @typedef {{space?: string, piece?: {kind: string, space: string, owner: string | null}, card?: {card:
 *   string}, faction?: string, zone?: string}} Thing
 */

/** The thing that an element shows; null if it shows none. @returns {Thing | null} */
export function thingOf(element) {
  const shown = element?.closest?.(
    ".piece[data-at], .space[data-space], [data-card], [data-faction], [data-zone]",
  );
  if (!shown) return null;
  const { kind, at, owner, space, card, faction, zone } = shown.dataset;
  if (shown.matches(".piece")) return { piece: { kind, space: at, owner: owner ?? null } };
  if (space) return { space };
  if (card) return { card: { card } };
  return faction ? { faction } : { zone };
}

/** Whether a place of an option is a thing. */
export function isPlace(place, thing) {
  if (!thing) return false;
  if (place.piece && thing.piece)
    return (
      place.piece.kind === thing.piece.kind &&
      place.piece.space === thing.piece.space &&
      same(place.piece.owner, thing.piece.owner)
    );
  if (place.card && thing.card) return place.card.card === thing.card.card;
  return ["space", "faction", "zone"].some((name) => place[name] && place[name] === thing[name]);
}

/** Whether an option involves a space, or a piece on it. */
export const isIn = (option, space) =>
  option.places.some((place) => place.space === space || place.piece?.space === space);

/** Whether an option is about a thing. */
export const isAbout = (option, thing) => option.places.some((place) => isPlace(place, thing));

/** The elements of a board that show a thing. */
export function elementsOf(board, thing) {
  if (!board) return [];
  if (thing.space) return [...board.querySelectorAll(`.space[data-space="${CSS.escape(thing.space)}"]`)];
  if (!thing.piece) return [];
  const all = [
    ...board.querySelectorAll(
      `.piece[data-kind="${CSS.escape(thing.piece.kind)}"][data-at="${CSS.escape(thing.piece.space)}"]`,
    ),
  ];
  return all.filter((piece) => same(piece.dataset.owner, thing.piece.owner));
}
