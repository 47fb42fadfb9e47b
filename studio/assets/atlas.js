// The map in the files: you can drag, add and connect spaces and draw borders and outlines, while all checks
// run.

import { arrowOf, empty, fill, find, findAll, isShown, make, reason, released, say, shape } from "./dom.js";
import * as files from "./files.js";
import { form, patchOffer, refill } from "./form.js";
import { idField } from "./ids.js";
import { get } from "./net.js";
import * as outline from "./outline.js";
import { t } from "./words.js";

/** @typedef {{ space: Api.SpaceOnMap, group: Element, x: number, y: number, moved: boolean }} Drag */

/**
 * @type {{ written: Api.SpaceOnMap[], spaces: Api.SpaceOnMap[], patching: Set<string>,
 *   factions: Record<string, string>, looks: Api.LookOnMap[], mode: string, from: string | null,
 *   selected: string | null, schema: any, drag: Drag | null }}
 */
const state = {
  written: [],
  spaces: [],
  patching: new Set(),
  factions: {},
  looks: [],
  mode: "move",
  from: null,
  selected: null,
  schema: null,
  drag: null,
};
export async function refresh() {
  try {
    const [map] = await Promise.all([get("/api/map"), files.refresh()]);
    await released();
    Object.assign(state, { written: map.spaces, factions: map.factions, looks: map.looks });
    files.place(find("#atlas-side"));
    await apply();
  } catch (error) {
    // While files have errors, the last valid map stays, and the findings explain the errors.
    if (!state.spaces.length) say(reason(error));
  }
}

/** Shows the map of the files with everything that is staged. */
async function apply() {
  const added = files
    .added("spaces")
    .filter((wish) => !state.written.some((space) => space.id === wish.value.id));
  const own = files.ownPack();
  /** @type {Api.SpaceOnMap[]} */
  const fresh = added.map((wish) => ({
    id: wish.value.id,
    name: files.textOf(`space.${wish.value.id}`, own?.languages[0] ?? "", wish.value.id),
    value: wish.value,
    place: null,
    texts: [],
    access: {
      pack: [own?.id ?? "", own?.title ?? ""],
      is_edited: true,
      is_series: false,
      patchers: [],
      patched_by: null,
    },
  }));
  state.spaces = [...state.written, ...fresh].map((space) => ({
    ...space,
    value: files.valueOf("spaces", space.id, space.value),
  }));
  outline.begin(state.looks, scale(), draw);
  if (state.mode === "outline") outline.follow(byId(outline.pickedId()));
  draw();
  if (state.mode !== "outline" && state.selected) await edit(state.selected);
}

/**
 * Stages changes of spaces as one action; says why if no edited pack may make one of them.
 * @param {string} title @param {[Api.SpaceOnMap, string, any][]} changes
 */
function stage(title, ...changes) {
  const closed = changes.map(([space]) => files.locked(space)).find((why) => why !== null);
  if (closed) {
    say(closed);
    return false;
  }
  say();
  return files.stage(
    title,
    ...changes.map(([space, below, value]) => files.change(space, "spaces", below, value)),
  );
}

/** @param {Api.SpaceOnMap} space @returns {Point} */
const at = (space) => space.value.at ?? [0, 0];
/** @param {string | null | undefined} id */
const byId = (id) => state.spaces.find((space) => space.id === id);
const scale = () => {
  const all = state.spaces.flatMap((space, index) =>
    state.spaces
      .slice(index + 1)
      .map((other) => Math.hypot(at(space)[0] - at(other)[0], at(space)[1] - at(other)[1])),
  );
  return Math.max(0.4, Math.min(...all.filter((way) => way > 0), 60) / 3);
};

function draw() {
  const size = scale();
  const xs = state.spaces.map((space) => at(space)[0]);
  const ys = state.spaces.map((space) => at(space)[1]);
  const [left, top] = [Math.min(...xs, 0) - 3 * size, Math.min(...ys, 0) - 3 * size];
  const box = [left, top, Math.max(...xs, 1) - left + 3 * size, Math.max(...ys, 1) - top + 3 * size];
  const links = state.spaces.flatMap((space) => {
    /** @param {string[] | undefined} ids @param {string} kind */
    const to = (ids, kind) => (ids ?? []).map((id) => ({ from: space, to: byId(id), kind }));
    /** @type {string[] | undefined} */
    const adjacent = space.value.adjacent;
    return [
      ...to(
        adjacent?.filter((id) => id > space.id),
        "",
      ),
      ...to(space.value.exits, "one-way"),
    ];
  });
  const svg = shape(
    "svg",
    {
      viewBox: box.map((value) => Math.round(value * 100) / 100).join(" "),
      class: "atlas",
      role: "group",
      "aria-label": t("map-label"),
    },
    links.map(
      ({ from, to, kind }) =>
        to &&
        shape("line", {
          x1: at(from)[0],
          y1: at(from)[1],
          x2: at(to)[0],
          y2: at(to)[1],
          "stroke-width": size / 8,
          class: `link ${kind}`,
        }),
    ),
    outline.behind(state.spaces),
    state.spaces.map((space) => node(space, size)),
    state.mode === "outline" ? outline.before() : [],
  );
  svg.addEventListener("click", (event) => {
    if (event.target === svg && state.mode === "add") add(point(svg, event));
    else if (state.mode === "outline") outline.add(exact(svg, event));
  });
  /** @type {HTMLElement | null | undefined} */
  const active = document.activeElement?.closest?.("#atlas-map [data-space]");
  const focused = active?.dataset.space;
  fill(find("#atlas-map"), svg);
  if (focused) find(`#atlas-map [data-space="${CSS.escape(focused)}"]`)?.focus();
  const drawn = byId(outline.pickedId());
  if (state.mode === "outline") empty(find("#space"));
  if (state.mode === "outline")
    fill(find("#space"), drawn ? [make("h2", {}, drawn.name), ...outline.tools()] : null);
  find("#atlas-help").textContent = state.from
    ? t("map-from", byId(state.from)?.name ?? "")
    : t(`map-${state.mode}-help`);
  /** @type {HTMLSelectElement} */
  const faction = find("#faction");
  const chosen = faction.value;
  fill(
    faction,
    make("option", { value: "" }, t("map-nobody")),
    Object.keys(state.factions).map((id) => make("option", { value: id, selected: id === chosen }, id)),
  );
}

/** @param {Api.SpaceOnMap} space @param {number} size */
function node(space, size) {
  const color = state.factions[space.value.home] ?? "none";
  const isNear =
    state.from === space.id || (state.mode === "outline" ? outline.pickedId() : state.selected) === space.id;
  const group = shape(
    "g",
    {
      class: `node${isNear ? " picked" : ""}`,
      "data-space": space.id,
      transform: `translate(${at(space).join(" ")})`,
      tabindex: "0",
      role: "button",
      "aria-label": space.name,
    },
    shape("circle", { r: size, fill: color === "none" ? null : color, "stroke-width": size / 8 }),
    shape(
      "text",
      {
        y: space.name.length > 3 ? size * 1.9 : size * 0.28,
        "text-anchor": "middle",
        "font-size": size * 0.8,
      },
      space.name,
    ),
  );
  group.addEventListener("pointerdown", (event) => {
    if (state.mode === "move")
      state.drag = { space, group, x: event.clientX, y: event.clientY, moved: false };
  });
  group.addEventListener("click", (event) => {
    // A corner may lie on another space.
    if (state.mode === "outline" && outline.isOpen()) return;
    event.stopPropagation();
    click(space);
  });
  group.addEventListener("keydown", (event) => {
    const way = arrowOf(event.key);
    if (event.key === "Enter") click(space);
    else if (way && state.mode === "move") {
      event.preventDefault();
      move(
        space,
        at(space).map((value, index) => value + way[index] * Math.max(1, Math.round(size / 4))),
      );
    }
  });
  return group;
}

/** @param {SVGSVGElement} svg @param {MouseEvent} event @returns {Point} */
function exact(svg, event) {
  const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
  return [place.x, place.y];
}

/** @param {SVGSVGElement} svg @param {MouseEvent} event */
const point = (svg, event) => exact(svg, event).map(Math.round);

/** @param {SVGSVGElement | null} svg @param {PointerEvent} event */
function drag(svg, event) {
  if (svg && state.mode === "outline" && outline.drag(exact(svg, event))) return;
  const held = state.drag;
  if (!svg || !held || (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < 4))
    return;
  held.moved = true;
  held.group.setAttribute("transform", `translate(${point(svg, event).join(" ")})`);
}

/** @param {SVGSVGElement} svg @param {PointerEvent} event */
function drop(svg, event) {
  outline.drop();
  const held = state.drag;
  if (held?.moved) move(held.space, point(svg, event));
  // The click event comes after this one.
  setTimeout(() => {
    state.drag = null;
  });
}

/** @param {Api.SpaceOnMap} space @param {number[]} to */
function move(space, to) {
  if (!stage(t("edit-map-move", space.name), [space, "/at", to])) draw();
}

/** @param {Api.SpaceOnMap} space */
async function click(space) {
  if (state.drag?.moved) return;
  if (state.mode === "connect") await connect(space);
  else if (state.mode === "border")
    await stage(t("edit-map-borders", space.name), [
      space,
      "/home",
      /** @type {HTMLSelectElement} */ (find("#faction")).value || null,
    ]);
  else if (state.mode === "outline") {
    outline.pick(space);
    draw();
  } else await edit(space.id);
}

/** Connects two spaces, so that each lists the other, or disconnects them. @param {Api.SpaceOnMap} space */
async function connect(space) {
  const from = state.from && byId(state.from);
  state.from = from ? null : space.id;
  if (from && from.id !== space.id) {
    /** @param {Api.SpaceOnMap} one @returns {string[]} */
    const list = (one) => one.value.adjacent ?? [];
    const isCut = list(from).includes(space.id);
    /** @param {Api.SpaceOnMap} one @param {Api.SpaceOnMap} other */
    const next = (one, other) =>
      isCut ? list(one).filter((id) => id !== other.id) : [...list(one), other.id].sort();
    await stage(
      t(isCut ? "edit-map-disconnect" : "edit-map-connect", from.name, space.name),
      [from, "/adjacent", next(from, space)],
      [space, "/adjacent", next(space, from)],
    );
  }
  draw();
}

/**
 * Adds a space to the edited pack, with its name in each of the languages. It is like the space that is
 * chosen.
 * @param {number[]} to
 */
async function add(to) {
  if (!files.desk()) await files.refresh();
  const own = files.ownPack();
  if (!own) {
    say(t("map-no-pack"));
    return;
  }
  say();
  /** @param {Api.SpaceOnMap} space */
  const near = (space) => Math.hypot(at(space)[0] - to[0], at(space)[1] - to[1]);
  const model = byId(state.selected) ?? [...state.spaces].sort((one, other) => near(one) - near(other))[0];
  const { field: id, trouble } = idField("new-id", (given) => !!byId(given));
  const title = make("input", { id: "new-name", required: true });
  /** @param {Event} event */
  const create = async (event) => {
    event.preventDefault();
    const value = {
      id: id.value,
      kind: model?.value.kind,
      at: to,
      ...(model?.value.props ? { props: model.value.props } : {}),
      provenance: { designed: own.title },
    };
    /** @type {Api.Given.Wish[]} */
    const texts = own.languages.map((language) => ({
      do: "text",
      key: `space.${id.value}`,
      language,
      value: title.value,
      pack: own.id,
    }));
    if (
      await files.stage(
        t("edit-map-new", title.value),
        { do: "add", family: "spaces", value, pack: own.id, ...(model ? { beside: model.id } : {}) },
        ...texts,
      )
    ) {
      choose("connect");
      state.selected = id.value;
      state.from = id.value;
      draw();
    }
  };
  fill(
    find("#space"),
    make(
      "form",
      { onsubmit: create },
      make("h2", {}, t("map-new")),
      make("p", { class: "quiet" }, t("map-new-help", own.title)),
      make("div", { class: "field" }, make("label", { for: "new-id" }, "id"), id, trouble),
      make("div", { class: "field" }, make("label", { for: "new-name" }, t("field-name")), title),
      make("button", { id: "add-space" }, t("field-add-button")),
    ),
  );
  isShown(find("#space"), to);
  id.focus();
}

/** @param {string} id */
async function edit(id) {
  state.selected = id;
  const space = byId(id);
  if (!space || find("#space #new-id")) return;
  state.schema ??= await get("/api/schema", { name: "spaces" });
  const locked = files.locked(space);
  const isPatch = !space.access.is_edited && !locked;
  const own = space.access.patchers.at(-1);
  const isOpen =
    !locked &&
    (!isPatch ||
      space.access.patched_by ||
      state.patching.has(id) ||
      files.wishes().some((wish) => wish.id === id));
  if (!isShown(find("#space"), [space, isOpen, locked])) {
    /** @param {string} below @param {any} value */
    const change = (below, value) => stage(`${space.name}: ${below.slice(1)}`, [space, below, value]);
    const open = () => {
      state.patching.add(id);
      edit(id);
    };
    refill(
      find("#space"),
      make("h2", {}, space.name),
      make(
        "p",
        { class: "quiet" },
        space.place ? `${space.place.file}:${space.place.line}` : t("desk-unwritten"),
      ),
      isPatch
        ? patchOffer(t("desk-foreign-space", space.access.pack[1]), own?.[1] ?? "", isOpen, open)
        : null,
      locked
        ? make("p", { id: "foreign" }, locked)
        : isOpen
          ? form(state.schema, state.schema.properties?.spaces?.items ?? {}, space.value, change, {
              family: "spaces",
              id,
            })
          : null,
    );
    files.annotate();
  }
  draw();
}

/** @param {string} mode */
function choose(mode) {
  Object.assign(state, { mode, from: null });
  outline.pick(null);
  state.selected = null;
  empty(find("#space"));
  for (const button of findAll("[data-mode]"))
    button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  draw();
}

export function begin() {
  const side = make("div", {}, make("div", { id: "atlas-side" }));
  find("#space").replaceWith(side);
  side.prepend(make("div", { id: "space" }));
  document.addEventListener("staged", () => {
    if (!find("#atlas").hidden) apply();
  });
  // A drag may leave the map.
  document.addEventListener("pointermove", (event) => drag(find("#atlas-map svg"), event));
  document.addEventListener("pointerup", (event) => drop(find("#atlas-map svg"), event));
  for (const button of findAll("[data-mode]"))
    button.addEventListener("click", () => choose(button.dataset.mode ?? "move"));
}
