// Panels beside the table: rules, curves, links for others, help.

import { fill, find, isTyping, make, openPanel, say } from "./dom.js";
import { get } from "./net.js";
import { html, render } from "./table/view.js";
import { Pace } from "./table/playback.js";
import { t } from "./words.js";

const guarded = (work) => async (...args) => {
  try {
    await work(...args);
  } catch (error) {
    say(error.message);
  }
};

/** The rulebook is loaded when it is opened, so that the first page is small. */
const rulebook = async (picture) => (await import("./rulebook.js")).book(picture);

/** The rules panel: the rulebook, then the order of play and the standing rules. It opens at what is asked now. */
export const rules = guarded(async (picture) => {
  const [prose, book] = await Promise.all([rulebook(picture).catch(() => null), get("/api/rules", { seat: picture.seat })]);
  const now = picture.table.phase?.id;
  const phase = (phase) => make("li", { class: `depth-${Math.min(phase.depth, 3)}`, "aria-current": phase.id === now ? "step" : null },
    make("b", {}, phase.name), phase.times ? ` (${t("times", phase.times)})` : "", phase.id === now ? ` — ${t("now")}` : "", phase.help && make("div", { class: "quiet" }, phase.help));
  const rule = (rule) => [make("dt", {}, rule.faction ? `${rule.title} (${rule.faction})` : rule.title), make("dd", {}, rule.text)];
  openPanel(t("rules"),
    prose && prose.elements,
    book.aim && !prose && make("p", { class: "aim" }, book.aim),
    book.phases.length ? [make("h3", {}, t("rules-order")), make("ol", { class: "phases" }, book.phases.map(phase))] : null,
    book.rules.length ? [make("h3", {}, t("rules-standing")), make("dl", { class: "rules" }, book.rules.flatMap(rule))] : null,
    make("p", { class: "quiet" }, t("rules-cards")));
  prose?.here?.scrollIntoView();
  prose?.here?.focus({ preventScroll: true });
});

/** The charts of the seats' numbers over the game. */
export async function curves(picture, known = null) {
  const { legend, lines } = await import("./plot.js");
  const all = known ?? await get("/api/curves", { seat: picture.seat });
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
  openPanel(t("curves-title"), plots.length ? plots : make("p", {}, t("curves-none")),
    plots.length ? make("p", { class: "quiet" }, t("curves-axis")) : null);
});

/** Shows why a seat must decide. */
export const why = guarded(async (seat) => {
  const reasons = await get("/api/why", { seat });
  openPanel(t("why-asked"), reasons.map((reason) => make("div", { class: "reason" },
    reason.source && make("p", {}, make("b", {}, reason.source), reason.text ? `: ${reason.text}` : ""),
    reason.phase && make("p", {}, t("why-phase", reason.phase)),
    !reason.source && make("p", {}, t("why-order")),
    make("p", { class: "quiet" }, t("why-designers"), " ", make("code", {}, reason.decision),
      reason.scripts.length ? [", ", make("code", {}, reason.scripts.join(" › "))] : null))));
});

/** Shows the links for inviting others. */
export const invite = guarded(async () => {
  const links = await get("/api/links");
  const row = ([name, link]) => {
    const copy = make("button", { class: "small", onclick: async () => {
      await navigator.clipboard.writeText(link);
      copy.textContent = t("copied");
    } }, t("copy"));
    return make("div", { class: "invite" }, make("b", {}, name), make("code", {}, link), copy);
  };
  const isLocal = /^http:\/\/(127\.|localhost|\[::1\])/.test(links.spectators);
  openPanel(t("invite-title"), make("p", {}, t("invite-help")),
    links.seats.map(row), row([t("spectators"), links.spectators]),
    isLocal && make("p", { class: "quiet" }, t("invite-local"), " ", make("code", {}, "--listen 0.0.0.0")));
});

const KEYS = ["Tab, Enter", "1–9", "Enter", "/", "Escape", "u", "w", "r", "c", "+, −, 0", "?"];

export function help() {
  const speed = make("div", {});
  render(html`<${Pace} />`, speed);
  openPanel(t("help-title"), make("p", {}, t("help-choose")), make("p", {}, t("help-save")), make("p", {}, t("help-board")), speed,
    make("h3", {}, t("keys")),
    make("dl", { class: "keys" }, KEYS.flatMap((key, at) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, t(`key-${at + 1}`))])));
}

const TIPS = ["tip-1", "tip-2", "tip-3", "tip-4", "tip-5"];

let aim = null;

/** Shows new users one hint after another: first how to win, if the game says so. */
export async function coach(picture, box) {
  const at = Number(localStorage.getItem("tip") ?? 0);
  box.hidden = at >= TIPS.length;
  if (box.hidden || box.dataset.at === String(at)) return;
  box.dataset.at = String(at);
  if (at === 0) aim ??= await get("/api/rules", { seat: picture.seat }).then((book) => book.aim, () => null);
  const to = (next) => () => { localStorage.setItem("tip", next); coach(picture, box); };
  fill(box, at === 0 && aim ? make("p", {}, make("b", {}, t("how-to-win")), " ", aim) : make("p", {}, t(TIPS[at])), make("div", { class: "row" },
    make("button", { class: "small", onclick: to(at + 1) }, t(at + 1 < TIPS.length ? "next-hint" : "got-it")),
    make("button", { class: "small", onclick: to(TIPS.length) }, t("no-hints"))));
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
  document.addEventListener("keydown", (event) => {
    if (event.key === "w" && !isTyping(event) && now()?.decisions.length && !find("#table").hidden) why(now().seat);
  });
}
