// Shows pieces that move: after a change of the board, and while they are dragged.

import { find, findAll, make } from "./dom.js";

const DURATION = 520;
/** A pointer that moves less than this clicks. */
const SLACK = 8;

/** @param {HTMLElement | SVGElement} piece */
const key = (piece) => `${piece.dataset.kind} ${piece.dataset.owner ?? ""}`;
/** @param {Element} element */
const middle = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

/** Records where the pieces of a board are, for a later `animate`. @param {Element} board */
export function note(board) {
  return findAll(".piece[data-at]", board).map((piece) => ({
    key: key(piece),
    at: piece.dataset.at,
    count: count(piece),
    middle: middle(piece),
  }));
}

/** @param {Element} piece */
const count = (piece) =>
  Number(
    /×(\d+)|(\d+)$/
      .exec(find("title", piece)?.textContent ?? "")
      ?.slice(1)
      .find(Boolean) ?? 1,
  );

/**
 * Moves pieces from their old places to their new ones. Ends at once if the user prefers reduced motion.
 * @param {ReturnType<typeof note>} before @param {SVGSVGElement} board
 */
export function animate(before, board) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !board.getScreenCTM) return;
  const left = [...before];
  /** @type {SVGGraphicsElement[]} */
  const moved = [];
  /** @type {SVGGraphicsElement[]} */
  const pieces = findAll(".piece[data-at]", board);
  for (const piece of pieces) {
    const stayed = left.findIndex((old) => old.key === key(piece) && old.at === piece.dataset.at);
    if (stayed >= 0) left.splice(stayed, 1);
    else moved.push(piece);
  }
  for (const piece of moved) {
    const from = left.findIndex((old) => old.key === key(piece));
    const to = middle(piece);
    // Piles of pieces grow.
    const scale = /** @type {SVGGraphicsElement | null} */ (piece.parentNode)?.getScreenCTM()?.a || 1;
    const way =
      from >= 0
        ? { x: (left[from].middle.x - to.x) / scale, y: (left[from].middle.y - to.y) / scale }
        : { x: 0, y: -26 };
    if (from >= 0) left.splice(from, 1);
    piece.animate(
      [
        { transform: `translate(${way.x}px, ${way.y}px)`, opacity: from >= 0 ? 1 : 0 },
        { transform: "translate(0, 0)", opacity: 1 },
      ],
      { duration: DURATION, easing: "ease-in-out", composite: "add" },
    );
  }
}

/** Ends all motion at once. */
export function skip() {
  for (const animation of document.getAnimations()) animation.finish();
}

const LIT = ".held.lit, .held.beside-lit, .laid.lit, #map .piece.lit, #map .space.lit";

/**
 * The highlighted element under the mouse. A piece that is not highlighted stands for its space.
 * @param {EventTarget | null} target @returns {HTMLElement | null}
 */
function litAt(target) {
  const element = /** @type {Element} */ (target);
  /** @type {HTMLElement | null | undefined} */
  const direct = element.closest?.(LIT);
  /** @type {HTMLElement | null | undefined} */
  const piece = direct ? null : element.closest?.("#map .piece");
  const at = piece?.dataset.at;
  return direct ?? (at ? find(`#map .space.lit[data-space="${CSS.escape(at)}"]`) : null);
}

/**
 * Calls `drop(element, space)` when a highlighted element was dragged to a space of the board.
 * @param {(element: Element, space: string) => void} drop
 * @param {(event: PointerEvent) => boolean} isDrag whether a press on the board begins a drag
 * @param {(element: Element) => Element | null} pictureOf what is carried
 */
export function follow(drop, isDrag, pictureOf) {
  /** @type {{ element: Element, x: number, y: number, ghost: HTMLElement | null } | null} */
  let held = null;
  /** @param {PointerEvent} event */
  const lit = (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return null;
    const element = litAt(event.target);
    return element && (!element.closest("#map") || isDrag(event)) ? element : null;
  };
  document.addEventListener("pointerdown", (event) => {
    skip();
    const element = lit(event);
    held = element ? { element, x: event.clientX, y: event.clientY, ghost: null } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) > SLACK) {
      const name = (
        find("title", held.element)?.textContent ??
        find(".unseen", held.element)?.textContent ??
        ""
      ).split(/[.\n]/)[0];
      held.ghost = make("div", { class: "ghost", "aria-hidden": "true" }, pictureOf(held.element) ?? name);
      document.body.append(held.ghost);
      document.body.classList.add("dragging");
      getSelection()?.removeAllRanges();
    }
    if (held.ghost) held.ghost.style.translate = `${event.clientX + 10}px ${event.clientY + 10}px`;
  });
  /** @param {PointerEvent} event */
  const end = (event) => {
    const dragged = held;
    held = null;
    if (!dragged?.ghost) return;
    const { element } = dragged;
    dragged.ghost.remove();
    document.body.classList.remove("dragging");
    // The click event that follows a drag is not a click.
    /** @param {Event} click */
    const stop = (click) => click.stopPropagation();
    addEventListener("click", stop, { capture: true });
    setTimeout(() => removeEventListener("click", stop, { capture: true }));
    const below = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
    /** @type {HTMLElement | null | undefined} */
    const space = below?.closest("#map .space, #map .piece");
    const target = space?.dataset.space ?? space?.dataset.at;
    if (target && element.isConnected && element !== space) drop(element, target);
  };
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
    document.addEventListener(name, end);
}
