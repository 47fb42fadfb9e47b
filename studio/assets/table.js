// The table: board, seats, cards, what happened, time.

import { drawing, fill, find, findAll, make } from "./dom.js";
import { get, post } from "./net.js";
import { Options } from "./options.js";

const state = { seat: null, chosen: false, log: [], epoch: 0, now: null, past: false, busy: false };
const faces = new Map();
const options = new Options(find("#ask"), answer);

function say(text) {
  const message = find("#message");
  message.textContent = text;
  message.hidden = !text;
}

let pressed = null;
document.addEventListener("pointerdown", () => { pressed ??= Promise.withResolvers(); });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    const { resolve } = pressed ?? {};
    pressed = null;
    // The click comes first.
    if (resolve) setTimeout(resolve);
  });
}

/** Nothing is redrawn under a pressed button, or its click would be lost. */
const released = () => pressed?.promise;

let queue = Promise.resolve();

/** Fetches and shows the table as it is now. One after the other, or lines of the log would be added twice. */
export function refresh() {
  queue = queue.then(load);
  return queue;
}

async function load() {
  const known = { seat: state.seat, log: state.log.length, epoch: state.epoch };
  let picture;
  try {
    picture = await get("/api/table", known);
  } catch (error) {
    say(error.message);
    return;
  }
  await released();
  if (handOver(picture)) return;
  if (picture.epoch !== state.epoch || picture.log.from < state.log.length) state.log.length = 0;
  if (picture.epoch !== state.epoch) faces.clear();
  state.log.push(...picture.log.lines);
  state.epoch = picture.epoch;
  state.now = picture;
  frame(picture);
  if (!state.past) show(picture);
}

/** With one person at this page the view is his. With several, it goes from seat to seat behind a curtain. */
function handOver(picture) {
  if (!picture.host || !picture.humans.length) {
    state.seat = picture.seat;
    return false;
  }
  const asked = picture.humans.filter((seat) => seat.asked);
  if (picture.humans.length === 1) {
    state.seat = picture.seat;
    return false;
  }
  if (!asked.length || asked.some((seat) => seat.id === state.seat)) return false;
  const curtain = find("#curtain");
  find("h2", curtain).textContent = `${asked[0].name}, it is your turn`;
  find("button", curtain).onclick = () => {
    curtain.close();
    turnTo(asked[0].id);
  };
  blank();
  if (!curtain.open) curtain.showModal();
  return true;
}

function turnTo(seat) {
  Object.assign(state, { seat, log: [], epoch: 0 });
  refresh();
}

/** Nothing of a view stays behind the curtain. */
function blank() {
  for (const id of ["#map", "#hand", "#ask", "#seats", "#piles", "#log"]) fill(find(id));
}

function frame(picture) {
  find("#title").textContent = picture.title;
  document.title = picture.title;
  const trouble = find("#trouble");
  trouble.hidden = !picture.trouble.length;
  fill(trouble, ...picture.trouble.map((finding) => make("div", {},
    make("code", {}, finding.file ? `${finding.file}:${finding.line} ` : ""), finding.message,
    finding.help ? ` (${finding.help})` : "")));
  const time = find("#time");
  time.max = picture.steps;
  if (!state.past) time.value = picture.steps;
  find("#moment").textContent = `${time.value} / ${picture.steps}`;
  find("#new").hidden = !picture.host;
  const log = find("#log");
  fill(log, ...state.log.slice(-150).map((line) => make("li", {}, line)));
  log.scrollTop = log.scrollHeight;
  document.body.dataset.version = picture.version;
}

/** Shows one moment; the present has options, the past has none. */
function show(picture) {
  const focused = document.activeElement?.dataset?.space;
  fill(find("#map"), drawing(picture.board), picture.tracks && drawing(picture.tracks));
  find("#phase").textContent = picture.table.phase?.name ?? "";
  seats(picture);
  piles(picture);
  hand(picture);
  const live = picture === state.now;
  options.show(live ? picture.decisions : [], live ? picture.asides : []);
  if (picture.over) find("#ask").prepend(standings(picture));
  else if (!live) find("#ask").prepend(make("p", {}, "You are looking back."));
  else if (!picture.decisions.length) find("#ask").prepend(make("p", {}, "The others play…"));
  const you = picture.table.seats.find((seat) => seat.faction.id === picture.seat);
  find("#whose").textContent = you ? `You lead ${you.faction.name}` : "You watch";
  find("#undo").disabled = !live || !picture.seat;
  if (focused) find(`.space.lit[data-space="${CSS.escape(focused)}"]`)?.focus();
  document.body.dataset.ready = live ? (picture.over ? "over" : picture.decisions.length ? "asked" : "waiting") : "past";
}

function swatch(color) {
  const box = drawing('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 14 14" class="swatch"><rect width="14" height="14" rx="4" stroke="#666"/></svg>');
  box.firstChild.setAttribute("fill", color);
  box.setAttribute("aria-hidden", "true");
  return box;
}

function seats(picture) {
  fill(find("#seats"), make("h2", {}, "Seats"), ...picture.table.seats.map((seat) => make("div",
    { class: `seat${seat.active ? " active" : ""}${seat.playing ? "" : " out"}` },
    make("h3", {}, swatch(seat.color), seat.faction.name, seat.active ? " — to move" : ""),
    make("dl", {}, ...seat.counters.map((counter) => make("div", {}, make("dt", {}, counter.name), make("dd", {}, counter.value))),
      ...seat.zones.map((zone) => make("div", {}, make("dt", {}, zone.name), make("dd", {}, zone.cards?.join(", ") ?? String(zone.count)))))))
  );
}

function piles(picture) {
  const line = (name, value) => make("div", { class: "pile" }, make("b", {}, name), ` ${value}`);
  fill(find("#piles"), ...picture.table.counters.map((counter) => line(counter.name, counter.value)),
    ...picture.table.zones.map((zone) => line(zone.name, zone.cards?.join(", ") ?? zone.count)));
}

async function face(id) {
  if (!faces.has(id)) faces.set(id, get("/api/face", { id }).then((card) => card.svg));
  return drawing(await faces.get(id));
}

function hand(picture) {
  const card = (of) => {
    const button = make("button", { class: "held", "data-card": of.id, "aria-label": `${of.title}. ${of.text ?? ""}`, onclick: () => read(button, of.id) },
      of.count > 1 ? make("span", { class: "many" }, `×${of.count}`) : null);
    face(of.id).then((drawn) => button.prepend(drawn), () => button.prepend(of.title));
    return button;
  };
  fill(find("#hand"), ...(picture.table.hand ?? []).map((zone) => make("div", { class: "zone" },
    make("h3", {}, zone.name), make("div", { class: "cards" }, ...zone.cards.map(card)))));
}

/** A card in full, with what can be done with it. */
async function read(button, id) {
  const reader = find("#reader");
  fill(find(".face", reader), await face(id));
  fill(find(".choices", reader), ...options.at(button).map(({ option, aside }) => make("button", {
    class: "choice", onclick: () => { reader.close(); answer(option, aside); } }, option.text)));
  find(".close", reader).onclick = () => reader.close();
  reader.showModal();
}

function standings(picture) {
  const names = [...new Set(picture.table.seats.flatMap((seat) => seat.counters.map((counter) => counter.name)))];
  const value = (seat, name) => seat.counters.find((counter) => counter.name === name)?.value ?? "";
  const row = (seat) => make("tr", {}, make("th", { scope: "row" }, seat.faction.name, seat.index === picture.over.winner ? " ★" : ""),
    ...names.map((name) => make("td", {}, value(seat, name))), make("td", {}, String(seat.spaces)));
  return make("div", { class: "over" }, make("h2", {}, picture.over.end), make("p", {}, picture.over.cause ?? ""),
    make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Seat"), ...names.map((name) => make("th", { scope: "col" }, name)), make("th", { scope: "col" }, "Spaces"))),
      make("tbody", {}, ...picture.table.seats.map(row))));
}

async function answer(option, aside) {
  if (state.busy || state.past) return;
  state.busy = true;
  say("");
  try {
    await post("/api/answer", { seat: state.seat, key: option.key, aside });
  } catch (error) {
    say(error.message);
  }
  state.busy = false;
  await refresh();
}

async function undo() {
  say("");
  try {
    await post("/api/undo", { seat: state.seat });
  } catch (error) {
    say(error.message);
  }
  await refresh();
}

let looking = 0;
async function look(step) {
  const mine = ++looking;
  state.past = step < state.now.steps;
  find("#now").hidden = !state.past;
  find("#moment").textContent = `${step} / ${state.now.steps}`;
  if (!state.past) {
    show(state.now);
    return;
  }
  try {
    const picture = await get("/api/moment", { seat: state.seat, step });
    if (mine === looking) show(picture);
  } catch (error) {
    say(error.message);
  }
}

export function begin() {
  // The curtain is opened by its button only.
  find("#curtain").addEventListener("cancel", (event) => event.preventDefault());
  find("#map").addEventListener("click", (event) => {
    // A piece that cannot be chosen does not hide the space that it stands on.
    const piece = event.target.closest(".piece:not(.lit)");
    const below = piece && find(`.space.lit[data-space="${CSS.escape(piece.dataset.at)}"]`);
    const lit = below ?? event.target.closest(".piece.lit, .space.lit");
    if (lit) options.pick(lit);
  });
  find("#undo").addEventListener("click", undo);
  find("#time").addEventListener("input", (event) => look(Number(event.target.value)));
  find("#now").addEventListener("click", () => { find("#time").value = state.now.steps; look(state.now.steps); });
  find("#new").addEventListener("click", async () => {
    try {
      await post("/api/new", { seed: Math.floor(Math.random() * 1e9) });
    } catch (error) {
      say(error.message);
    }
    state.past = false;
    await refresh();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "u" && !event.target.matches?.("input, select") && !event.ctrlKey && !event.metaKey) undo();
  });
}

export const languages = () => state.now?.languages ?? [];
