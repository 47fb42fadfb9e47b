// The table: the board, and the panels around it. On a phone, the panels share a sheet.

import * as dice from "../dice.js";
import { say } from "../dom.js";
import { t } from "../words.js";
import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { Ask } from "./decision.js";
import { Dock, Hand } from "./dock.js";
import { Drawer, Everything } from "./drawers.js";
import { Log } from "./log.js";
import { Playback } from "./playback.js";
import { Enlarged } from "./reader.js";
import { Seats } from "./seats.js";
import { group, isNarrow, isOver, lines, now, shown, since, tab } from "./state.js";
import { effect, html, render, signal } from "./view.js";

/** The tabs of the sheet: a name, and whether something new is in it. */
/** @type {Record<string, () => unknown>} */
const TABS = {
  decide: () => html`<${Ask} />`,
  hand: () => html`<${Hand} /><${Everything} />`,
  seats: () => html`<${Seats} />`,
  log: () => html`<${Log} />`,
};

/** @param {{ name: string }} props */
function Tab({ name }) {
  const held = (shown.value?.table.hand ?? [])
    .flatMap((zone) => zone.cards)
    .reduce((sum, card) => sum + card.count, 0);
  const isNews = name === "log" && tab.value !== "log" && lines.value.some((line) => line.step > since.value);
  return html`<button
    role="tab"
    id=${`tab-${name}`}
    aria-selected=${String(tab.value === name)}
    aria-controls="sheet-body"
    onClick=${() => {
      tab.value = name;
    }}
  >
    ${t(isOver.value && name === "decide" ? "result" : `tab-${name}`)}
    ${name === "hand" && held ? html` <b>${held}</b>` : null}
    ${isNews ? html`<i class="news" role="img" aria-label=${t("news")}></i>` : null}
  </button>`;
}

/** The end of the game. It is loaded after the first page, so that the page is small. */
const ending = signal(/** @type {{ Of: () => unknown } | null} */ (null));
const End = () => (ending.value ? html`<${ending.value.Of} />` : null);
const loadEnd = () =>
  import("./end.js").then(
    ({ End: Of }) => {
      ending.value = { Of };
    },
    (error) => say(error.message),
  );
if (document.readyState === "complete") loadEnd();
else addEventListener("load", loadEnd);

function Sheet() {
  const isResult = isOver.value && tab.value === "decide";
  return html`<div class="sheet">
    <div class="tabs" role="tablist" aria-label=${t("panels")}>
      ${Object.keys(TABS).map((name) => html`<${Tab} key=${name} name=${name} />`)}
    </div>
    <div id="sheet-body" class="sheet-body" role="tabpanel" aria-labelledby=${`tab-${tab.value}`}>
      ${isResult ? html`<${End} />` : TABS[tab.value]()}
    </div>
  </div>`;
}

function Side() {
  return html`<div class="side">
    ${isOver.value ? html`<${End} />` : html`<${Seats} /><${Ask} />`}
    <${Log} />
  </div>`;
}

/** What is going on in a sentence, for readers of screens. */
function News() {
  return html`<div id="news" class="unseen" role="status">${group.value ? t("group-follows") : ""}</div>`;
}

export function Table() {
  return html`<div class=${`grid${isOver.value ? " ended" : ""}`}>
    <${Board}><section id="dice" aria-label=${t("dice")} hidden></section><${Playback} /><${Drawer} /><//>
    ${isNarrow.value ? html`<${Sheet} />` : html`<${Side} /><${Dock} />`}
    <${News} />
    <${Enlarged} />
  </div>`;
}

/** Shows the table and its bar on the page. @param {HTMLElement} main @param {HTMLElement} bar */
export function begin(main, bar) {
  render(html`<${Table} />`, main);
  render(html`<${Bar} />`, bar);
  effect(() =>
    dice.show(
      now.value && shown.value === now.value ? lines.value.filter((line) => line.step > since.value) : [],
    ),
  );
}
