// All cards as a wall, with another language beside it. For the host, each card opens in the workbench.

import * as card from "./card.js";
import { drawing, fill, find, isShown, make, released, say } from "./dom.js";
import { get } from "./net.js";
import { isHost, languages } from "./table.js";

let cards = [];
let beside = new Map();
let wall = new Map();

/** Fetches the cards again and shows them. */
export async function refresh() {
  try {
    const choice = find("#language");
    const wanted = choice.value;
    if (!isShown(choice, languages())) {
      fill(choice, make("option", { value: "" }, "one language"), languages().map((code) => make("option", { value: code, selected: code === wanted }, code)));
    }
    for (const element of document.querySelectorAll(".host-only")) element.hidden = !isHost();
    cards = await get("/api/cards");
    const others = wanted ? await get("/api/cards", { lang: wanted }) : [];
    beside = new Map(others.map((card) => [card.id, card]));
    if (isHost()) await learnMore();
    await released();
    show();
    await card.refresh();
  } catch (error) {
    if (find("#trouble").hidden) say(error.message);
  }
}

/** Fetches what the files say about the cards. While they have errors, the last valid data stays. */
async function learnMore() {
  try {
    const rows = await get("/api/wall", { since: find("#since").value.trim() || null });
    wall = new Map(rows.map((row) => [row.id, row]));
    const choices = (id, of) => {
      const all = [...new Map(rows.flatMap(of))].sort((a, b) => a[1].localeCompare(b[1]));
      const select = find(id);
      const chosen = select.value;
      if (!isShown(select, all)) fill(select, make("option", { value: "" }, "all"), all.map(([value, name]) => make("option", { value, selected: value === chosen }, name)));
    };
    choices("#of-type", (row) => [row.card_type]);
    choices("#of-deck", (row) => [row.deck]);
    choices("#of-hook", (row) => row.hooks.map(([point]) => [point, point]));
  } catch (error) {
    if (find("#since").value) say(error.message);
  }
}

function fits(card) {
  const text = find("#filter").value.toLowerCase();
  const row = wall.get(card.id);
  const says = [card.id, card.title, card.type, card.text, ...card.facts].join(" ").toLowerCase();
  const is = (id, value) => !find(id).value || value(find(id).value);
  return says.includes(text) && (!row || (is("#of-type", (type) => row.card_type[0] === type) && is("#of-deck", (deck) => row.deck[0] === deck)
    && is("#of-hook", (hook) => row.hooks.some(([point]) => point === hook)) && row.is_changed !== false));
}

function show() {
  const shown = cards.filter(fits);
  find("#count").textContent = `${shown.length} of ${cards.length}`;
  if (isShown(find("#wall"), [shown, [...beside], isHost()])) return;
  const face = (of) => {
    const drawn = drawing(of.svg);
    drawn.setAttribute("aria-hidden", "true");
    return drawn;
  };
  fill(find("#wall"), shown.map((of) => make("button", { class: "pair", "data-id": of.id, onclick: () => card.open(of.id) },
    make("span", { class: "unseen" }, `${of.title}. ${of.text ?? ""}`), face(of), beside.has(of.id) ? face(beside.get(of.id)) : null)));
}

export function begin() {
  find("#filter").addEventListener("input", show);
  for (const id of ["#of-type", "#of-deck", "#of-hook"]) find(id).addEventListener("change", show);
  for (const id of ["#language", "#since"]) find(id).addEventListener("change", refresh);
}
