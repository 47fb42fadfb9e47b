// What the author wishes to change. Wishes are staged in the page and shown as differences of files, with all
// findings, before anything is written. What was written can be undone and redone.

import { fill, find, findAll, isShown, make, reason, released } from "./dom.js";
import { get, post } from "./net.js";
import { t } from "./words.js";

/**
 * `done` and `undone` are staged actions: each has a title and wishes. `coming` is what undoing or redoing
 * would write.
 * @type {{ done: Action[], undone: Action[], plan: Api.PlanPicture | null, error: string | null,
 *   desk: Api.DeskState | null, coming: (Api.Coming & { isUndo: boolean, title: string }) | null,
 *   card: string | null, trouble: string | null, busy: boolean }}
 */
const state = {
  done: [],
  undone: [],
  plan: null,
  error: null,
  desk: null,
  coming: null,
  card: null,
  trouble: null,
  busy: false,
};
const box = make("section", { id: "written" });

/** @param {string | number} key */
export const escape = (key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");
/** @param {string} part */
const unescape = (part) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** The packs, and what can be undone; null before they are known. */
export const desk = () => state.desk;
/** The edited pack that takes what belongs to no other: the last one. */
export const ownPack = () => state.desk?.packs.findLast((pack) => pack.is_edited) ?? null;
export const wishes = () => state.done.flatMap((action) => action.wishes);
export const plan = () => state.plan;

/**
 * The wish to change a value of an entity; null if no edited pack may do so. A value of another pack is
 * patched.
 * @param {{ id: string, access: Api.Access }} entity @param {string} family @param {string} pointer
 * @param {any} value @returns {Api.Given.Wish | null}
 */
export function change(entity, family, pointer, value) {
  const pack = entity.access.is_edited ? entity.access.patched_by : entity.access.patchers.at(-1)?.[0];
  if (!entity.access.is_edited && !pack) return null;
  return { do: "set", family, id: entity.id, pointer, value: value ?? null, ...(pack ? { pack } : {}) };
}

/**
 * Why an entity cannot be edited, or null.
 * @param {{ access: Api.Access }} entity @returns {string | null}
 */
export function locked(entity) {
  const { access } = entity;
  if (access.is_edited ? !access.is_series || access.patched_by : access.patchers.length) return null;
  if (access.is_edited) return t("edits-series");
  const own = ownPack();
  return own ? t("edits-foreign", access.pack[1], own.title) : t("edits-no-pack", access.pack[1]);
}

/** @param {Wish} wish */
const target = (wish) =>
  JSON.stringify([wish.do, wish.family, wish.id, wish.key, wish.language, wish.path, wish.pointer]);

/**
 * Stages wishes as one action. A later change of the same value replaces an earlier one.
 * @param {string} title @param {(Api.Given.Wish | null | false)[]} given
 */
export async function stage(title, ...given) {
  const fresh = given.filter((wish) => !!wish);
  if (!fresh.length) return false;
  /** @param {Action} action */
  const isOnly = (action) =>
    fresh.length === 1 &&
    action.wishes.length === 1 &&
    fresh[0].do !== "add" &&
    target(action.wishes[0]) === target(fresh[0]);
  state.done = [...state.done.filter((action) => !isOnly(action)), { title, wishes: fresh }];
  state.undone = [];
  await replan();
  return !state.error;
}

/** Drops a staged change of a value, so that it is again as in the file. @param {Wish} wish */
export async function unstage(wish) {
  state.done = state.done.filter((action) => !action.wishes.some((other) => target(other) === target(wish)));
  await replan();
}

/** Draws the faces of this card with each plan. @param {string | null} card */
export function follow(card) {
  if (state.card === card) return;
  state.card = card;
  if (state.done.length) replan();
}

/** Puts a value at a pointer. @param {any} whole @param {string} pointer @param {any} value */
function put(whole, pointer, value) {
  const parts = pointer.split("/").slice(1).map(unescape);
  const last = parts.pop();
  if (last === undefined) return value ?? whole;
  let node = whole;
  for (const part of parts) node = node[part] ??= {};
  if (value !== null) Array.isArray(node) && last === "-" ? node.push(value) : (node[last] = value);
  else if (Array.isArray(node)) node.splice(Number(last), 1);
  else delete node[last];
  return whole;
}

/**
 * A value with all staged changes that `fits` picks.
 * @param {any} value @param {(wish: Wish) => boolean} fits @param {(wish: Wish) => string} [pointer]
 */
const changed = (value, fits, pointer = (wish) => wish.pointer ?? "") =>
  wishes()
    .filter(fits)
    .reduce((whole, wish) => put(whole, pointer(wish), wish.value), structuredClone(value));

/**
 * The value of an entity with its staged changes.
 * @param {string} family @param {string} id @param {any} value
 */
export const valueOf = (family, id, value) =>
  changed(value, (wish) => wish.do === "set" && wish.family === family && wish.id === id);
/**
 * The text of a message with its staged change.
 * @param {string} key @param {string} language @param {any} text
 */
export const textOf = (key, language, text) =>
  wishes().findLast((wish) => wish.do === "text" && wish.key === key && wish.language === language)?.value ??
  text;
/** The entities that are staged to be added. @param {string} family */
export const added = (family) => wishes().filter((wish) => wish.do === "add" && wish.family === family);
/** Whether an entity is staged to be removed. @param {string} family @param {string} id */
export const isRemoved = (family, id) =>
  wishes().some((wish) => wish.do === "remove" && wish.family === family && wish.id === id);
/**
 * The value at a place of a file with its staged changes.
 * @param {Api.FileLocation} place @param {any} value
 */
export const valueAt = (place, value) =>
  changed(
    value,
    (wish) =>
      wish.do === "at" &&
      wish.pack === place.pack &&
      wish.path === place.path &&
      !!wish.pointer?.startsWith(`${place.pointer}/`),
    (wish) => wish.pointer?.slice(place.pointer.length) ?? "",
  );

let asked = 0;
/** The wishes of the plan that is shown. */
let planned = "";
const isFresh = () => planned === JSON.stringify(wishes());

/** Shows what is staged at once, and looks again at what would be written. */
async function replan() {
  const mine = ++asked;
  state.coming = null;
  const tell = () => document.dispatchEvent(new CustomEvent("staged"));
  show();
  tell();
  if (state.done.length) {
    const wanted = JSON.stringify(wishes());
    try {
      const plan = await post("/api/plan", {
        wishes: /** @type {Api.Given.Wish[]} */ (wishes()),
        into: ownPack()?.id ?? null,
        card: state.card,
      });
      if (mine !== asked) return;
      Object.assign(state, { plan, error: null });
    } catch (error) {
      if (mine !== asked) return;
      Object.assign(state, { plan: null, error: reason(error) });
    }
    planned = wanted;
  } else Object.assign(state, { plan: null, error: null });
  show();
  tell();
}

/** Fetches what can be undone. The files may have changed, so what is staged is looked at again, too. */
export async function refresh() {
  try {
    state.desk = await get("/api/desk");
    state.trouble = null;
  } catch (error) {
    state.trouble = reason(error);
  }
  if (state.done.length) await replan();
  else show();
}

async function write() {
  const { plan } = state;
  if (!plan || state.busy || !isFresh()) return;
  state.busy = true;
  show();
  try {
    await post("/api/write", {
      wishes: /** @type {Api.Given.Wish[]} */ (wishes()),
      digest: plan.digest,
      title: state.done.map((action) => action.title).join(", "),
    });
    Object.assign(state, { done: [], undone: [], plan: null, error: null });
  } catch (error) {
    state.error = reason(error);
  }
  state.busy = false;
  await refresh();
  document.dispatchEvent(new CustomEvent("staged"));
}

/** Takes back the last staged action, or shows what undoing the last written one would write. */
export async function undo() {
  const last = state.done.at(-1);
  if (!last) return look(true);
  state.done = state.done.slice(0, -1);
  state.undone = [...state.undone, last];
  await replan();
}

export async function redo() {
  const next = state.undone.at(-1);
  if (!next) return look(false);
  state.undone = state.undone.slice(0, -1);
  state.done = [...state.done, next];
  await replan();
}

/** @param {boolean} isUndo */
async function look(isUndo) {
  const offer = isUndo ? state.desk?.undo : state.desk?.redo;
  if (!offer || offer.blocked_by || state.done.length) return;
  try {
    state.coming = { isUndo, title: offer.title, ...(await get("/api/coming", { undo: isUndo })) };
    state.trouble = null;
  } catch (error) {
    state.trouble = reason(error);
  }
  show();
}

async function turn() {
  const { coming } = state;
  if (!coming || state.busy) return;
  state.busy = true;
  let trouble = null;
  try {
    await post("/api/turn", { undo: coming.isUndo });
  } catch (error) {
    trouble = reason(error);
  }
  // What is turned stays in sight until it is written.
  Object.assign(state, { busy: false, coming: null });
  if (!trouble) return refresh();
  state.trouble = trouble;
  show();
}

/** @param {Api.PlannedFile} of */
function file(of) {
  const lines = of.hunks.flat().filter((line) => line.sign !== " ").length;
  const what = of.is_new
    ? t("edits-new-file")
    : of.is_removed
      ? t("edits-removed-file")
      : t("edits-lines", lines);
  /** @param {Api.Line} line */
  const row = (line) =>
    make(
      "tr",
      { class: { "-": "old", "+": "new" }[line.sign] ?? null },
      make("td", {}, String(line.number)),
      make("td", {}, line.sign),
      make("td", {}, line.text),
    );
  return make(
    "div",
    { class: "file", "data-file": of.path },
    make("h4", {}, make("code", {}, of.file), make("span", { class: "quiet" }, what)),
    make(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": t("edits-changes", of.file) },
      make(
        "table",
        {},
        make(
          "tbody",
          {},
          of.hunks
            .flatMap((hunk, at) => [
              at ? make("tr", {}, make("td", { colspan: 3 }, "…")) : null,
              ...hunk.map(row),
            ])
            .filter(Boolean),
        ),
      ),
    ),
  );
}

/** The staged change that a pin guards, by the name of its number. @param {Api.WrongPin} pin */
function guarded(pin) {
  /** @param {Wish} wish */
  const name = (wish) => wish.pointer?.split("/").at(-1);
  return wishes().find(
    (wish) =>
      wish.do === "set" &&
      wish.family !== "pins" &&
      (pin.sum ? name(wish) === pin.sum : name(wish) === "copies"),
  );
}

/** The offer to change a pin. @param {Api.WrongPin} pin @param {Wish | null | undefined} wish */
function pinned(pin, wish) {
  return make(
    "div",
    { class: "pinned", "data-pin": pin.id },
    make(
      "p",
      {},
      make("b", {}, t("edits-pin", pin.was), " "),
      make("code", {}, `${pin.file}:${pin.line}`),
      " ",
      t("edits-pin-help"),
    ),
    make(
      "div",
      { class: "row" },
      make(
        "button",
        { class: "primary", onclick: () => stage(t("edit-pin", pin.id), pin.wish) },
        t("edits-pin-change"),
      ),
      wish && make("button", { onclick: () => unstage(wish) }, t("edits-pin-leave")),
    ),
  );
}

/** @param {Api.PlanFinding} of */
function finding(of) {
  return make(
    "div",
    { class: "finding" },
    make("code", {}, `${of.file}:${of.line}`),
    " ",
    of.message,
    of.help && make("div", {}, of.help),
  );
}

/** The notes for a field of a form: its findings and pins. @param {Notes} of */
export function notesOf({ family, id, pointer, key, language }) {
  const { plan } = state;
  if (!plan) return [];
  /** @param {Notes | null} field @returns {boolean} */
  const is = (field) =>
    !!field &&
    (key
      ? field.key === key && field.language === language
      : field.family === family &&
        field.id === id &&
        (field.pointer === pointer || (!!pointer && !!field.pointer?.startsWith(`${pointer}/`))));
  const pins = plan.pins
    .map((pin) => ({ pin, wish: guarded(pin) }))
    .filter(({ wish }) => wish && wish.family === family && wish.id === id && wish.pointer === pointer);
  return [
    ...plan.findings.filter((of) => is(of.field)).map(finding),
    ...pins.map(({ pin, wish }) => pinned(pin, wish)),
  ];
}

/** Puts the notes at the fields of all forms. */
export function annotate() {
  for (const place of findAll("[data-notes]")) {
    const notes = notesOf(JSON.parse(place.dataset.notes ?? "{}"));
    if (
      !isShown(
        place,
        notes.map((note) => note.textContent),
      )
    )
      fill(place, notes);
  }
}

let isWaiting = false;
/** Shows the state, but redraws no button while it is pressed. */
function show() {
  const release = released();
  if (release) {
    if (!isWaiting) {
      release.then(() => {
        isWaiting = false;
        show();
      });
    }
    isWaiting = true;
    return;
  }
  annotate();
  box.setAttribute("aria-label", t("edits"));
  const { plan, desk, coming, error, trouble } = state;
  const isStaged = state.done.length > 0;
  box.hidden = !isStaged && !coming && !trouble && !desk?.packs.some((pack) => pack.is_edited);
  if (isShown(box, [plan, error, trouble, desk, coming, state.done, state.undone, state.busy, isFresh()]))
    return;
  /** @param {"undo" | "redo"} kind @param {Action | undefined} staged */
  const offer = (kind, staged) => {
    const written = isStaged || state.undone.length ? null : desk?.[kind];
    const name = t(`edits-${kind}`);
    const what = staged?.title ?? written?.title;
    const where = staged ? t("desk-unwritten") : written?.files.join(", ");
    const why = written?.blocked_by ? t(`edits-blocked-${kind}`, written.blocked_by) : null;
    return make(
      "button",
      {
        id: `${kind}-edit`,
        disabled: !what || !!why,
        title: why ?? (what ? `${name}: ${what} (${where})` : t(`edits-no-${kind}`)),
        onclick: kind === "undo" ? undo : redo,
      },
      name,
    );
  };
  const files = plan?.files ?? [];
  const others = plan?.pins.filter((pin) => !guarded(pin)) ?? [];
  const blocked = [desk?.undo, desk?.redo].find((one) => one?.blocked_by);
  const found =
    plan?.findings.filter((of) => !plan.pins.some((pin) => pin.file === of.file && pin.line === of.line)) ??
    [];
  fill(
    box,
    make(
      "div",
      { class: "row" },
      offer("undo", state.done.at(-1)),
      offer("redo", state.undone.at(-1)),
      isStaged &&
        make(
          "button",
          {
            id: "drop-edits",
            onclick: () => {
              state.done = [];
              replan();
            },
          },
          t("edits-drop"),
        ),
      isStaged &&
        make(
          "button",
          {
            id: "write-edits",
            class: "primary",
            disabled: !files.length || state.busy || !isFresh(),
            onclick: write,
          },
          t("edits-write", files.length),
        ),
    ),
    make(
      "h2",
      {},
      coming
        ? `${t(coming.isUndo ? "edits-undo" : "edits-redo")}: ${coming.title}`
        : isStaged
          ? t("edits")
          : t("edits-none"),
    ),
    trouble && make("p", { role: "alert", class: "note" }, trouble),
    error && make("p", { role: "alert", class: "note", id: "plan-error" }, error),
    !isStaged &&
      !coming &&
      blocked &&
      make("p", { class: "quiet", id: "blocked" }, t("edits-blocked", blocked.blocked_by ?? "")),
    coming &&
      make(
        "div",
        { class: "row" },
        make(
          "button",
          { id: "turn-edit", class: "primary", onclick: turn },
          t(coming.isUndo ? "edits-undo-files" : "edits-redo-files", coming.files.length),
        ),
        make(
          "button",
          {
            onclick: () => {
              state.coming = null;
              show();
            },
          },
          t("edits-cancel"),
        ),
      ),
    others.map((pin) => pinned(pin, null)),
    found.length
      ? make(
          "div",
          { class: "found", role: "status" },
          make("b", {}, t("edits-errors")),
          found.map(finding),
          plan?.more ? make("div", {}, t("edits-more", plan.more)) : null,
        )
      : null,
    (coming?.files ?? files).map(file),
    isStaged && plan && !files.length ? make("p", { class: "quiet" }, t("edits-same")) : null,
  );
}

/** Moves the list of what will be written to another place of the page. @param {Element | null} parent */
export function place(parent) {
  if (parent && box.parentElement !== parent) parent.append(box);
  show();
}

find("body").append(box);
box.hidden = true;
document.addEventListener("keydown", (event) => {
  const isText = /** @type {Element} */ (event.target).matches?.("input, textarea, select");
  if (isText || box.hidden || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  if (event.shiftKey) redo();
  else undo();
});
