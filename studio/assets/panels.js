// What there is to read beside the table: rules, curves, links for others, how the page works.

import { find, isTyping, make, openPanel, say } from "./dom.js";
import { get } from "./net.js";
import { legend, lines } from "./plot.js";

const guarded = (work) => async (...args) => {
  try {
    await work(...args);
  } catch (error) {
    say(error.message);
  }
};

/** The rules panel: the aim, the order of play, the rules beside the cards. */
export const rules = guarded(async (picture) => {
  const book = await get("/api/rules", { seat: picture.seat });
  const now = picture.table.phase?.id;
  const phase = (phase) => make("li", { class: `depth-${Math.min(phase.depth, 3)}`, "aria-current": phase.id === now ? "step" : null },
    make("b", {}, phase.name), phase.times ? ` (${phase.times} times)` : "", phase.id === now ? " — now" : "", phase.help && make("div", { class: "quiet" }, phase.help));
  const rule = (rule) => [make("dt", {}, rule.faction ? `${rule.title} (${rule.faction})` : rule.title), make("dd", {}, rule.text)];
  openPanel("Rules",
    book.aim && make("p", { class: "aim" }, book.aim),
    book.phases.length ? [make("h3", {}, "The order of play"), make("ol", { class: "phases" }, book.phases.map(phase))] : null,
    book.rules.length ? [make("h3", {}, "Rules beside the cards"), make("dl", { class: "rules" }, book.rules.flatMap(rule))] : null,
    make("p", { class: "quiet" }, "Whatever a card does is written on it. Click a card to read it, or open the view Cards for all of them."));
});

/** The pictures of how the numbers of the seats went. */
export async function curves(picture) {
  const all = await get("/api/curves", { seat: picture.seat });
  const color = new Map(picture.table.seats.map((seat) => [seat.faction.id, seat]));
  const series = (curve) => ({ name: color.get(curve.faction)?.faction.name ?? curve.faction, color: color.get(curve.faction)?.color ?? "#888", points: curve.points });
  const counters = [...new Map(all.map((curve) => [curve.counter, curve.name]))];
  const of = (counter) => all.filter((curve) => curve.counter === counter);
  const moved = counters.filter(([counter]) => of(counter).some((curve) => curve.points.length > 1));
  const plots = moved.map(([counter, name]) => lines(name, of(counter).map(series), { until: picture.steps }));
  const seats = picture.table.seats.map((seat) => ({ name: seat.faction.name, color: seat.color }));
  return plots.length ? [legend(seats), make("div", { class: "plots" }, plots)] : [];
}

export const showCurves = guarded(async (picture) => {
  const plots = await curves(picture);
  openPanel("Curves of the game", plots.length ? plots : make("p", {}, "No number of a seat has changed yet."),
    plots.length ? make("p", { class: "quiet" }, "From left to right: the answers of the game.") : null);
});

/** Why a seat is asked. */
export const why = guarded(async (seat) => {
  const reasons = await get("/api/why", { seat });
  openPanel("Why am I asked this?", reasons.map((reason) => make("div", { class: "reason" },
    reason.source && make("p", {}, make("b", {}, reason.source), reason.text ? `: ${reason.text}` : ""),
    reason.phase && make("p", {}, `The phase is ${reason.phase}.`),
    !reason.source && make("p", {}, "The order of play asks, not a card."),
    make("p", { class: "quiet" }, "For designers: decision ", make("code", {}, reason.decision),
      reason.scripts.length ? [", hooks ", make("code", {}, reason.scripts.join(" › "))] : null))));
});

/** The links to invite others with. */
export const invite = guarded(async () => {
  const links = await get("/api/links");
  const row = ([name, link]) => {
    const copy = make("button", { class: "small", onclick: async () => {
      await navigator.clipboard.writeText(link);
      copy.textContent = "Copied";
    } }, "Copy");
    return make("div", { class: "invite" }, make("b", {}, name), make("code", {}, link), copy);
  };
  const isLocal = /^http:\/\/(127\.|localhost|\[::1\])/.test(links.spectators);
  openPanel("Invite others", make("p", {}, "Each link opens the view of one seat and nothing else. Give each to one person."),
    links.seats.map(row), row(["Spectators", links.spectators]),
    isLocal && make("p", { class: "quiet" }, "These links work on this machine only. Start the studio with ", make("code", {}, "--listen 0.0.0.0"), " to invite others on your network."));
});

const KEYS = [
  ["Tab, Enter", "go through lit places, cards and options, and take one"], ["1 to 9", "take that option"],
  ["/", "find an option in a long list"], ["Escape", "show all options again; end a movement of pieces at once"],
  ["u", "take your last answer back"], ["w", "read why you are asked"], ["r", "read the rules"],
  ["c", "see the curves"], ["?", "read this"],
];

export function help() {
  openPanel("How this page works",
    make("p", {}, "Lit places on the board and lit cards can be chosen. Click one, drag it to where it goes, or take an option of the list. Point at an option to read what it leads to before you take it."),
    make("p", {}, "Every answer is saved before it is shown. Close the page whenever you like: the game waits. The slider shows every earlier moment of the game. Undo takes your last answer back, unless something has been revealed since."),
    make("h3", {}, "Keys"),
    make("dl", { class: "keys" }, KEYS.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)])));
}

const TIPS = [
  "What is lit can be chosen: click it on the board or in your hand, drag it, or take an option of this list.",
  "Point at an option, or press its “i”, and read what it leads to before you take it.",
  "Click any card to read it. Names of cards in “What happened” can be clicked, too.",
  "The slider below shows every earlier moment. Undo takes your last answer back while nothing new has been revealed.",
  "“Rules” shows how the game is won and what phase it is. “Why?” says where a question comes from.",
];

/** A hint for those who are new here, one after the other. */
export function coach() {
  const box = find("#coach");
  const at = Number(localStorage.getItem("tip") ?? 0);
  box.hidden = at >= TIPS.length;
  if (box.hidden) return;
  const to = (next) => () => { localStorage.setItem("tip", next); coach(); };
  box.replaceChildren(make("p", {}, TIPS[at]), make("div", { class: "row" },
    make("button", { class: "small", onclick: to(at + 1) }, at + 1 < TIPS.length ? "Next hint" : "Got it"),
    make("button", { class: "small", onclick: to(TIPS.length) }, "No more hints")));
}

/** Binds buttons and keys. `now` gives the table as it is. */
export function begin(now) {
  const bind = (id, key, show) => {
    find(id).addEventListener("click", () => now() && show(now()));
    if (key) document.addEventListener("keydown", (event) => { if (event.key === key && !isTyping(event) && now()) show(now()); });
  };
  bind("#show-rules", "r", rules);
  bind("#show-curves", "c", showCurves);
  bind("#show-invite", null, invite);
  bind("#show-help", "?", help);
  coach();
}
