// Outlines of spaces, drawn corner by corner on the map of the files. They are part of the packs' looks.

import { arrowOf, find, make, say, shape } from "./dom.js";
import * as files from "./files.js";
import { t } from "./words.js";

/** The space whose outline is drawn, its corners, and whether they surround it already. */
/**
 * @type {{ space: Api.SpaceOnMap | null, corners: Point[], isClosed: boolean, isCurved: boolean,
 *   held: { at: number, x: number, y: number, isMoved?: boolean } | null }}
 */
const state = { space: null, corners: [], isClosed: false, isCurved: false, held: null };
/** @type {{ looks: Api.LookOnMap[], redraw: () => void, size: number }} */
let context = { looks: [], redraw: () => {}, size: 1 };

/**
 * Sets the looks of the packs, the size of a space on the map, and what draws the map again.
 * @param {Api.LookOnMap[]} looks @param {number} size @param {() => void} redraw
 */
export function begin(looks, size, redraw) {
  context = {
    looks: looks.map((look) => ({
      ...look,
      spaces: files.valueAt(look.place, { spaces: look.spaces ?? undefined }).spaces,
    })),
    size,
    redraw,
  };
}

/**
 * The path of a space's outline; null if no look has one.
 * @param {Api.SpaceOnMap} space @returns {string | null}
 */
export const pathOf = (space) => homeOf(space)?.spaces?.[space.id]?.outline ?? null;

/**
 * The look with the outline of a space or, if there is none, the look that will have it.
 * @param {Api.SpaceOnMap} space
 */
function homeOf(space) {
  const { looks } = context;
  return (
    looks.findLast((look) => look.spaces?.[space.id]?.outline) ??
    looks.find((look) => look.place.is_writable && look.place.pack === space.place?.pack) ??
    looks.findLast((look) => look.place.is_writable)
  );
}

/** @param {number} x @param {number} y @returns {Point} */
const point = (x, y) => [x, y];

/** The corners of a path that has only straight lines; null if it has others. @param {string} path */
function cornersOf(path) {
  if (/[^MLHVZz\d\s.,+-]/.test(path)) return null;
  /** @type {Point[]} */
  const corners = [];
  for (const [, command, rest] of path.matchAll(/([MLHVZz])([^MLHVZz]*)/g)) {
    const numbers = (rest.match(/[+-]?\d*\.?\d+/g) ?? []).map(Number);
    const [x, y] = corners.at(-1) ?? [0, 0];
    if (command === "H") corners.push(...numbers.map((value) => point(value, y)));
    else if (command === "V") corners.push(...numbers.map((value) => point(x, value)));
    else for (let at = 0; at + 1 < numbers.length; at += 2) corners.push([numbers[at], numbers[at + 1]]);
  }
  return corners;
}

/** Chooses the space whose outline is drawn. @param {Api.SpaceOnMap | null | undefined} space */
export function pick(space) {
  const path = space && pathOf(space);
  const corners = path ? cornersOf(path) : [];
  Object.assign(state, {
    space,
    corners: corners ?? [],
    isClosed: !!corners?.length,
    isCurved: !corners,
    held: null,
  });
}

/** Follows a change of the files. @param {Api.SpaceOnMap | null | undefined} space */
export function follow(space) {
  if (!state.held && !isOpen()) pick(space);
}

export const pickedId = () => state.space?.id;
/** Whether an outline has been begun and not yet closed. */
export const isOpen = () => state.corners.length > 0 && !state.isClosed;

/** @param {number[]} corner @returns {Point} */
const tidy = ([x, y]) =>
  context.size < 4 ? [Math.round(x * 100) / 100, Math.round(y * 100) / 100] : [Math.round(x), Math.round(y)];

/** Adds a corner. @param {Point} corner */
export function add(corner) {
  if (!state.space || state.isClosed) return;
  state.isCurved = false;
  state.corners.push(tidy(corner));
  context.redraw();
}

async function close() {
  if (state.corners.length < 3) return;
  state.isClosed = true;
  await save(`M${state.corners.map((corner) => corner.join(" ")).join("L")}Z`);
}

/** A hexagon around the space, as a start. */
async function around() {
  const [x, y] = state.space?.value.at ?? [0, 0];
  const far = context.size * 1.4;
  state.corners = [0, 1, 2, 3, 4, 5].map((at) =>
    tidy([x + far * Math.cos((at * Math.PI) / 3), y + far * Math.sin((at * Math.PI) / 3)]),
  );
  state.isCurved = false;
  await close();
}

/** Writes the path into a look; null takes it away. @param {string | null} path */
async function save(path) {
  const { space } = state;
  if (!space) return;
  const home = homeOf(space);
  if (!home?.place.is_writable) {
    say(t("map-no-look"));
    return;
  }
  const own = home.spaces?.[space.id];
  const entry = `/spaces/${files.escape(space.id)}`;
  const isAlone = own && Object.keys(own).length === 1;
  const [below, value] =
    path == null
      ? [isAlone ? entry : `${entry}/outline`, undefined]
      : own
        ? [`${entry}/outline`, path]
        : home.spaces
          ? [entry, { outline: path }]
          : ["/spaces", { [space.id]: { outline: path } }];
  await files.stage(t("edit-map-outline", space.name), {
    do: "at",
    pack: home.place.pack,
    path: home.place.path,
    pointer: home.place.pointer + below,
    value: value ?? null,
  });
  context.redraw();
}

/** The outlines of all spaces, to be put behind the spaces. @param {Api.SpaceOnMap[]} spaces */
export const behind = (spaces) =>
  spaces
    .filter((space) => space.id !== pickedId() && pathOf(space))
    .map((space) => shape("path", { d: pathOf(space), class: "outline", "stroke-width": context.size / 10 }));

/** The outline that is drawn, with its corners, to be put before the spaces. */
export function before() {
  if (!state.space) return [];
  const { corners, isClosed, isCurved } = state;
  const thin = context.size / 8;
  const path = isCurved
    ? pathOf(state.space)
    : corners.length
      ? `M${corners.map((corner) => corner.join(" ")).join("L")}${isClosed ? "Z" : ""}`
      : null;
  return [
    path && shape("path", { d: path, class: "outline picked", "stroke-width": thin }),
    ...corners.map(handle),
  ];
}

/** @param {Point} corner @param {number} at */
function handle(corner, at) {
  const { isClosed } = state;
  const isEnd = !at && !isClosed && state.corners.length > 2;
  const dot = shape("circle", {
    cx: corner[0],
    cy: corner[1],
    r: context.size / (isEnd ? 2.6 : 4),
    class: "corner",
    "stroke-width": context.size / 12,
    tabindex: "0",
    role: "button",
    "data-corner": at,
    "aria-label": isEnd ? t("map-close") : t("map-corner", at + 1),
  });
  dot.addEventListener("pointerdown", (event) => {
    if (isClosed) state.held = { at, x: event.clientX, y: event.clientY };
  });
  dot.addEventListener("click", (event) => {
    event.stopPropagation();
    if (isEnd) close();
  });
  dot.addEventListener("keydown", (event) => key(event, at, isEnd));
  return dot;
}

/** @param {KeyboardEvent} event @param {number} at @param {boolean} isEnd */
async function key(event, at, isEnd) {
  const way = arrowOf(event.key);
  if (event.key === "Enter" && isEnd) await close();
  if (event.key === "Delete" && state.corners.length > 3) {
    state.corners.splice(at, 1);
    if (state.isClosed) await close();
  }
  if (!way) return;
  event.preventDefault();
  const far = Math.max(context.size / 8, 0.01);
  const [x, y] = state.corners[at];
  state.corners[at] = tidy([x + way[0] * far, y + way[1] * far]);
  if (state.isClosed) await close();
  context.redraw();
  find(`[data-corner="${at}"]`)?.focus();
}

/** Moves a corner that is dragged. Returns whether one is. @param {Point} corner */
export function drag(corner) {
  if (!state.held) return false;
  state.corners[state.held.at] = tidy(corner);
  state.held.isMoved = true;
  const dot = document.querySelector(`[data-corner="${state.held.at}"]`);
  dot?.setAttribute("cx", String(corner[0]));
  dot?.setAttribute("cy", String(corner[1]));
  return true;
}

export async function drop() {
  const { held } = state;
  state.held = null;
  if (held?.isMoved) await close();
}

/** The buttons for the picked space. */
export const tools = () => [
  make(
    "p",
    { class: "quiet" },
    state.isClosed || state.isCurved ? t("map-outline-drawn") : t("map-outline-new"),
  ),
  make(
    "div",
    { class: "row" },
    make(
      "button",
      { id: "outline-around", onclick: around },
      t(state.isClosed || state.isCurved ? "map-around-again" : "map-around"),
    ),
    state.isClosed || state.isCurved
      ? make(
          "button",
          {
            id: "outline-none",
            onclick: async () => {
              await save(null);
              pick(null);
              context.redraw();
            },
          },
          t("map-outline-none"),
        )
      : null,
  ),
];
