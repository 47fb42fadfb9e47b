// Gains and costs: a sign, a color and a shape.

import { t } from "../words.js";
import { html } from "./view.js";

/** A number with a real minus. @param {number} number */
export const minus = (number) => (number < 0 ? `−${-number}` : `${number}`);
/** @param {number} by */
const signed = (by) => (by < 0 ? minus(by) : `+${by}`);

/** A change of a counter. @param {{ change: Api.CounterChange }} props */
export function Chip({ change }) {
  const { by, name, owner } = change;
  return html`<span class=${`chip ${by < 0 ? "cost" : "gain"}`}>
    <span aria-hidden="true">${by < 0 ? "▼" : "▲"}</span> ${owner ? `${owner}: ` : ""}
    ${signed(by)} ${name}
  </span>`;
}

/** The chances in a battle. @param {{ odds: Api.Chances }} props */
export function Odds({ odds: { won, of, space } }) {
  const percent = Math.round((100 * won) / of);
  return html`<div class="odds">
    <meter min="0" max=${of} value=${won} aria-label=${t("chance")}></meter>
    <span>${t("odds", space, won, of, percent)}</span>
  </div>`;
}
