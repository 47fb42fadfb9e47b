// Panels beside the table: rules, curves, links for others, help.

import { fill, find, isTyping, make, openPanel, say } from "./dom.js";
import { get } from "./net.js";
import { legend, lines } from "./plot.js";

const guarded = (work) => async (...args) => {
  try {
    await work(...args);
  } catch (error) {
    say(error.message);
  }
};

/** The rules panel: the aim, the order of play, the standing rules. */
export const rules = guarded(async (picture) => {
  const book = await get("/api/rules", { seat: picture.seat });
  const now = picture.table.phase?.id;
  const phase = (phase) => make("li", { class: `depth-${Math.min(phase.depth, 3)}`, "aria-current": phase.id === now ? "step" : null },
    make("b", {}, phase.name), phase.times ? ` (${phase.times} times)` : "", phase.id === now ? " — now" : "", phase.help && make("div", { class: "quiet" }, phase.help));
  const rule = (rule) => [make("dt", {}, rule.faction ? `${rule.title} (${rule.faction})` : rule.title), make("dd", {}, rule.text)];
  openPanel("Rules",
    book.aim && make("p", { class: "aim" }, book.aim),
    book.phases.length ? [make("h3", {}, "The order of play"), make("ol", { class: "phases" }, book.phases.map(phase))] : null,
    book.rules.length ? [make("h3", {}, "Standing rules"), make("dl", { class: "rules" }, book.rules.flatMap(rule))] : null,
    make("p", { class: "quiet" }, "Every card says what it does. Click a card to read it, or open the Cards view to see all of them."));
});

/** The charts of the seats' numbers over the game. */
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
  openPanel("Curves of the game", plots.length ? plots : make("p", {}, "No numbers have changed yet."),
    plots.length ? make("p", { class: "quiet" }, "The horizontal axis counts the answers of the game.") : null);
});

/** Shows why a seat must decide. */
export const why = guarded(async (seat) => {
  const reasons = await get("/api/why", { seat });
  openPanel("Why am I asked this?", reasons.map((reason) => make("div", { class: "reason" },
    reason.source && make("p", {}, make("b", {}, reason.source), reason.text ? `: ${reason.text}` : ""),
    reason.phase && make("p", {}, `The phase is ${reason.phase}.`),
    !reason.source && make("p", {}, "The order of play asks for this, not a card."),
    make("p", { class: "quiet" }, "For designers: decision ", make("code", {}, reason.decision),
      reason.scripts.length ? [", hooks ", make("code", {}, reason.scripts.join(" › "))] : null))));
});

/** Shows the links for inviting others. */
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
  openPanel("Invite others", make("p", {}, "Each link opens the view of one seat only. Give each link to one person."),
    links.seats.map(row), row(["Spectators", links.spectators]),
    isLocal && make("p", { class: "quiet" }, "These links work only on this machine. Start the studio with ", make("code", {}, "--listen 0.0.0.0"), " to invite others on your network."));
});

const KEYS = [
  ["Tab, Enter", "move between highlighted places, cards and options, and take one"], ["1 to 9", "take that option"],
  ["/", "find an option in a long list"], ["Escape", "show all options again; skip an animation"],
  ["u", "take back your last answer"], ["w", "read why you must decide"], ["r", "read the rules"],
  ["c", "see the curves"], ["?", "read this"],
];

export function help() {
  openPanel("How this page works",
    make("p", {}, "You can choose highlighted places on the board and highlighted cards. Click one, drag it to its destination, or take an option from the list. Point at an option to read what it does before you take it."),
    make("p", {}, "Every answer is saved at once. You can close the page at any time: the game waits for you. The slider shows every earlier moment of the game. Undo takes back your last answer, unless something has been revealed since."),
    make("h3", {}, "Keys"),
    make("dl", { class: "keys" }, KEYS.flatMap(([key, what]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, what)])));
}

const TIPS = [
  "You can choose what is highlighted: click it on the board or in your hand, drag it, or take an option from this list.",
  "Point at an option, or press its “i”, to read what it does before you take it.",
  "Click any card to read it. You can also click names of cards in “What happened”.",
  "The slider below shows every earlier moment. Undo takes back your last answer, unless something has been revealed since.",
  "“Rules” shows how to win and which phase it is. “Why?” shows where a decision comes from.",
];

let aim = null;

/** Shows new users one hint after another: first how to win, if the game says so. */
export async function coach(picture) {
  const box = find("#coach");
  const at = Number(localStorage.getItem("tip") ?? 0);
  box.hidden = at >= TIPS.length;
  if (box.hidden) return;
  if (at === 0) aim ??= await get("/api/rules", { seat: picture.seat }).then((book) => book.aim, () => null);
  const to = (next) => () => { localStorage.setItem("tip", next); coach(picture); };
  fill(box, at === 0 && aim ? make("p", {}, make("b", {}, "How to win: "), aim) : null, make("p", {}, TIPS[at]), make("div", { class: "row" },
    make("button", { class: "small", onclick: to(at + 1) }, at + 1 < TIPS.length ? "Next hint" : "Got it"),
    make("button", { class: "small", onclick: to(TIPS.length) }, "No more hints")));
}

/** Binds buttons and keys. `now` returns the current table. */
export function begin(now) {
  const bind = (id, key, show) => {
    find(id).addEventListener("click", () => now() && show(now()));
    if (key) document.addEventListener("keydown", (event) => { if (event.key === key && !isTyping(event) && now()) show(now()); });
  };
  bind("#show-rules", "r", rules);
  bind("#show-curves", "c", showCurves);
  bind("#show-invite", null, invite);
  bind("#show-help", "?", help);
  find("#phase").addEventListener("click", () => now() && rules(now()));
}
