// The lab: many games between bots, with charts that update while they run. After an edit, the same games run
// again and are compared with the results from before.

import { fill, find, isShown, make, reason, say } from "./dom.js";
import { get, post } from "./net.js";
import { bars, legend, lines, percent, shares } from "./plot.js";
import { t } from "./words.js";

const EVERY = 400;
/** @type {Api.LabState | null} */
let last = null;
let isFollowing = false;

/** A card's result in the lab, in a sentence. @param {string} id */
export function effectOf(id) {
  const report = last?.now?.report;
  const card = report?.cards[id];
  if (!card || card.played < 5) return null;
  const even = 1 / report.seats.length;
  const won = percent(card.won_when_played / card.played);
  return t("lab-card", card.played, won, percent(even));
}

export async function refresh() {
  if (isFollowing) return;
  isFollowing = true;
  try {
    do {
      last = await get("/api/lab");
      draw();
      await new Promise((done) => setTimeout(done, EVERY));
    } while (!find("#lab").hidden);
  } catch (error) {
    say(reason(error));
  }
  isFollowing = false;
}

function draw() {
  if (!last) return;
  const { now, before, running, wanted, trouble, players } = last;
  /** @type {HTMLSelectElement} */
  const choice = find("#lab-player");
  if (!choice.length)
    fill(choice, ...players.map((player) => make("option", { value: player }, t("lab-bots", player))));
  find("#lab-go").textContent = t(running ? "lab-stop" : "lab-play");
  const done = now?.report?.games ?? 0;
  find("#lab-state").textContent =
    trouble ??
    (running
      ? t("lab-running", done, wanted)
      : now
        ? t("lab-done", done, Math.round(now.report.games_per_second))
        : "");
  if (!now || isShown(find("#lab-pictures"), [now, before])) return;
  fill(
    find("#lab-pictures"),
    verdict(now, before),
    share(now, before),
    cards(now, before),
    rounds(now, before),
    courses(now),
    ends(now),
  );
}

/** Wilson's 95 % confidence interval. @param {number} won @param {number} of */
function interval(won, of) {
  const z = 1.96;
  const p = won / of;
  const middle = p + (z * z) / (2 * of);
  const half = z * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return { share: p, low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}

/**
 * Whether an edit has changed anything that these games can show.
 * @param {Api.LabPicture} now @param {Api.LabPicture | null} before
 */
function verdict(now, before) {
  if (!before) return null;
  const same = now.report.games === before.report.games && now.report.state_hash === before.report.state_hash;
  const apart = now.report.seats.filter((seat, at) => {
    const old = before.report.seats[at];
    return old && (seat.ci95[0] > old.ci95[1] || seat.ci95[1] < old.ci95[0]);
  });
  const names = apart.map((seat) => now.names.find((name) => name.id === seat.faction)?.name ?? seat.faction);
  const text = same ? t("lab-same") : names.length ? t("lab-changed", names.join(", ")) : t("lab-unclear");
  return make("p", { id: "verdict", class: "aim" }, text);
}

/** @param {Api.LabPicture} now @param {Api.LabPicture | null} before */
function share(now, before) {
  const rows = now.report.seats.map((seat, at) => {
    const old = before?.report.seats[at];
    return {
      name: now.names[at]?.name ?? seat.faction,
      share: seat.win_rate,
      low: seat.ci95[0],
      high: seat.ci95[1],
      before: old && { share: old.win_rate, low: old.ci95[0], high: old.ci95[1] },
    };
  });
  return shares(t("lab-shares"), rows, { even: 1 / rows.length });
}

const SHOWN = 24;

/** @param {Api.LabPicture} now @param {Api.LabPicture | null} before */
function cards(now, before) {
  /** @param {[string, Api.CardReport]} of */
  const effect = ([id, card]) => ({
    id,
    name: now.titles[id] ?? id,
    count: card.played,
    ...interval(card.won_when_played, card.played),
  });
  const least = Math.max(5, now.report.games / 50);
  const all = Object.entries(now.report.cards)
    .filter(([, card]) => card.played >= least)
    .map(effect);
  const even = 1 / now.report.seats.length;
  const far = all
    .sort((a, b) => Math.abs(b.share - even) - Math.abs(a.share - even))
    .slice(0, SHOWN)
    .sort((a, b) => b.share - a.share);
  const rows = far.map((row) => {
    const old = before?.report.cards[row.id];
    return { ...row, before: old?.played ? interval(old.won_when_played, old.played) : null };
  });
  return rows.length ? shares(t("lab-cards"), rows, { even }) : null;
}

/** @param {Api.LabPicture} now @param {Api.LabPicture | null} before */
function rounds(now, before) {
  /** @param {Api.SimulationReport} report @returns {[number, number][]} */
  const list = (report) => Object.entries(report.rounds).map(([round, count]) => [Number(round), count]);
  const rows = list(now.report);
  return rows.length ? bars(t("lab-rounds"), rows, before ? list(before.report) : null) : null;
}

/** @param {Api.LabPicture} now */
function courses(now) {
  const counters = [...new Map(now.courses.map((course) => [course.counter, course.name]))];
  const color = new Map(now.names.map((seat) => [seat.id, seat]));
  /** @param {string} counter @returns {Series[]} */
  const series = (counter) =>
    now.courses
      .filter((course) => course.counter === counter)
      .map((course) => ({
        name: color.get(course.faction)?.name ?? course.faction,
        color: color.get(course.faction)?.color ?? "#888",
        points: course.points.map(([x, y]) => [x, Math.round(y * 10) / 10]),
      }));
  const moving = counters.filter(([counter]) =>
    now.courses.some(
      (course) => course.counter === counter && course.points.some(([, y]) => y !== course.points[0][1]),
    ),
  );
  if (!moving.length) return null;
  return make(
    "section",
    {},
    make("h2", {}, t("lab-average", now.followed)),
    legend(now.names),
    make(
      "div",
      { class: "plots" },
      moving.map(([counter, name]) => lines(name, series(counter), { steps: false })),
    ),
  );
}

/** @param {Api.LabPicture} now */
function ends(now) {
  const total = Math.max(1, now.report.games);
  const rows = Object.entries(now.report.outcomes).map(([cause, count]) => ({
    name: cause,
    ...interval(count, total),
  }));
  const failed = now.report.faulty
    ? make("p", { class: "note" }, t("lab-failed", now.report.faulty, now.report.faults[0]?.message ?? ""))
    : null;
  return make("section", {}, rows.length ? shares(t("lab-ends"), rows) : null, failed);
}

export function begin() {
  find("#lab-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    say();
    /** @param {string} id */
    const number = (id) => Number(/** @type {HTMLInputElement} */ (find(id)).value);
    try {
      if (!last) {
        last = await get("/api/lab");
        draw();
      }
      last = last.running
        ? await post("/api/lab/stop", {})
        : await post("/api/lab", {
            games: number("#lab-games"),
            player: /** @type {HTMLSelectElement} */ (find("#lab-player")).value,
            seed: number("#lab-seed"),
          });
      draw();
    } catch (error) {
      say(reason(error));
    }
    refresh();
  });
}
