// What is in force, always in sight: the round, the phase, whose turn it is and what for.

import { get } from "../net.js";
import * as panels from "../panels.js";
import { t } from "../words.js";
import { enlarges, read } from "./reader.js";
import { inForce } from "./drawers.js";
import { Swatch } from "./pictures.js";
import { decisions, isLive, now, own, shown } from "./state.js";
import { html, useEffect, useState } from "./view.js";

/** More steps than this are not shown beside each other. */
const MOST_STEPS = 5;
/** A longer game has no dots. */
const MOST_DOTS = 8;

/**
 * The phases beside the current one or, if it has none beside it, beside the phase that holds it; the nearest
 * ones if they are many. Null if there is only one.
 * @param {Api.PhaseInWords[]} phases @param {string | undefined} id
 */
export function stepsAround(phases, id) {
  const at = phases.findIndex((phase) => phase.id === id);
  for (let around = at; around >= 0;) {
    const { depth } = phases[around];
    /** @param {Api.PhaseInWords | undefined} phase */
    const isInside = (phase) => phase && phase.depth >= depth;
    let [first, last] = [around, around];
    while (isInside(phases[first - 1])) first -= 1;
    while (isInside(phases[last + 1])) last += 1;
    const steps = phases.slice(first, last + 1).filter((phase) => phase.depth === depth);
    if (steps.length > 1) {
      const from = Math.max(0, Math.min(steps.indexOf(phases[around]) - 2, steps.length - MOST_STEPS));
      return steps
        .slice(from, from + MOST_STEPS)
        .map((phase) => ({ ...phase, isNow: phase === phases[around] }));
    }
    around = depth ? phases.slice(0, around).findLastIndex((phase) => phase.depth < depth) : -1;
  }
  return null;
}

/** @param {{ rounds: Api.Round[] }} props */
function Rounds({ rounds }) {
  const one = rounds[0];
  if (!one) return null;
  const dots =
    one.of && one.of <= MOST_DOTS
      ? Array.from({ length: one.of }, (_, at) => html`<i class=${at < one.at ? "done" : null}></i>`)
      : null;
  return html`<span class="rounds" data-counter=${one.id}>
    <b>${one.name} ${one.value}</b>
    ${one.of ? html` <span>${t("of", one.of)}</span>` : null}
    ${dots ? html`<span class="dots" aria-hidden="true">${dots}</span>` : null}
    ${rounds.slice(1, 2).map(
      (inner) =>
        html`<span class="inner" data-counter=${inner.id}>
            <b>${inner.name} ${inner.value}</b>
            ${inner.of ? ` ${t("of", inner.of)}` : ""}
          </span>`,
    )}
  </span>`;
}

/** @param {{ phase: Api.Name | null }} props */
function Steps({ phase }) {
  const [phases, learn] = useState(/** @type {Api.PhaseInWords[]} */ ([]));
  useEffect(() => {
    get("/api/rules", { seat: shown.value?.seat }).then(
      (book) => learn(book.phases),
      () => {},
    );
  }, [now.value?.epoch]);
  const steps = stepsAround(phases, phase?.id);
  if (!steps) return null;
  return html`<ol class="steps" aria-label=${t("steps")}>
    ${steps.map(
      ({ id, name, isNow }) =>
        html`<li key=${id} title=${name} aria-current=${isNow ? "step" : null}>${name}</li>`,
    )}
  </ol>`;
}

/** Whose turn it is, and what for. @param {{ picture: Shown }} props */
function Turn({ picture }) {
  if (picture.over)
    return html`<span class="turn"><span><b>${t("over")}</b><small>${picture.over.end}</small></span></span>`;
  const phase = picture.table.phase?.name;
  const asked = isLive.value && decisions.value.length > 0;
  const active = picture.table.seats.filter((seat) => seat.active);
  const who = asked ? own.value : active[0];
  const others = active.filter((seat) => seat.faction.id !== picture.seat);
  const head = asked
    ? t("your-turn")
    : others.length === 1
      ? t("turn-of", others[0].faction.name)
      : t("others-play");
  const what = asked ? decisions.value[0].prompt : t("read-meanwhile");
  return html`<span class="turn" data-part="turn">
    ${who ? html`<${Swatch} color=${who.color} />` : null}
    <span>
      <b>${head}${phase ? html`<span class="phase">: ${phase}</span>` : null}</b>
      <small title=${what}>${what}</small>
    </span>
  </span>`;
}

export function Bar() {
  const picture = shown.value;
  if (!picture) return null;
  const leads = own.value ? t("you-lead", own.value.faction.name) : t("you-watch");
  return html`
    <${Rounds} rounds=${picture.rounds} />
    <${Steps} phase=${picture.table.phase} />
    <button
      id="phase"
      class="turn-button"
      title=${`${t("phase-help")} (r)`}
      onClick=${() => panels.rules(now.value)}
    >
      <${Turn} picture=${picture} />
    </button>
    <span id="whose" class="unseen">${leads}</span>
    <span class="in-force">
      ${inForce(picture)
        .slice(0, 2)
        .map(
          (zone) =>
            html`<button
              key=${zone.id}
              class="event"
              data-zone=${zone.id}
              onClick=${() => read(zone.designs[0])}
              ...${enlarges(zone.designs[0])}
            >
              <small>${zone.name}</small>
              <b>${zone.cards?.[0] ?? zone.designs[0]}</b>
            </button>`,
        )}
    </span>
  `;
}
