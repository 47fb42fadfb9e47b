// One card with everything that is written about it: its face in every language, numbers and texts to edit, scripts,
// scenarios.

import { drawing, fill, find, forget, isShown, make, openPanel, released, say } from "./dom.js";
import * as files from "./files.js";
import { form } from "./form.js";
import { get, post } from "./net.js";
import { effectOf } from "./lab.js";
import { isHost, languages } from "./table.js";

let shown = null;
let schema = null;

/** Opens a card. Only the host can edit it. */
export async function open(id) {
  shown = id;
  forget(find("#panel"));
  openPanel("", make("p", {}, "…"));
  find("#panel").onclose = () => { shown = null; };
  await draw();
}

/** Updates the card after a change, unless somebody is typing. */
export async function refresh() {
  if (!shown || !find("#panel").open) return;
  if (find("#panel .body").contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) await faces();
  else await draw();
}

async function draw() {
  const id = shown;
  try {
    const faceRow = make("div", { class: "wall", id: "faces" });
    if (!isHost()) {
      const card = await get("/api/face", { id });
      openPanel(card.title, faceRow);
    } else {
      const [written, known] = await Promise.all([get("/api/entity", { family: "cards", id }), schema ?? get("/api/schema", { name: "cards" })]);
      schema = known;
      await released();
      if (shown !== id) return;
      if (isShown(find("#panel"), [written, effectOf(id)])) return await faces();
      for (const text of written.texts) files.learn(text.place);
      files.learn(written.place);
      const scroll = find("#panel .body").scrollTop;
      openPanel(written.whole.faces[0]?.title ?? id, faceRow, parts(written, known));
      find("#panel .body").scrollTop = scroll;
    }
    await faces();
  } catch (error) {
    // While files have errors, the last valid card stays, and the findings explain the errors.
    if (find("#trouble").hidden) say(error.message);
  }
}

/** The face in each language. */
async function faces() {
  const id = shown;
  const all = await Promise.all(languages().map((lang) => get("/api/cards", { lang })));
  if (id === shown) fill(find("#faces"), all.map((cards) => cards.find((card) => card.id === id)).filter(Boolean).map((card) => drawing(card.svg)));
}

function parts(written, known) {
  const { place, whole } = written;
  const save = (at, value) => files.save([files.change(at.place, at.below, value)]);
  const item = { $ref: known.properties?.cards?.items?.$ref, ...known.properties?.cards?.items };
  const edit = place?.is_writable && form(known, item, written.value, async (below, value) => {
    if (await save({ place, below }, value)) document.activeElement?.blur();
  });
  const effect = effectOf(written.id);
  return [
    make("div", { class: "row" }, make("button", { id: "try", onclick: tryNow }, "Try this card now"),
      place && make("span", { class: "quiet" }, `${place.file}:${place.line}`)),
    effect && make("p", {}, effect),
    section("Texts", written.texts.map((text) => textField(text, save))),
    section("Numbers and properties", [edit || make("p", { class: "quiet" }, place?.is_series ? "This card is one of a series, which is written as one entry. Edit that entry in its file." : "This pack is not a folder, so it cannot be edited here."), make("pre", {}, whole.json.map((part) => part.text).join("\n"))]),
    section("Script", whole.scripts.map((script) => make("div", {}, make("code", {}, `${script.file}:${script.line}`), make("pre", {}, script.text)))),
    section(`Scenarios (${whole.scenarios.length})`, [make("ul", { class: "scenarios" }, whole.scenarios.map(scenario))]),
  ];
}

const section = (title, children) => children.length ? make("section", {}, make("h3", {}, title), children) : null;

function textField(text, save) {
  const id = `text-${text.language}-${text.key}`;
  const isPlain = typeof text.value === "string";
  const area = make("textarea", { id, rows: isPlain && text.value.length < 60 ? 1 : 3, lang: text.language, disabled: !text.place.is_writable, onchange: () => {
    const value = isPlain ? area.value : JSON.parse(area.value);
    save({ place: text.place, below: "" }, value);
  } }, isPlain ? text.value : JSON.stringify(text.value, null, 1));
  return make("div", { class: "field" }, make("label", { for: id }, `${text.key.split(".").at(-1)} (${text.language})`), area);
}

const RESULT = { true: "passes", false: "fails", null: "not run" };

function scenario(one) {
  return make("li", { class: one.passed === false ? "failed" : null }, make("b", {}, RESULT[String(one.passed)]), ` ${one.title} `,
    make("span", { class: "quiet" }, `${one.file}:${one.line}${one.rules.length ? ` · ${one.rules.join(", ")}` : ""}`));
}

async function tryNow(event) {
  event.target.disabled = true;
  event.target.textContent = "Looking for a game with this card …";
  try {
    await post("/api/try", { card: shown });
    find("#panel").close();
    find("#to-table").click();
  } catch (error) {
    say(error.message);
    event.target.disabled = false;
    event.target.textContent = "Try this card now";
  }
}
