// All cards as a wall, with another language beside.

import { drawing, fill, find, make } from "./dom.js";
import { get } from "./net.js";
import { languages } from "./table.js";

let cards = [];
let beside = new Map();

/** Fetches the cards again and shows them. */
export async function refresh() {
  const choice = find("#language");
  const wanted = choice.value;
  fill(choice, make("option", { value: "" }, "one language"), ...languages().map((code) => make("option", { value: code, selected: code === wanted }, code)));
  cards = await get("/api/cards");
  const others = wanted ? await get("/api/cards", { lang: wanted }) : [];
  beside = new Map(others.map((card) => [card.id, card]));
  show();
}

function show() {
  const wanted = find("#filter").value.toLowerCase();
  const says = (card) => [card.id, card.title, card.type, card.text, ...card.facts].join(" ").toLowerCase();
  const shown = cards.filter((card) => says(card).includes(wanted));
  find("#count").textContent = `${shown.length} of ${cards.length}`;
  fill(find("#wall"), ...shown.map((card) => make("div", { class: "pair", "data-id": card.id },
    drawing(card.svg), beside.has(card.id) ? drawing(beside.get(card.id).svg) : null)));
}

export function begin() {
  find("#filter").addEventListener("input", show);
  find("#language").addEventListener("change", refresh);
}
