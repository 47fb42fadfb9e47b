// The board: what is drawn by the engine, what can be chosen on it, what has changed.

import { drawing, find, findAll, isTyping } from "../dom.js";
import * as motion from "../motion.js";
import { t } from "../words.js";
import { pick, point } from "./choosing.js";
import { ICONS, Icon } from "./pictures.js";
import { PanZoom } from "./panzoom.js";
import * as plans from "./plans.js";
import {
  decisions,
  frame,
  groups,
  here,
  isBeside,
  isLit,
  isLive,
  isNarrow,
  isTouch,
  now,
  options,
  outlook,
  seen,
  shown,
  since,
} from "./state.js";
import { elementsOf, isPlace, thingOf } from "./things.js";
import { effect, html, useEffect, useLayoutEffect, useRef } from "./view.js";

/** @type {PanZoom | null} */
let view = null;
/** @type {SVGSVGElement | null} */
let board = null;
/** The drawing that is on the page. */
/** @type {string | null} */
let text = null;
/** What each space looked like when the present was last shown. */
/** @type {Map<string, string>} */
let last = new Map();
/** What each space looked like at the reader's last answer. */
/** @type {{ since: number, epoch: number, seat?: string | null, spaces: Map<string, string> }} */
let before = { since: -1, epoch: -1, spaces: new Map() };

/**
 * The lit element at a point of the board. A piece that cannot be chosen does not hide its space.
 * @param {EventTarget | null} target @returns {HTMLElement | null}
 */
export function litAt(target) {
  const element = /** @type {Element} */ (target);
  /** @type {HTMLElement | null | undefined} */
  const piece = element.closest?.(".piece:not(.lit)");
  const below =
    piece && board && find(`.space.lit[data-space="${CSS.escape(piece.dataset.at ?? "")}"]`, board);
  return below ?? element.closest?.(".piece.lit, .space.lit") ?? null;
}

/**
 * Whether a press begins a drag of something that can be chosen. An enlarged board is moved, unless a piece
 * is pressed.
 * @param {Event} event
 */
export function isDrag(event) {
  const lit = litAt(event.target);
  if (!lit) return false;
  return (
    !view ||
    view.zoom <= 1.001 ||
    lit.matches(".piece") ||
    groups.value.some(({ from }) => from === lit.dataset.space)
  );
}

/** What each space shows, as texts to compare. @param {SVGSVGElement} svg */
function spacesOf(svg) {
  /** @type {Map<string, string>} */
  const spaces = new Map();
  for (const space of findAll(".space[data-space]", svg))
    spaces.set(space.dataset.space ?? "", find("title", space)?.textContent ?? "");
  for (const part of findAll("[data-at], [data-tile]", svg)) {
    const at = part.dataset.at ?? part.dataset.tile ?? "";
    spaces.set(
      at,
      `${spaces.get(at) ?? ""}|${part.dataset.kind ?? ""} ${part.dataset.owner ?? ""} ` +
        `${find("title", part)?.textContent ?? part.outerHTML}`,
    );
  }
  return spaces;
}

/** Marks the spaces that have changed since the reader's last answer. @param {Shown} picture */
function markChanges(picture) {
  if (!board || !now.value) return;
  const spaces = spacesOf(board);
  if (before.epoch !== now.value.epoch || before.seat !== picture.seat)
    before = { since: since.value, epoch: now.value.epoch, seat: picture.seat, spaces };
  // The reader has answered: the last board of before is what changes are compared with.
  else if (before.since !== since.value) before = { ...before, since: since.value, spaces: last };
  last = isLive.value && !frame.value ? spaces : last;
  for (const [id, text] of spaces) {
    if (before.spaces.get(id) !== text)
      for (const space of elementsOf(board, { space: id })) space.classList.add("changed");
  }
}

/** The lit thing that the tab key reaches; arrow keys lead from it to the others. */
/** @type {Thing | null} */
let stop = null;

/** Lights what can be chosen, for mouse and keyboard. */
function light() {
  if (!board) return;
  const isPlaying = !!frame.value;
  for (const element of findAll(".space, .piece", board)) {
    const thing = thingOf(element);
    const lit = !isPlaying && isLit(thing);
    element.classList.toggle("lit", lit);
    element.classList.toggle("beside-lit", !isPlaying && !lit && isBeside(thing));
    element.classList.toggle("chosen", !!here.value && isPlace(here.value, thing));
    if (lit) {
      element.setAttribute("tabindex", "-1");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", (find("title", element)?.textContent ?? "").replaceAll("\n", ", "));
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    }
  }
  const all = findAll(".lit", board);
  board.classList.toggle("many-lit", all.length > 20);
  reach(all.find((element) => stop && isPlace(stop, thingOf(element))) ?? all[0]);
}

/** Lets the tab key reach one lit element. @param {Element | null | undefined} element */
function reach(element) {
  if (!element || !board) return;
  for (const other of findAll(".lit[tabindex='0']", board)) other.setAttribute("tabindex", "-1");
  element.setAttribute("tabindex", "0");
  stop = thingOf(element);
}

/** Shows the board of a moment. @param {Shown} picture @param {string} drawn */
function draw(picture, drawn) {
  if (!view) return;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.space;
  const isOther = drawn !== text;
  if (isOther) {
    const old = board ? motion.note(board) : [];
    text = drawn;
    board = drawing(drawn);
    find("#map .paper").replaceChildren(board);
    const isFirst = !view.svg;
    view.show(board);
    if (isFirst && isNarrow.value) requestAnimationFrame(showLit);
    if (old.length && isLive.value) motion.animate(old, board);
  }
  markChanges(picture);
  light();
  if (focused && isOther && board)
    find(`.space.lit[data-space="${CSS.escape(focused)}"]`, board)?.focus({ preventScroll: true });
}

/** On a phone, the board opens at what can be chosen, as large as its names need it. */
function showLit() {
  if (!board || !view?.svg) return;
  /** @type {SVGGraphicsElement[]} */
  const lit = findAll(".lit", board);
  /** @type {SVGGraphicsElement[]} */
  const own = shown.value?.seat ? findAll(`.piece[data-owner="${CSS.escape(shown.value.seat)}"]`, board) : [];
  /** @type {Rect[]} */
  const boxes = (lit.length ? lit : own).map((element) => element.getBBox());
  if (!boxes.length) boxes.push(view.whole);
  const [left, top] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const [right, low] = [
    Math.max(...boxes.map((box) => box.x + box.width)),
    Math.max(...boxes.map((box) => box.y + box.height)),
  ];
  view.showPart({ x: left, y: top, width: right - left, height: low - top }, view.legible);
}

const lights = () => (board ? findAll(".lit", board) : []);

/** The lit element that is next in a direction. @param {HTMLElement} from @param {string} key */
function next(from, key) {
  /** @param {Element} element @returns {Point} */
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  const along = key === "ArrowLeft" || key === "ArrowRight" ? 0 : 1;
  const sign = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  /** @param {Element} element */
  const cost = (element) => {
    const way = [middle(element)[0] - x, middle(element)[1] - y];
    const far = sign * way[along];
    return far > 4 ? far + 2 * Math.abs(way[1 - along]) : Infinity;
  };
  return lights()
    .map((element) => ({ element, far: cost(element) }))
    .filter(({ far }) => far < Infinity)
    .sort((a, b) => a.far - b.far)[0]?.element;
}

/**
 * The lit element that is next in the drawing. Not all are the next one in a direction, but each follows
 * another. Null is before the first and after the last.
 * @param {HTMLElement | null} from @param {string} key
 */
function following(from, key) {
  const all = lights();
  const at = from ? all.indexOf(from) : -1;
  return key === "PageDown" ? all[(at + 1) % all.length] : all.at(at < 0 ? -1 : at - 1);
}

/**
 * Whether no list and no slider under the focus needs the key for itself.
 * @param {string} key @param {Element} target
 */
function isSpare(key, target) {
  const list = target.closest?.(".scrolls");
  const isNeeded = list && list.scrollHeight > list.clientHeight;
  return key.startsWith("Page") && !isNeeded && !target.closest?.("[role=slider], input, select, dialog");
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (isTyping(event) || find("#table").hidden || !view) return;
  const target = /** @type {Element} */ (event.target);
  /** @type {HTMLElement | null | undefined} */
  const lit = target.closest?.("#map .lit");
  if (lit && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    pick(thingOf(lit));
  } else if (lit && /^(Arrow|Page)/.test(event.key)) {
    event.preventDefault();
    (event.key.startsWith("Page") ? following : next)(lit, event.key)?.focus();
  } else if (isSpare(event.key, target) && following(null, event.key)) {
    event.preventDefault();
    following(null, event.key)?.focus();
  } else if (!target.closest?.(".scrolls, [role=slider], input") && view.key(event.key)) {
    event.preventDefault();
  }
}

/** Binds the board to the pointer and the keys, once. @param {HTMLElement} map */
function bind(map) {
  view = new PanZoom(map, isDrag, drawPlans);
  map.addEventListener("click", (event) => {
    const lit = litAt(event.target);
    if (lit) pick(thingOf(lit), isTouch(event));
  });
  map.addEventListener("pointerover", (event) => {
    if (!isTouch(event)) point(thingOf(litAt(event.target)));
  });
  map.addEventListener("pointerleave", () => point(null));
  map.addEventListener("focusin", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.matches(".lit")) reach(target);
    if (target.matches(":focus-visible")) point(thingOf(litAt(target)));
  });
  document.addEventListener("keydown", key);
  effect(() => {
    if (shown.value) draw(shown.value, frame.value?.board ?? shown.value.board);
  });
  effect(() => {
    if (options.value && here.value !== undefined && frame.value !== undefined) light();
  });
  effect(() => {
    const marked = seen.value?.places ?? [];
    for (const element of findAll(".seen", map)) element.classList.remove("seen");
    for (const place of marked) for (const element of elementsOf(board, place)) element.classList.add("seen");
  });
  effect(() => {
    const changing = outlook.value?.spaces ?? [];
    for (const element of findAll(".changes", map)) element.classList.remove("changes");
    for (const space of changing)
      for (const element of elementsOf(board, { space })) element.classList.add("changes");
  });
  effect(() => {
    const picture = frame.value ? null : shown.value;
    planned = {
      moves: picture?.planned ?? [],
      about: picture ? decisions.value.flatMap((decision) => decision.about) : [],
      option: seen.value,
    };
    drawPlans();
  });
}

/** @type {{ moves: Api.PlannedMove[], about: Thing[], option: Api.OptionInWords | null }} */
let planned = { moves: [], about: [], option: null };

/** Draws the plans again, since what they lead to moves with the zoom. */
function drawPlans() {
  if (board && view)
    plans.draw(
      board,
      planned.moves,
      planned.about,
      planned.option,
      spotOf,
      (place) => elementsOf(board, place),
      view.scale,
    );
}

/**
 * The place of the drawing at which plans begin or end: where a piece is, or the pieces of a space, or its
 * middle.
 * @param {Thing} place
 */
function spotOf(place) {
  const space = place.space ?? place.piece?.space ?? "";
  if (!board) return null;
  const element =
    (place.piece && elementsOf(board, place)[0]) ??
    find(`.stack[data-stack="${CSS.escape(space)}"]`, board) ??
    elementsOf(board, { space })[0]?.querySelector(".hit");
  const turn = board.getScreenCTM()?.inverse();
  if (!element || !turn) return null;
  const { x, y, width, height } = element.getBoundingClientRect();
  return new DOMPoint(x + width / 2, y + height / 2).matrixTransform(turn);
}

/** A picture of a dragged thing. @param {Element} element */
export const pictureOf = (element) => {
  const piece = thingOf(element)?.piece;
  return piece ? pictureOfPiece(piece) : null;
};

/** A copy of a piece on the board, as a picture of its own. @param {NonNullable<Thing["piece"]>} piece */
export function pictureOfPiece(piece) {
  const element = board && elementsOf(board, { piece })[0];
  const box = element?.getBBox();
  if (!element || !box?.width) return null;
  const copy = drawing('<svg xmlns="http://www.w3.org/2000/svg" class="drawing glyph" aria-hidden="true"/>');
  copy.setAttribute("viewBox", `${box.x - 2} ${box.y - 2} ${box.width + 4} ${box.height + 4}`);
  const inner = /** @type {Element} */ (element.cloneNode(true));
  for (const name of ["class", "data-at", "data-kind", "data-owner", "tabindex", "role", "aria-label"])
    inner.removeAttribute(name);
  inner.querySelector("title")?.remove();
  for (const letters of inner.querySelectorAll("text")) letters.remove();
  copy.append(inner);
  return copy;
}

function Buttons() {
  /** @param {string} key @param {string} path @param {() => void} work */
  const button = (key, path, work) =>
    html`<button class="round" aria-label=${t(key)} title=${t(key)} onClick=${work}>
      <${Icon} path=${path} />
    </button>`;
  return html`<div class="zoom" role="group" aria-label=${t("zoom")}>
    ${button("zoom-in", ICONS.plus, () => view?.zoomBy(1.5))}
    ${button("zoom-out", ICONS.minus, () => view?.zoomBy(1 / 1.5))}
    ${button("zoom-fit", ICONS.fit, () => view?.fitAll())}
  </div>`;
}

/**
 * The board with its buttons. Drawers, dice and the preview of an option lie above it.
 * @param {{ children: unknown }} props
 */
export function Board({ children }) {
  const map = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => bind(/** @type {HTMLElement} */ (map.current)), []);
  // Before anything is painted: another person may look next.
  useLayoutEffect(() => {
    if (shown.value) return;
    text = null;
    board = null;
    find("#map .paper").replaceChildren();
  }, [!shown.value]);
  return html`<div class="middle" data-part="board-box">
    <section id="map" aria-label=${t("board")} ref=${map}>
      <div class="paper" data-part="board"></div>
    </section>
    <${Buttons} />
    ${children}
  </div>`;
}
