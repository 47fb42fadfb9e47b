// Seats, decks, markets and other cards beside the board.

import { drawing, fill, find, isShown, make, openPanel } from "./dom.js";
import { get } from "./net.js";

/** A zone with more different cards than this shows only its top card. */
const LAID_OUT = 8;
/** A seat's zone with more cards than this shows only their number. */
const LISTED = 6;

const faces = new Map();
let reader = () => {};
let picker = () => {};

/** Binds `read(button, id)`, which shows a card, and `pick(event)` for a click on a seat. */
export function begin(read, pick) {
  reader = read;
  picker = pick;
}

/** Forgets the drawings, because the packs have changed. */
export const forget = () => faces.clear();

async function drawn(id, size) {
  const key = `${size} ${id}`;
  if (!faces.has(key)) faces.set(key, get("/api/face", { id, size }).then((card) => card.svg));
  return drawing(await faces.get(key));
}

export const face = (id) => drawn(id, "full");

/** Equal cards that lie open on the table. */
function small(id, { name, count }) {
  const button = make("button", { class: "laid", "data-card": id, title: name, onclick: () => reader(button, id) }, make("span", { class: "unseen" }, name),
    count > 1 ? make("span", { class: "many" }, `×${count}`) : null);
  drawn(id, "small").then((card) => {
    card.setAttribute("aria-hidden", "true");
    button.prepend(card);
  }, () => button.classList.add("plain"));
  return button;
}

async function browse(zone) {
  const known = [...new Set(zone.designs)];
  openPanel(zone.name, make("div", { class: "wall" }, await Promise.all(known.map(face))));
}

const all = (zone) => make("button", { class: "name", "aria-label": `${zone.name}: read ${zone.designs.length} cards`, onclick: () => browse(zone) }, `all ${zone.count}`);

/** The content of a seat's zone: the names of a few cards, a hand face down, or a number. Known cards can be read. */
function contents(zone, hidden) {
  if (zone.cards && zone.cards.length <= LISTED && zone.cards.length === zone.designs.length) {
    return zone.cards.flatMap((name, at) => [at ? ", " : null, make("button", { class: "name", "data-card": zone.designs[at], onclick: (event) => reader(event.currentTarget, zone.designs[at]) }, name)]);
  }
  if (zone.designs.length) return [make("button", { class: "name", "aria-label": `${zone.name}: read ${zone.designs.length} cards`, onclick: () => browse(zone) }, String(zone.count))];
  return [hidden ? heap(hidden) : String(zone.count)];
}

function heap(text) {
  const cards = drawing(text);
  cards.setAttribute("role", "img");
  return cards;
}

function swatch(color) {
  const box = drawing('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 14 14" class="swatch"><rect width="14" height="14" rx="4" stroke="#666"/></svg>');
  box.firstChild.setAttribute("fill", color);
  box.setAttribute("aria-hidden", "true");
  return box;
}

export function seats(picture) {
  if (isShown(find("#seats"), [picture.table.seats, picture.seat, picture.heaps])) return;
  const counter = (counter) => make("div", { "data-counter": counter.id }, make("dt", {}, counter.name), make("dd", {}, counter.value));
  const zone = (seat) => (zone) => make("div", { "data-zone": zone.id }, make("dt", {}, zone.name), make("dd", {}, contents(zone, picture.heaps[`${seat.faction.id} ${zone.id}`])));
  fill(find("#seats"), make("h2", {}, "Seats"), picture.table.seats.map((seat) => make("div",
    { class: `seat${seat.active ? " active" : ""}${seat.playing ? "" : " out"}`, "data-faction": seat.faction.id, onclick: picker },
    make("h3", {}, swatch(seat.color), seat.faction.name, seat.faction.id === picture.seat ? make("span", { class: "tag" }, "you") : null,
      seat.active ? make("span", { class: "tag" }, "to move") : null),
    make("dl", {}, seat.counters.map(counter), seat.zones.map(zone(seat))))));
}

/** The counters of the game, its decks, and its open cards. */
export function piles(picture) {
  const { counters, zones, decks } = picture.table;
  if (isShown(find("#piles"), [counters, zones, decks, picture.seat, picture.epoch])) return;
  const line = (counter) => make("div", { class: "pile", "data-counter": counter.id }, make("b", {}, counter.name), " ", counter.value);
  const deck = (zone) => make("figure", { class: "deck", "data-zone": zone.id }, heap(picture.heaps[zone.id]), make("figcaption", {}, zone.name));
  const market = (zone) => {
    const shown = new Map();
    zone.designs.forEach((id, at) => shown.set(id, { name: zone.cards?.[at] ?? id, count: (shown.get(id)?.count ?? 0) + 1 }));
    const isLong = shown.size > LAID_OUT;
    return make("section", { class: "market", "data-zone": zone.id, "aria-label": zone.name }, make("h3", {}, zone.name, " ", isLong ? all(zone) : null),
      make("div", { class: "row-of-cards" }, [...shown].slice(0, isLong ? 1 : LAID_OUT).map(([id, of]) => small(id, isLong ? { ...of, count: 1 } : of))));
  };
  fill(find("#piles"), counters.map(line));
  const shelf = find("#shelf");
  // What lies among the viewer's own cards or on the board is shown there.
  const own = new Set((picture.table.hand ?? []).map((zone) => zone.id));
  fill(shelf, zones.filter((zone) => !own.has(zone.id) && !zone.is_laid).map(market), decks.map(deck));
  // What scrolls can be reached by keyboard.
  if (shelf.querySelector("button") || !shelf.firstChild) shelf.removeAttribute("tabindex");
  else shelf.setAttribute("tabindex", "0");
}
