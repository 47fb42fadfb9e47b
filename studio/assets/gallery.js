// All cards as a wall, with another language beside it. For the host, each card opens in the workbench.

import * as card from "./card.js";
import { drawing, fill, find, findAll, isShown, make, reason, released, say } from "./dom.js";
import * as files from "./files.js";
import { get } from "./net.js";
import { isHost, languages } from "./table.js";
import { t } from "./words.js";

/** @type {Api.CardPicture[]} */
let cards = [];
/** @type {Map<string, Api.CardPicture>} */
let beside = new Map();
/** @type {Map<string, Api.CardOnWall>} */
let wall = new Map();
let isMine = false;
let told = "";

/** What a field says, by its selector. @param {string} id */
const valueOf = (id) => /** @type {HTMLInputElement} */ (find(id)).value;

/** Shows an error until a refresh succeeds. @param {string} text */
function tell(text) {
  if (!text && find("#message").textContent === told) say();
  else if (text) say(text);
  told = text;
}

/** Fetches the cards again and shows them. */
export async function refresh() {
  try {
    /** @type {HTMLSelectElement} */
    const choice = find("#language");
    const wanted = choice.value;
    if (!isShown(choice, languages())) {
      fill(
        choice,
        make("option", { value: "" }, t("gallery-one-language")),
        languages().map((code) => make("option", { value: code, selected: code === wanted }, code)),
      );
    }
    for (const element of findAll(".host-only")) element.hidden = !isHost();
    cards = await get("/api/cards");
    const others = wanted ? await get("/api/cards", { lang: wanted }) : [];
    beside = new Map(others.map((card) => [card.id, card]));
    let trouble = null;
    if (isHost()) [trouble] = await Promise.all([learnMore(), files.refresh()]);
    await released();
    show();
    files.place(find(card.openId() ? "#desk-side" : "#gallery"));
    await card.refresh();
    tell(trouble ?? "");
  } catch (error) {
    if (find("#trouble").hidden) tell(reason(error));
  }
}

/** Fetches what the files say about the cards. While they have errors, the last valid data stays. */
async function learnMore() {
  try {
    const rows = await get("/api/wall", { since: valueOf("#since").trim() || null });
    wall = new Map(rows.map((row) => [row.id, row]));
    /** @param {string} id @param {(row: Api.CardOnWall) => [string, string][]} of */
    const choices = (id, of) => {
      const all = [...new Map(rows.flatMap(of))].sort((a, b) => a[1].localeCompare(b[1]));
      /** @type {HTMLSelectElement} */
      const select = find(id);
      const chosen = select.value;
      if (!isShown(select, all))
        fill(
          select,
          make("option", { value: "" }, t("gallery-any")),
          all.map(([value, name]) => make("option", { value, selected: value === chosen }, name)),
        );
    };
    choices("#of-type", (row) => [row.card_type]);
    choices("#of-deck", (row) => [row.deck]);
    choices("#of-hook", (row) => row.hooks.map(([point]) => [point, point]));
    return null;
  } catch (error) {
    return valueOf("#since") ? reason(error) : null;
  }
}

/** @param {Api.CardPicture} card */
function fits(card) {
  const text = valueOf("#filter").toLowerCase();
  const row = wall.get(card.id);
  const says = [card.id, card.title, card.type, card.text, ...card.facts].join(" ").toLowerCase();
  /** @param {string} id @param {(value: string) => boolean} value */
  const is = (id, value) => !valueOf(id) || value(valueOf(id));
  return (
    says.includes(text) &&
    (!row ||
      (is("#of-type", (type) => row.card_type[0] === type) &&
        is("#of-deck", (deck) => row.deck[0] === deck) &&
        is("#of-hook", (hook) => row.hooks.some(([point]) => point === hook)) &&
        row.is_changed !== false))
  );
}

function show() {
  showList();
  const shown = cards.filter(fits);
  find("#count").textContent = t("gallery-count", shown.length, cards.length);
  if (isShown(find("#wall"), [shown, [...beside], isHost()])) return;
  /** @param {Api.CardPicture} of */
  const face = (of) => {
    const drawn = drawing(of.svg);
    drawn.setAttribute("aria-hidden", "true");
    return drawn;
  };
  fill(
    find("#wall"),
    shown.map((of) =>
      make(
        "button",
        { class: "pair", "data-id": of.id, onclick: () => card.open(of.id) },
        make("span", { class: "unseen" }, `${of.title}. ${of.text ?? ""}`),
        face(of),
        ...[beside.get(of.id)].map((other) => other && face(other)),
      ),
    ),
  );
}

/** The list of cards at the desk: those of the edited packs, or all. */
function showList() {
  const text = valueOf("#desk-find").toLowerCase();
  const added = files
    .added("cards")
    .map((wish) => ({
      id: wish.value.id,
      title: files.textOf(`card.${wish.value.id}.title`, "en", wish.value.id),
      type: wish.value.type,
    }));
  const all = [...cards, ...added.filter((one) => !cards.some((other) => other.id === one.id))];
  const own = all.filter((one) => wall.get(one.id)?.is_edited ?? true);
  const some = (isMine ? own : all).filter((one) =>
    [one.id, one.title, one.type].join(" ").toLowerCase().includes(text),
  );
  /** @param {string} id */
  const trouble = (id) =>
    files.plan()?.findings.filter((of) => of.field?.family === "cards" && of.field.id === id).length ?? 0;
  const rows = some.map((one) => ({
    id: one.id,
    title: one.title,
    type: one.type,
    isOpen: card.openId() === one.id,
    trouble: trouble(one.id),
    isStaged: files
      .wishes()
      .some(
        (wish) => wish.id === one.id || wish.value?.id === one.id || wish.key?.startsWith(`card.${one.id}.`),
      ),
    isRemoved: files.isRemoved("cards", one.id),
  }));
  if (isShown(find("#desk-list"), [rows, own.length, all.length, isMine, !!files.ownPack()])) return;
  /** @param {boolean} mine @param {string} name */
  const tab = (mine, name) =>
    make(
      "button",
      {
        id: mine ? "list-mine" : "list-all",
        "aria-pressed": String(isMine === mine),
        onclick: () => {
          isMine = mine;
          showList();
        },
      },
      name,
    );
  fill(
    find("#desk-list"),
    make(
      "div",
      { class: "desk-tabs", role: "group" },
      files.ownPack() ? tab(true, t("desk-mine", own.length)) : null,
      tab(false, t("desk-all", all.length)),
    ),
    make(
      "ul",
      {},
      rows.map((row) =>
        make(
          "li",
          {},
          make(
            "button",
            {
              "data-id": row.id,
              "aria-pressed": String(row.isOpen),
              class: row.isRemoved ? "removed" : null,
              onclick: () => card.open(row.id).then(showList),
            },
            make("b", {}, row.title),
            make("span", { class: "quiet" }, row.type),
            row.isStaged && make("span", { class: "dot", title: t("desk-unwritten") }, "●"),
            row.trouble
              ? make("span", { class: "badge", title: t("desk-findings") }, String(row.trouble))
              : null,
          ),
        ),
      ),
    ),
  );
}

/** A new card is like one of the same pack, or like the open one. */
async function addCard() {
  const own = cards.find((one) => wall.get(one.id)?.is_edited);
  const open = card.openId();
  const model = open && wall.has(open) ? open : (own?.id ?? cards[0]?.id);
  if (!model) return;
  card.duplicate(await get("/api/entity", { family: "cards", id: model }), true);
}

/** The desk beside the wall, on which one card is open. */
function addDesk() {
  const search = make("input", {
    id: "desk-find",
    type: "search",
    placeholder: t("desk-find"),
    "aria-label": t("desk-find"),
    oninput: showList,
  });
  const back = make(
    "button",
    {
      id: "desk-close",
      onclick: () => {
        card.close();
        show();
      },
    },
    t("desk-back"),
  );
  const add = make("button", { id: "new-card", onclick: addCard }, t("desk-new"));
  find("#gallery").append(
    make(
      "section",
      { id: "desk", hidden: true, "aria-label": t("desk") },
      make("div", { id: "desk-left" }, back, search, make("div", { id: "desk-list" }), add),
      make("div", { id: "desk-face" }),
      make("div", { id: "desk-form" }),
      make("div", { id: "desk-side" }),
    ),
  );
}

export function begin() {
  addDesk();
  document.addEventListener("staged", () => {
    if (find("#gallery").hidden) return;
    showList();
    card.refresh();
  });
  find("#filter").addEventListener("input", show);
  for (const id of ["#of-type", "#of-deck", "#of-hook"]) find(id).addEventListener("change", show);
  for (const id of ["#language", "#since"]) find(id).addEventListener("change", refresh);
}
