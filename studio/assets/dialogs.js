// The dialogs of the table: rules, curves, why a seat must decide, links for others, help, a new game, a new
// scenario. They are loaded when the first of them is opened.

import { find, make, openPanel, reason } from "./dom.js";
import { engine } from "./engine.js";
import { idField } from "./ids.js";
import { get } from "./net.js";
import { book as rulebook, explanation } from "./rulebook.js";
import { Pace } from "./table/playback.js";
import * as state from "./table/state.js";
import { html, render } from "./table/view.js";
import { t } from "./words.js";

/**
 * The rules panel: the rulebook, then the order of play and the standing rules. It opens at a section, or at
 * what is asked now.
 * @param {Shown} picture @param {string | null} [id]
 */
export async function rules(picture, id = null) {
  const [prose, book] = await Promise.all([
    rulebook(picture).catch(() => null),
    get("/api/rules", { seat: picture.seat }),
  ]);
  const now = picture.table.phase?.id;
  /** @param {Api.PhaseInWords} phase */
  const phase = (phase) =>
    make(
      "li",
      { class: `depth-${Math.min(phase.depth, 3)}`, "aria-current": phase.id === now ? "step" : null },
      make("b", {}, phase.name),
      phase.times ? ` (${t("times", phase.times)})` : "",
      phase.id === now ? ` — ${t("now")}` : "",
      phase.help && make("div", { class: "quiet" }, phase.help),
    );
  /** @param {Api.RuleInWords} rule */
  const rule = (rule) => [
    make("dt", {}, rule.faction ? `${rule.title} (${rule.faction})` : rule.title),
    make("dd", {}, rule.text),
  ];
  openPanel(
    t("rules"),
    prose && prose.elements,
    book.aim && !prose && make("p", { class: "aim" }, book.aim),
    book.phases.length
      ? [make("h3", {}, t("rules-order")), make("ol", { class: "phases" }, book.phases.map(phase))]
      : null,
    book.rules.length
      ? [make("h3", {}, t("rules-standing")), make("dl", { class: "rules" }, book.rules.flatMap(rule))]
      : null,
    make("p", { class: "quiet" }, t("rules-cards")),
  );
  const here = find(`#${id}`) ?? prose?.here;
  here?.scrollIntoView();
  here?.focus({ preventScroll: true });
}

/**
 * The charts of the seats' numbers over the game.
 * @param {Shown} picture @param {Api.Curve[] | null} [known]
 */
export async function curves(picture, known = null) {
  const { legend, lines } = await import("./plot.js");
  const all = known ?? (await get("/api/curves", { seat: picture.seat }));
  const color = new Map(picture.table.seats.map((seat) => [seat.faction.id, seat]));
  /** @param {Api.Curve} curve */
  const series = (curve) => ({
    name: color.get(curve.faction)?.faction.name ?? curve.faction,
    color: color.get(curve.faction)?.color ?? "#888",
    points: curve.points,
  });
  const counters = [...new Map(all.map((curve) => [curve.counter, curve.name]))];
  /** @param {string} counter */
  const of = (counter) => all.filter((curve) => curve.counter === counter);
  const moved = counters.filter(([counter]) => of(counter).some((curve) => curve.points.length > 1));
  const plots = moved.map(([counter, name]) =>
    lines(name, of(counter).map(series), { until: picture.steps }),
  );
  const seats = picture.table.seats.map((seat) => ({ name: seat.faction.name, color: seat.color }));
  return plots.length ? [legend(seats), make("div", { class: "plots" }, plots)] : [];
}

/** @param {Shown} picture */
export async function showCurves(picture) {
  const plots = await curves(picture);
  openPanel(
    t("curves-title"),
    plots.length ? plots : make("p", {}, t("curves-none")),
    plots.length ? make("p", { class: "quiet" }, t("curves-axis")) : null,
  );
}

/** Shows why a seat must decide. @param {string | null} seat */
export async function why(seat) {
  const picture = state.now.value;
  if (!picture) return;
  const [reasons, section] = await Promise.all([
    get("/api/why", { seat }),
    explanation(picture, (id) => rules(picture, id)).catch(() => null),
  ]);
  openPanel(
    t("why-asked"),
    reasons.map((reason) =>
      make(
        "div",
        { class: "reason" },
        reason.source && make("p", {}, make("b", {}, reason.source), reason.text ? `: ${reason.text}` : ""),
        reason.phase && make("p", {}, t("why-phase", reason.phase)),
        !reason.source && make("p", {}, t("why-order")),
        make(
          "p",
          { class: "quiet" },
          t("why-designers"),
          " ",
          make("code", {}, reason.decision),
          reason.scripts.length ? [", ", make("code", {}, reason.scripts.join(" › "))] : null,
        ),
      ),
    ),
    section && [section, make("button", { onclick: () => rules(picture) }, t("rules"))],
  );
}

/** Shows the links for inviting others. */
export async function invite() {
  const links = await get("/api/links");
  /** @param {[string, string]} of */
  const row = ([name, link]) => {
    const copy = make(
      "button",
      {
        class: "small",
        onclick: async () => {
          await navigator.clipboard.writeText(link);
          copy.textContent = t("copied");
        },
      },
      t("copy"),
    );
    return make("div", { class: "invite" }, make("b", {}, name), make("code", {}, link), copy);
  };
  const isLocal = /^http:\/\/(127\.|localhost|\[::1\])/.test(links.spectators);
  openPanel(
    t("invite-title"),
    make("p", {}, t("invite-help")),
    links.seats.map(row),
    row([t("spectators"), links.spectators]),
    isLocal && make("p", { class: "quiet" }, t("invite-local"), " ", make("code", {}, "--listen 0.0.0.0")),
  );
}

const KEYS = [
  "Tab, Enter",
  "1–9",
  "Enter",
  "/",
  "Escape",
  "u",
  "w",
  "r",
  "c",
  "+, −, 0",
  "PageDown, PageUp",
  "?",
];

export function help() {
  const speed = make("div", {});
  render(html`<${Pace} />`, speed);
  openPanel(
    t("help-title"),
    make("p", {}, t("help-choose")),
    make("p", {}, t("help-save")),
    make("p", {}, t("help-board")),
    speed,
    make("h3", {}, t("keys")),
    make(
      "dl",
      { class: "keys" },
      KEYS.flatMap((key, at) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, t(`key-${at + 1}`))]),
    ),
  );
}

/** Asks for the seed of a new game, and begins it. */
export function confirmNew() {
  const seed = make("input", { id: "seed", inputmode: "numeric", pattern: "[0-9]*", placeholder: t("any") });
  const start = async () => {
    /** @type {HTMLDialogElement} */ (find("#panel")).close();
    await state.begin(Number(seed.value) || Math.floor(Math.random() * 1e9));
  };
  openPanel(
    t("new"),
    make("p", {}, t("new-help")),
    make("button", { id: "begin", class: "main", onclick: start }, t("begin")),
    make(
      "details",
      {},
      make("summary", {}, t("advanced")),
      make("p", {}, make("label", { for: "seed" }, t("seed")), " ", seed),
    ),
  );
}

/** Turns the shown position into a scenario of the pack. */
export function keep() {
  const until = state.step.value;
  const { field: id, trouble } = idField("scenario-id", undefined, t("scenario-id"));
  const title = make("input", { id: "scenario-title", placeholder: t("scenario-title") });
  const last = make("input", {
    id: "scenario-last",
    type: "number",
    min: 0,
    max: until,
    value: Math.min(1, until),
  });
  /** @param {string} name @param {HTMLInputElement} input */
  const row = (name, input) => make("div", { class: "field" }, make("label", { for: input.id }, name), input);
  /** @param {Event} event */
  const write = async (event) => {
    event.preventDefault();
    try {
      const made = await engine.scenario({
        id: id.value,
        title: title.value || null,
        last: Number(last.value),
        until,
      });
      openPanel(t("scenario-made"), make("p", {}, t("scenario-made-help"), " ", make("code", {}, made.file)));
    } catch (error) {
      find("#scenario-trouble").textContent = reason(error);
    }
  };
  openPanel(
    t("keep-title"),
    make("p", {}, t("keep-help", until)),
    make(
      "form",
      { onsubmit: write },
      row("id", id),
      trouble,
      row(t("scenario-name"), title),
      row(t("scenario-last"), last),
      make("p", { id: "scenario-trouble", role: "alert" }),
      make("button", { id: "write", class: "main" }, t("write")),
    ),
  );
}
