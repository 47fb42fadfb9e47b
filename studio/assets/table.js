// The table view: board, seats, cards, log, time.

import * as dice from "./dice.js";
import { drawing, empty, fill, find, findAll, isShown, isTyping, make, openPanel, released, say } from "./dom.js";
import * as motion from "./motion.js";
import { get, post } from "./net.js";
import { Options } from "./options.js";
import * as outlook from "./outlook.js";
import * as panels from "./panels.js";
import * as story from "./story.js";
import * as zones from "./zones.js";

/** `log` holds the last lines of the log; the next one has the number `until`. */
const state = { seat: null, log: [], until: 0, fresh: 0, epoch: 0, now: null, past: false, busy: false, group: null };
const options = new Options(find("#ask"), answer, () => panels.why(state.seat));

let queue = Promise.resolve();

/** Fetches and shows the current table. Calls run one after another; otherwise lines of the log would be added twice. */
export function refresh() {
  queue = queue.then(load);
  return queue;
}

async function load() {
  const known = { seat: state.seat, log: state.until, epoch: state.epoch };
  let picture;
  try {
    picture = await get("/api/table", known);
  } catch (error) {
    say(error.message);
    return;
  }
  await released();
  if (handOver(picture)) return;
  const isOther = picture.epoch !== state.epoch;
  if (isOther || picture.log.from < state.until) state.log.length = 0;
  if (isOther) {
    zones.forget();
    story.forget();
    state.fresh = picture.log.lines.length;
  }
  const rolled = new Map(picture.log.rolled.map(([number, at]) => [number, picture.log.dice[at]]));
  state.log.push(...picture.log.lines.map((text, at) => ({ text, die: rolled.get(picture.log.from + at) })));
  state.until = picture.log.from + picture.log.lines.length;
  state.epoch = picture.epoch;
  if (!state.now) panels.coach(picture);
  state.now = picture;
  frame(picture);
  if (!state.past) show(picture, !isOther);
}

/** If one person uses this page, it shows that person's view. With several, views alternate behind a curtain. */
function handOver(picture) {
  if (!picture.host || picture.humans.length < 2) {
    state.seat = picture.seat;
    return false;
  }
  const asked = picture.humans.filter((seat) => seat.asked);
  if (!asked.length || asked.some((seat) => seat.id === state.seat)) return false;
  const curtain = find("#curtain");
  find("h2", curtain).textContent = `${asked[0].name}, it is your turn`;
  state.isHanded = false;
  find("button", curtain).onclick = () => {
    state.isHanded = true;
    curtain.close();
    turnTo(asked[0].id);
  };
  blank();
  for (const open of findAll("dialog[open]:not(#curtain)")) open.close();
  if (!curtain.open) curtain.showModal();
  return true;
}

function turnTo(seat) {
  Object.assign(state, { seat, log: [], until: 0, fresh: 0, epoch: 0, group: null });
  refresh();
}

/** Clears the view, so that nothing remains behind the curtain. */
function blank() {
  options.none();
  dice.hide();
  for (const id of ["#map", "#tracks", "#hand", "#ask", "#news", "#seats", "#piles", "#shelf", "#log"]) empty(find(id));
}

function frame(picture) {
  find("#title").textContent = picture.title;
  document.title = picture.title;
  const time = find("#time");
  time.max = picture.steps;
  if (!state.past) time.value = picture.steps;
  showStep(Number(time.value));
  for (const element of [find("#new"), find("#show-invite"), ...findAll(".host-only")]) element.hidden = !picture.host;
  find("#back").hidden = !picture.trial;
  story.show(state.log, state.fresh, readById);
  document.body.dataset.version = picture.version;
  document.dispatchEvent(new CustomEvent("table", { detail: picture }));
}

function showStep(step) {
  find("#moment").textContent = `${step} / ${state.now?.steps ?? 0}`;
  find("#time").setAttribute("aria-valuetext", `After ${step} of ${state.now?.steps ?? 0} answers`);
}

/** Shows one moment. Only the present has options. */
function show(picture, moves = false) {
  const focused = document.activeElement?.dataset?.space;
  const live = picture === state.now;
  const before = motion.note(find("#map"));
  const isMoved = !isShown(find("#map"), picture.board);
  if (isMoved) fill(find("#map"), drawing(picture.board));
  if (!isShown(find("#tracks"), picture.tracks)) fill(find("#tracks"), picture.tracks && drawing(picture.tracks));
  find("#phase").textContent = picture.table.phase?.name ?? "";
  find("#phase").hidden = !picture.table.phase;
  zones.seats(picture);
  zones.piles(picture);
  hand(picture);
  dice.show(live ? state.log.slice(state.fresh) : []);
  if (moves && live && isMoved && before.length) motion.animate(before, find("#map svg"));
  outlook.begin(live ? picture.seat : null);
  if (live) options.show(picture);
  else options.none();
  const say = (text) => make("p", { class: "waiting" }, text);
  const news = picture.over ? standings(picture) : !live ? say("You are looking back.") : !picture.decisions.length ? say(waiting(picture))
    : state.group ? say("All units of the group follow this one.") : null;
  fill(find("#news"), news);
  const you = picture.table.seats.find((seat) => seat.faction.id === picture.seat);
  find("#whose").textContent = you ? `You lead ${you.faction.name}` : "You watch";
  find("#undo").disabled = !live || !picture.seat;
  if (focused) find(`.space.lit[data-space="${CSS.escape(focused)}"]`)?.focus();
  document.body.dataset.ready = live ? (picture.over ? "over" : picture.decisions.length ? "asked" : "waiting") : "past";
}

function waiting(picture) {
  const active = picture.table.seats.find((seat) => seat.active && seat.faction.id !== picture.seat);
  return active ? `${active.faction.name} is to move. You can read cards and rules in the meantime.` : "The others play…";
}

function pickSeat(event) {
  if (event.currentTarget.matches(".lit") && !event.target.closest("button")) options.pick(event.currentTarget, isTouch(event));
}

function hand(picture) {
  if (isShown(find("#hand"), [picture.table.hand, picture.epoch])) return;
  const card = (of) => {
    const button = make("button", { class: "held", "data-card": of.id, onclick: () => read(button, of.id) }, make("span", { class: "unseen" }, `${of.title}. ${of.text ?? ""}`),
      of.count > 1 ? make("span", { class: "many" }, `×${of.count}`) : null);
    // The button's text says what is printed on the card.
    const add = (drawn) => { drawn.setAttribute("aria-hidden", "true"); button.prepend(drawn); };
    zones.face(of.id).then(add, () => button.classList.add("plain"));
    return button;
  };
  fill(find("#hand"), (picture.table.hand ?? []).map((zone) => make("div", { class: "zone", "data-zone": zone.id },
    make("h3", {}, zone.name), make("div", { class: "cards" }, zone.cards.map(card)))));
}

/** Shows a card in full, with the options for it. */
async function read(button, id) {
  const reader = find("#reader");
  fill(find(".face", reader), await zones.face(id));
  const here = state.past || !button ? [] : options.at(button);
  fill(find(".choices", reader), here.map(({ option, aside }) => make("button", {
    class: "choice", onclick: () => { reader.close(); answer(option, aside); } },
    make("span", { class: "words" }, option.text, option.note && make("span", { class: "note" }, option.note), option.preview && make("span", { class: "preview" }, option.preview)))));
  find(".close", reader).onclick = () => reader.close();
  if (!reader.open) reader.showModal();
}

const readById = (id) => read(null, id).catch((error) => say(error.message));

function standings(picture) {
  const names = [...new Set(picture.table.seats.flatMap((seat) => seat.counters.map((counter) => counter.name)))];
  const value = (seat, name) => seat.counters.find((counter) => counter.name === name)?.value ?? "";
  const row = (seat) => make("tr", {}, make("th", { scope: "row" }, seat.faction.name, seat.index === picture.over.winner ? " ★" : ""),
    names.map((name) => make("td", {}, value(seat, name))), make("td", {}, String(seat.spaces)));
  const box = make("div", { class: "over" }, make("h2", {}, picture.over.end), make("p", {}, picture.over.cause ?? ""),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Standings" },
      make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Seat"), names.map((name) => make("th", { scope: "col" }, name)), make("th", { scope: "col" }, "Spaces"))),
        make("tbody", {}, picture.table.seats.map(row)))));
  // The curves are added when they arrive.
  if (picture === state.now) panels.curves(picture).then((plots) => box.append(...plots), () => {});
  return box;
}

async function answer(option, aside, group = null) {
  if (state.busy || state.past) return;
  state.busy = true;
  say();
  state.fresh = state.log.length;
  // The picked group follows when its first unit is sent.
  const sent = option.verb === "to" ? state.group : null;
  state.group = group;
  // Bots play first, so that the game does not depend on who is faster.
  const patience = setTimeout(() => say("Your answer counts as soon as the bots are done."), 500);
  try {
    await post("/api/answer", { seat: state.seat, key: option.key, aside, group: sent });
    clearTimeout(patience);
    say();
  } catch (error) {
    clearTimeout(patience);
    say(error.message);
  }
  state.busy = false;
  await refresh();
}

async function undo() {
  if (find("#undo").disabled) return;
  say();
  state.group = null;
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
  find("#time").value = step;
  showStep(step);
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

const stepBy = (by) => look(Math.min(Math.max(Number(find("#time").value) + by, 0), state.now.steps));
const isTouch = (event) => event.pointerType === "touch";

/** The lit element at a point of the board. A piece that cannot be chosen does not hide its space. */
function litAt(target) {
  const piece = target.closest(".piece:not(.lit)");
  const below = piece && find(`.space.lit[data-space="${CSS.escape(piece.dataset.at)}"]`);
  return below ?? target.closest(".piece.lit, .space.lit");
}

function confirmNew() {
  const seed = make("input", { id: "seed", inputmode: "numeric", pattern: "[0-9]*", placeholder: "any" });
  openPanel("New game", make("p", {}, "The current game stays in its file. The new game has the same seats and its own file."),
    make("p", {}, make("label", { for: "seed" }, "Seed "), seed),
    make("button", { id: "begin", onclick: async () => {
      find("#panel").close();
      try {
        await post("/api/new", { seed: Number(seed.value) || Math.floor(Math.random() * 1e9) });
      } catch (error) {
        say(error.message);
      }
      state.past = false;
      find("#now").hidden = true;
      await refresh();
    } }, "Begin"));
}

export function begin() {
  // Only the button opens the curtain; Escape does not.
  find("#curtain").addEventListener("cancel", (event) => event.preventDefault());
  find("#curtain").addEventListener("close", (event) => { if (!state.isHanded) event.target.showModal(); });
  const map = find("#map");
  map.addEventListener("click", (event) => {
    const lit = litAt(event.target);
    if (lit) options.pick(lit, isTouch(event));
  });
  map.addEventListener("pointerover", (event) => { if (!isTouch(event)) options.point(litAt(event.target)); });
  map.addEventListener("pointerleave", () => outlook.leave());
  map.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) options.point(litAt(event.target)); });
  zones.begin(read, pickSeat);
  motion.follow((element, space) => options.drop(element, space));
  find("#undo").addEventListener("click", undo);
  find("#time").addEventListener("input", (event) => look(Number(event.target.value)));
  find("#earlier").addEventListener("click", () => stepBy(-1));
  find("#later").addEventListener("click", () => stepBy(1));
  find("#now").addEventListener("click", () => look(state.now.steps));
  find("#new").addEventListener("click", confirmNew);
  find("#keep").addEventListener("click", keep);
  find("#back").addEventListener("click", back);
  document.addEventListener("keydown", (event) => {
    if (isTyping(event)) return;
    if (event.key === "u") undo();
    if (event.key === "Escape") motion.skip();
  });
  panels.begin(() => state.now);
}

/** Turns the shown position into a scenario of the pack. */
function keep() {
  const until = Number(find("#time").value);
  const id = make("input", { id: "scenario-id", pattern: "[a-z0-9-]+", required: true, placeholder: "lower-case-words" });
  const title = make("input", { id: "scenario-title", placeholder: "what it tests" });
  const last = make("input", { id: "scenario-last", type: "number", min: 0, max: until, value: Math.min(1, until) });
  const row = (name, input) => make("div", { class: "field" }, make("label", { for: input.id }, name), input);
  openPanel("Turn this position into a scenario", make("p", {}, `The scenario plays the game up to answer ${until}. Its “then” contains the changes of the last answers.`),
    make("form", { onsubmit: async (event) => {
      event.preventDefault();
      try {
        const made = await post("/api/scenario", { id: id.value, title: title.value || null, last: Number(last.value), until });
        openPanel("Scenario written", make("p", {}, "The scenario and its snapshot are in ", make("code", {}, made.file), ". It passes."));
      } catch (error) {
        find("#scenario-trouble").textContent = error.message;
      }
    } }, row("id", id), row("title", title), row("last answers", last), make("p", { id: "scenario-trouble", role: "alert" }), make("button", { id: "write" }, "Write")));
}

async function back() {
  try {
    await post("/api/back", {});
  } catch (error) {
    say(error.message);
  }
  await refresh();
}

export const isHost = () => !!state.now?.host;
export const languages = () => state.now?.languages ?? [];
