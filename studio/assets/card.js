// One card with everything that is written about it. The host sees the desk: the face beside the form, and
// what will be written. Others see the face.

import {
  drawing,
  empty,
  fill,
  find,
  findAll,
  isShown,
  make,
  openPanel,
  reason,
  released,
  say,
} from "./dom.js";
import * as files from "./files.js";
import { form, patchOffer, refill } from "./form.js";
import { idField } from "./ids.js";
import { get, post } from "./net.js";
import { effectOf } from "./lab.js";
import { isHost, languages } from "./table.js";
import { t } from "./words.js";

/**
 * @type {{ id: string | null, written: Api.WrittenEntity | null, schema: any, faces: [string, string][],
 *   patching: Set<string>, trial: Api.SearchState | null, error: string | null }}
 */
const state = {
  id: null,
  written: null,
  schema: null,
  faces: [],
  patching: new Set(),
  trial: null,
  error: null,
};

export const openId = () => state.id;

/** Opens a card. Only the host can edit it. @param {string} id */
export async function open(id) {
  Object.assign(state, { id, written: null, faces: [], error: null });
  if (!isHost()) return showFace(id);
  files.follow(id);
  find("#gallery").classList.add("at-desk");
  find("#desk").hidden = false;
  files.place(find("#desk-side"));
  for (const part of findAll("#desk-face, #desk-form")) empty(part);
  await refresh();
}

export function close() {
  Object.assign(state, { id: null, written: null });
  find("#gallery").classList.remove("at-desk");
  find("#desk").hidden = true;
  files.follow(null);
  files.place(find("#gallery"));
}

/** @param {string} id */
async function showFace(id) {
  const faceRow = make("div", { class: "wall", id: "faces" });
  const card = await get("/api/face", { id });
  openPanel(card.title, faceRow);
  fill(faceRow, drawing(card.svg));
}

/** Fetches what is written about the open card, and shows it. */
export async function refresh() {
  const { id } = state;
  if (!id || !isHost()) return;
  try {
    state.schema = await get("/api/schema", { name: "cards" });
    const isAdded = files.added("cards").some((wish) => wish.value.id === id);
    const written = isAdded ? null : await get("/api/entity", { family: "cards", id });
    if (state.id !== id) return;
    Object.assign(state, { written: written ?? draft(id), error: null });
    if (!isAdded) await learnFaces(id);
  } catch (error) {
    // While files have errors, the last valid card stays, and the findings explain the errors.
    state.error = reason(error);
    if (!state.written) say(reason(error));
  }
  await released();
  if (state.id === id) draw();
}

/** The place of what is not written yet. */
const NOWHERE = { path: "", file: "", line: 0, pointer: "", digest: "", is_writable: true };

/** What is known of a card that is not written yet. @param {string} id @returns {Api.WrittenEntity} */
function draft(id) {
  const wish = files.added("cards").find((one) => one.value.id === id);
  const pack = files.desk()?.packs.find((one) => one.id === wish?.pack);
  const said = files.wishes().filter((one) => one.do === "text" && one.key?.startsWith(`card.${id}.`));
  const texts = said.map(({ key, language, value }) => ({
    key: key ?? "",
    language: language ?? "",
    value,
    place: { ...NOWHERE, pack: pack?.id ?? "" },
  }));
  return {
    id,
    family: "cards",
    value: wish?.value,
    access: {
      pack: [pack?.id ?? "", pack?.title ?? ""],
      is_edited: true,
      is_series: false,
      patchers: [],
      patched_by: null,
    },
    place: null,
    texts,
    whole: {
      faces: [{ language: "", title: id, text: null }],
      values: [],
      scripts: [],
      scenarios: [],
      json: [],
    },
  };
}

/** @param {string} id */
async function learnFaces(id) {
  const all = await Promise.all(languages().map((lang) => get("/api/cards", { lang })));
  state.faces = all.flatMap((cards, at) => {
    const card = cards.find((one) => one.id === id);
    return card ? [[languages()[at], card.svg]] : [];
  });
}

/** Shows the open card with everything that is staged. */
export function draw() {
  const { written, schema } = state;
  if (!written) return;
  const planned = files.plan()?.faces;
  const faces = (planned ?? state.faces).filter(([code]) => languages().includes(code));
  if (!isShown(find("#desk-face"), [faces, written.id, state.trial, effectOf(written.id)]))
    fill(find("#desk-face"), facePart(written, faces));
  const locked = files.locked(written);
  const isPatch = !written.access.is_edited && !locked;
  const isOpen =
    !locked &&
    (!isPatch ||
      !!written.access.patched_by ||
      state.patching.has(written.id) ||
      files.wishes().some((wish) => wish.id === written.id));
  const value = files.valueOf("cards", written.id, written.value);
  const texts = written.texts.map((text) => ({
    ...text,
    value: files.textOf(text.key, text.language, text.value),
  }));
  if (
    !isShown(find("#desk-form"), [
      written,
      schema,
      value,
      texts,
      isOpen,
      files.ownPack(),
      files.isRemoved("cards", written.id),
    ])
  ) {
    refill(find("#desk-form"), formPart({ ...written, value, texts }, isOpen, isPatch, locked));
  }
  files.annotate();
}

/** @param {Api.SearchState} trial */
const progressOf = ({ tried, seconds, most_seconds }) =>
  t("try-looking", tried.games, tried.answers, seconds, most_seconds);

/** @param {Api.WrittenEntity} written @param {[string, string][]} faces */
function facePart(written, faces) {
  const trial = state.trial?.card === written.id ? state.trial : null;
  return [
    make(
      "div",
      { id: "faces" },
      faces.map(([, svg]) => drawing(svg)),
    ),
    make(
      "div",
      { class: "row" },
      make("button", { id: "try", disabled: trial?.running, onclick: tryNow }, t("try")),
      trial?.running
        ? make("button", { id: "stop-trial", onclick: () => post("/api/try/stop", {}) }, t("lab-stop"))
        : null,
    ),
    trial?.running ? make("p", { id: "trial", role: "status", class: "quiet" }, progressOf(trial)) : null,
    trial?.trouble ? make("p", { id: "trial-trouble", role: "alert", class: "note" }, trial.trouble) : null,
    effectOf(written.id) ? make("p", {}, effectOf(written.id)) : null,
  ];
}

/** @param {string} title @param {Child[]} children */
const section = (title, children) =>
  children.length ? make("section", {}, make("h3", {}, title), children) : null;

/**
 * @param {Api.WrittenEntity} written @param {boolean} isOpen @param {boolean} isPatch
 * @param {string | null} locked
 */
function formPart(written, isOpen, isPatch, locked) {
  const { place, whole, access } = written;
  const title = whole.faces[0]?.title ?? written.id;
  const item = { ...state.schema.properties?.cards?.items };
  /** @param {string} pointer @param {any} value */
  const stage = (pointer, value) =>
    files.stage(`${title}: ${pointer.slice(1)}`, files.change(written, "cards", pointer, value));
  const openPatch = () => {
    state.patching.add(written.id);
    draw();
  };
  const own = access.patchers.at(-1);
  return [
    make(
      "h2",
      {},
      title,
      " ",
      make("span", { class: "quiet" }, place ? `${place.file}:${place.line}` : t("desk-unwritten")),
    ),
    isPatch ? patchOffer(t("desk-foreign-card", access.pack[1]), own?.[1] ?? "", isOpen, openPatch) : null,
    locked ? make("p", { id: "foreign" }, locked) : null,
    section(
      t("desk-texts"),
      written.texts.map((text) => textField(written, text, isOpen)),
    ),
    section(t("desk-numbers"), [
      isOpen
        ? form(state.schema, item, written.value, stage, { family: "cards", id: written.id })
        : make("pre", {}, whole.json.map((part) => part.text).join("\n")),
    ]),
    section(
      t("desk-script"),
      whole.scripts.map((script) =>
        make("div", {}, make("code", {}, `${script.file}:${script.line}`), make("pre", {}, script.text)),
      ),
    ),
    section(
      t("desk-scenarios", whole.scenarios.length),
      whole.scenarios.length ? [make("ul", { class: "scenarios" }, whole.scenarios.map(scenario))] : [],
    ),
    copies(written, title),
  ];
}

/** @param {Api.WrittenEntity} written @param {Api.WrittenText} text @param {boolean} isOpen */
function textField(written, text, isOpen) {
  const id = `text-${text.language}-${text.key}`;
  const isPlain = typeof text.value === "string";
  const own = text.place.is_writable;
  const pack = own
    ? text.place.pack
    : written.access.is_edited
      ? written.access.pack[0]
      : written.access.patchers.at(-1)?.[0];
  const area = make(
    "textarea",
    {
      id,
      rows: isPlain && text.value.length < 60 ? 1 : 3,
      lang: text.language,
      disabled: !own && !(isOpen && pack),
      onchange: () => {
        try {
          area.setCustomValidity("");
          const value = isPlain ? area.value : JSON.parse(area.value);
          files.stage(`${text.key} (${text.language})`, {
            do: "text",
            key: text.key,
            language: text.language,
            value,
            pack,
          });
        } catch (error) {
          area.setCustomValidity(t("field-bad-json", reason(error)));
          area.reportValidity();
        }
      },
    },
    isPlain ? text.value : JSON.stringify(text.value, null, 1),
  );
  return make(
    "div",
    { class: "field", "data-field": id },
    make("label", { for: id }, `${text.key.split(".").at(-1)} (${text.language})`),
    area,
    make("div", { class: "notes", "data-notes": JSON.stringify({ key: text.key, language: text.language }) }),
  );
}

/** Duplicating and deleting. @param {Api.WrittenEntity} written @param {string} title */
function copies(written, title) {
  const own = files.ownPack();
  if (!own) return null;
  const mayRemove =
    written.place && (written.access.is_edited ? !written.access.is_series : written.access.patchers.length);
  const remove = () =>
    files.stage(t("edit-card-delete", title), {
      do: "remove",
      family: "cards",
      id: written.id,
      ...(written.access.is_edited ? {} : { pack: written.access.patchers.at(-1)?.[0] }),
    });
  return section(t("desk-card"), [
    make(
      "div",
      { class: "row" },
      make("button", { id: "duplicate", onclick: () => duplicate(written) }, t("desk-duplicate")),
      mayRemove
        ? make(
            "button",
            { id: "delete", disabled: files.isRemoved("cards", written.id), onclick: remove },
            t(files.isRemoved("cards", written.id) ? "desk-deleted" : "desk-delete"),
          )
        : null,
    ),
  ]);
}

/**
 * Asks for the id and title of a copy in the own pack, and stages it.
 * @param {Api.WrittenEntity} written @param {boolean} [isNew]
 */
export function duplicate(written, isNew = false) {
  const own = files.ownPack();
  if (!own) return;
  /** @param {string} id */
  const isTaken = (id) =>
    findAll("#wall [data-id]").some((card) => card.dataset.id === id) ||
    files.added("cards").some((wish) => wish.value.id === id);
  const { field: id, trouble } = idField("copy-id", isTaken);
  const title = make("input", { id: "copy-title", required: true });
  /** @param {Event} event */
  const stage = async (event) => {
    event.preventDefault();
    const { provenance, ...rest } = written.value;
    const value = { ...rest, id: id.value, provenance: { designed: own.title } };
    const texts = own.languages.flatMap((language) => {
      /** @param {string} part */
      const said = (part) =>
        written.texts.find((text) => text.language === language && text.key.endsWith(`.${part}`))?.value;
      /** @param {string} part @param {any} value @returns {Api.Given.Wish} */
      const text = (part, value) => ({
        do: "text",
        key: `card.${id.value}.${part}`,
        language,
        value,
        pack: own.id,
      });
      const old = said("text");
      return [text("title", title.value), ...(old == null ? [] : [text("text", old)])];
    });
    /** @type {HTMLDialogElement} */ (find("#panel")).close();
    await files.stage(
      t("edit-card-new", title.value),
      { do: "add", family: "cards", value, pack: own.id, beside: written.id },
      ...texts,
    );
    await open(id.value);
  };
  const help = isNew
    ? t("desk-new-like", own.title, written.whole.faces[0]?.title ?? written.id)
    : t("desk-new-help", own.title);
  openPanel(
    t(isNew ? "desk-new-card" : "desk-duplicate"),
    make("p", {}, help),
    make(
      "form",
      { onsubmit: stage },
      make("div", { class: "field" }, make("label", { for: "copy-id" }, "id"), id, trouble),
      make("div", { class: "field" }, make("label", { for: "copy-title" }, t("desk-title")), title),
      make("button", { id: "copy", class: "primary" }, t("field-add-button")),
    ),
  );
  id.focus();
}

/** The words for whether a scenario passes. @type {Record<string, string>} */
const RESULTS = { true: "scenario-passes", false: "scenario-fails", null: "scenario-not-run" };

/** @param {Api.ScenarioResult} one */
function scenario(one) {
  return make(
    "li",
    { class: one.passed === false ? "failed" : null },
    make("b", {}, t(RESULTS[String(one.passed)])),
    ` ${one.title} `,
    make(
      "span",
      { class: "quiet" },
      `${one.file}:${one.line}${one.rules.length ? ` · ${one.rules.join(", ")}` : ""}`,
    ),
  );
}

/**
 * What the author should know about an opened game; nothing if the card can be played in a game of the usual
 * setup.
 * @param {Api.OpenedTrial} opened
 */
function aboutGame({ by_itself, after, has_wanted_setup }) {
  return [by_itself && (after ? t("try-after", after) : t("try-begins")), !has_wanted_setup && t("try-setup")]
    .filter(Boolean)
    .join(" ");
}

/** Searches for a game in which the card can be played, shows how far that is, and opens it. */
async function tryNow() {
  const card = state.id;
  if (!card) return;
  try {
    state.trial = await post("/api/try", { card });
    while (state.trial?.card === card && state.trial.running) {
      draw();
      await new Promise((done) => setTimeout(done, 250));
      state.trial = await get("/api/try");
    }
    if (state.trial?.found && state.trial.card === card) {
      const opened = await post("/api/try/open", {});
      state.trial = null;
      find("#to-table").click();
      say(aboutGame(opened));
    }
  } catch (error) {
    state.trial = null;
    say(reason(error));
  }
  draw();
}
