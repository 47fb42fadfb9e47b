// What happened, grouped by turn and action, and the way back to every moment.

import * as panels from "../panels.js";
import { learn, linked, version } from "../story.js";
import { t } from "../words.js";
import { Chip } from "./chips.js";
import { Drawing, ICONS, Icon, Swatch } from "./pictures.js";
import { read } from "./reader.js";
import { isLive, lines, look, now, past, seatNamed, shown, since, step } from "./state.js";
import { html, useEffect, useLayoutEffect, useRef } from "./view.js";

/** @typedef {Line & { isHead?: false, count: number, dice: string[] }} Merged */
/**
 * What a seat did in a part of the game: `from` and `until` are numbers of answers.
 * @typedef {{ isHead: true, by: string | null, title: string, from: number, until: number, number: number,
 *   step?: undefined }} Turn
 */

/** The most lines on the page. */
const SHOWN = 200;

/**
 * A double click on an option answers with its first click; a link may lie under the second one.
 * @param {MouseEvent} event
 */
const isFirst = (event) => event.detail < 2;

/** @param {Line} line */
const isChange = (line) => !line.say && line.changes.length > 0;

/**
 * Equal lines in a row appear once, with their number and all of their dice; changes of one owner in a row
 * are one line.
 * @param {Line[]} all @returns {Merged[]}
 */
function merged(all) {
  /** @type {Merged[]} */
  const found = [];
  for (const line of all) {
    const last = found.at(-1);
    const dice = line.die ? [line.die] : [];
    const isSame = last && !line.head && last.by === line.by && last.owner === line.owner;
    if (isSame && isChange(line) && isChange(last)) {
      last.changes = added(last.changes, line.changes);
      last.step = line.step;
    } else if (isSame && line.say && last.say === line.say) {
      Object.assign(last, {
        count: last.count + 1,
        step: line.step,
        dice: [...last.dice, ...dice],
        changes: added(last.changes, line.changes),
      });
    } else found.push({ ...line, count: 1, dice });
  }
  return found;
}

/**
 * Changes with those of the same counter added up.
 * @param {Api.CounterChange[]} changes @param {Api.CounterChange[]} more
 */
function added(changes, more) {
  const sums = new Map(changes.map((change) => [`${change.owner} ${change.counter}`, { ...change }]));
  for (const change of more) {
    const key = `${change.owner} ${change.counter}`;
    const known = sums.get(key);
    sums.set(key, known ? { ...change, by: known.by + change.by } : change);
  }
  return [...sums.values()].filter(({ by }) => by);
}

/** The lines with a head before each turn: a phase, or another seat that answers. @param {Line[]} all */
function grouped(all) {
  /** @type {(Merged | Turn)[]} */
  const found = [];
  /** @type {Turn | null} */
  let head = null;
  let title = "";
  /** @type {number | null} */
  let began = null;
  for (const line of merged(all)) {
    if (line.head) {
      title = line.say;
      began = line.step;
      head = null;
      continue;
    }
    // What a phase does when it begins is not done by the seat whose answer ended the phase before it.
    const by = line.step === began ? null : line.by;
    if (!head || head.by !== by) {
      head = { isHead: true, by, title, from: line.step, until: line.step, number: line.number };
      found.push(head);
    }
    head.until = line.step;
    found.push({ ...line, by });
  }
  return found;
}

/** @param {{ head: Turn }} props */
function Head({ head }) {
  const seat = head.by && seatNamed(head.by);
  const moves = head.from === head.until ? String(head.until) : `${head.from}–${head.until}`;
  const names = [
    seat && (seat.faction.id === shown.value?.seat ? t("You") : seat.faction.name),
    head.title,
  ].filter(Boolean);
  return html`<li class=${`head${head.until > since.value ? " fresh" : ""}`}>
    ${seat ? html`<${Swatch} color=${seat.color} />` : null}
    <b>${names[0] ?? t("start")}</b>
    ${names[1] ? html`<span>${names[1]}</span>` : null}
    <button
      class="moves"
      title=${t("look-at", head.until)}
      onClick=${(/** @type {MouseEvent} */ event) => {
        if (isFirst(event)) look(head.until);
      }}
    >
      ${moves}
    </button>
  </li>`;
}

/** @param {{ line: Merged }} props */
function Line({ line }) {
  const owner = line.owner && line.owner !== line.by ? seatNamed(line.owner)?.faction.name : null;
  return html`<li class=${line.step > since.value ? "fresh" : null}>
    ${line.dice.map((die) => html`<${Drawing} svg=${die} class="die" />`)}
    <span>
      ${owner ? html`<span class="owner">${owner}</span> ` : ""}
      ${linked(line.say).map((part) =>
        typeof part === "string"
          ? part
          : html`<button
              class="name"
              onClick=${(/** @type {MouseEvent} */ event) => {
                if (isFirst(event)) read(part.id);
              }}
            >
              ${part.text}
            </button>`,
      )}
      ${line.count > 1 ? ` ×${line.count}` : ""}
    </span>
    ${line.changes.map((change) => html`<${Chip} change=${change} />`)}
  </li>`;
}

/** The moments of the game, one after another. */
export function Time() {
  const steps = now.value?.steps ?? 0;
  const at = step.value;
  const slider = useRef(/** @type {HTMLInputElement | null} */ (null));
  // The browser would cut the value to the old maximum.
  useLayoutEffect(() => {
    if (slider.current) {
      slider.current.max = String(steps);
      slider.current.value = String(at);
    }
  });
  return html`<div class="time" role="group" aria-label=${t("time")}>
    <button
      id="earlier"
      aria-label=${t("earlier")}
      title=${t("earlier")}
      disabled=${at <= 0}
      onClick=${() => look(at - 1)}
    >
      <${Icon} path=${ICONS.back} />
    </button>
    <input
      id="time"
      type="range"
      min="0"
      aria-label=${t("time")}
      aria-valuetext=${t("after", at, steps)}
      ref=${slider}
      onInput=${(/** @type {On} */ event) => look(Number(event.target.value))}
    />
    <button
      id="later"
      aria-label=${t("later")}
      title=${t("later")}
      disabled=${at >= steps}
      onClick=${() => look(at + 1)}
    >
      <${Icon} path=${ICONS.on} />
    </button>
    <output id="moment" for="time">${t("move", at)}</output>
    <button id="now" hidden=${isLive.value} onClick=${() => look(steps)}>${t("to-now")}</button>
  </div>`;
}

export function Log() {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const all = grouped(lines.value).slice(-SHOWN);
  useEffect(() => {
    learn();
  }, [now.value?.epoch]);
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const scroll = () => {
      /** @type {HTMLElement | null} */
      const first = past.value ? null : box.querySelector("li.fresh");
      box.scrollTop = first ? Math.min(first.offsetTop - 4, box.scrollHeight) : box.scrollHeight;
    };
    scroll();
    let isThere = true;
    if (document.fonts.status === "loading")
      document.fonts.ready.then(() => {
        if (isThere) scroll();
      });
    // A hint above it takes room later.
    const observer = new ResizeObserver(scroll);
    observer.observe(box);
    return () => {
      isThere = false;
      observer.disconnect();
    };
  }, [all.at(-1)?.number, all.at(-1)?.step, since.value, past.value, version.value]);
  return html`<section id="story" aria-label=${t("story")}>
    <div class="panel-head"><h2>${t("story")}</h2><${Time} /></div>
    <section
      id="coach"
      aria-label=${t("hint")}
      hidden
      ref=${(/** @type {HTMLElement | null} */ box) => {
        if (box && now.value) panels.coach(now.value, box);
      }}
    ></section>
    <ol id="log" class="scrolls" tabindex="0" aria-label=${t("story")} ref=${list}>
      ${all.map((line) =>
        line.isHead
          ? html`<${Head} key=${`h${line.number}`} head=${line} />`
          : html`<${Line} key=${line.number} line=${line} />`,
      )}
    </ol>
  </section>`;
}
