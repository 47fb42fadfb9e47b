// The battle that is fought now: what each side deals, and what wards it off.

import { t } from "../words.js";
import { minus } from "./chips.js";
import { Swatch } from "./pictures.js";
import { shown } from "./state.js";
import { html } from "./view.js";

/** @param {Api.BattleNumber} props */
const partsOf = ({ parts }) =>
  parts.length ? ` (${parts.map(([name, value]) => `${name} ${minus(value)}`).join(", ")})` : "";

/** @param {{ strike: Api.Strike, color: string }} props */
function Strike({ strike, color }) {
  const { strength, shields, damage, falls } = strike;
  return html`<div class="strike" data-by=${strike.by}>
    <p class="who">
      <span><${Swatch} color=${color} /> <b>${strike.name}</b> <small>${strike.role}</small></span>
      ${
        damage === null
          ? null
          : html`<span>
              <b>${t("damage", damage)}</b>
              ${falls.length ? html` <b class="cost">${t("falls", falls.join(", "))}</b>` : null}
            </span>`
      }
    </p>
    <p>
      ${strength.total} ${strength.name}
      ${partsOf(strength)} − ${shields.total} ${shields.name}
      ${partsOf(shields)}
    </p>
  </div>`;
}

export function Battle() {
  const battle = shown.value?.battle;
  if (!battle) return null;
  return html`<section class="battle" aria-label=${battle.title} data-part="battle">
    <h3 class="unseen">${battle.title}</h3>
    ${battle.strikes.map(
      (strike, at) => html`<${Strike} key=${strike.by} strike=${strike} color=${battle.colors[at]} />`,
    )}
  </section>`;
}
