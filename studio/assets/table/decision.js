// The decision: the question, what it is about, the options as things with their gains and costs, take back
// and done.

import { find, plain } from "../dom.js";
import { t } from "../words.js";
import { Battle } from "./battle.js";
import { pictureOfPiece } from "./board.js";
import { Chip, Odds } from "./chips.js";
import { isByKey, leave, list, preview } from "./choosing.js";
import { Ghost } from "./ghost.js";
import { Face, ICONS, Icon, Made, Swatch } from "./pictures.js";
import * as panels from "../panels.js";
import { enlarges } from "./reader.js";
import {
  asides,
  decisions,
  group,
  groups,
  here,
  isLive,
  now,
  optionsAt,
  outlook,
  part,
  seatNamed,
  seatOf,
  seen,
  shown,
  take,
  undo,
  wanted,
} from "./state.js";
import { html, useEffect, useRef } from "./view.js";

/** Longer lists are searched and grouped. */
const LONG = 12;
/** More parts than this do not help. */
const MOST_PARTS = 6;
/** More parts than this are a list. */
const MOST_BUTTONS = 2;
/** More pictures of the board would take too long. */
const MOST_GHOSTS = 12;

/** Whether an option only says what to do, and names no thing. @param {Api.OptionInWords} option */
const isAct = (option) => !option.values.length && !option.places.length;

/** The first thing that an option is about, as a picture. @param {{ option: Api.OptionInWords }} props */
function Thing({ option }) {
  const piece = option.places.find((place) => place.piece)?.piece;
  const faction = option.places.find((place) => place.faction)?.faction;
  if (piece)
    return html`<span class="thing">
      <${Made} element=${pictureOfPiece(piece)} of=${`${JSON.stringify(piece)} ${now.value?.version}`} />
    </span>`;
  const seat = faction && seatNamed(faction);
  return seat ? html`<span class="thing"><${Swatch} color=${seat.color} /></span>` : null;
}

/** @param {Api.OptionInWords} option @param {boolean} [aside] */
const bind = (option, aside) => ({
  onMouseEnter: () => preview(option, aside),
  onMouseLeave: () => leave(option),
  onFocusIn: () => preview(option, aside),
  onFocusOut: () => leave(option),
});

/** The shortest name of a key. @param {{ name: string | number | null }} props */
function Key({ name }) {
  return name ? html`<kbd aria-hidden="true">${name}</kbd>` : null;
}

/**
 * Whether an option is only a number, such as how far something is turned. Such an option needs a picture.
 * @param {Api.OptionInWords} option
 */
const isBare = (option) => !/\p{L}/u.test(option.text) && !option.places.length;

/**
 * @param {{ option: Api.OptionInWords, aside?: boolean, number?: number, isPictured?: boolean,
 *   isGhost?: boolean }} props
 */
function Option({ option, aside, number, isPictured, isGhost }) {
  const about = option.places.find((place) => place.card)?.card;
  const card = isPictured ? about : null;
  const help = option.help ?? (card ? null : option.detail);
  // A card that may be taken in two ways says in which.
  const isSaid =
    card && option.values.includes(option.text) && !help && !option.note && !option.changes.length;
  return html`<div
    class=${`option${card || isGhost ? " pictured" : ""}`}
    ...${bind(option, aside)}
    ...${about ? enlarges(about.card) : {}}
  >
    <button
      class=${`choice${seen.value === option ? " seen" : ""}`}
      data-key=${option.key}
      onClick=${() => take(option, aside)}
    >
      ${
        isGhost
          ? html`<${Ghost} option=${option} />`
          : card
            ? html`<${Face} id=${card.card} size="small" name=${option.text} />`
            : html`<${Thing} option=${option} />`
      }
      <span class=${`words${isSaid ? " unseen" : ""}`}>
        <b>${option.text}</b>
        ${option.note ? html`<span class="note">${option.note}</span>` : null}
        ${help ? html`<span class="detail">${help}</span>` : null}
        ${
          option.changes.length
            ? html`<span class="chips">
                ${option.changes.map((change) => html`<${Chip} change=${change} />`)}
              </span>`
            : null
        }
      </span>
      <${Key} name=${number} />
    </button>
  </div>`;
}

/**
 * The parts of a long list: options with the same first value, or with the same kind of note. Null if parts
 * do not help.
 * @param {Api.OptionInWords[]} options
 */
function partsOf(options) {
  if (options.length <= LONG) return null;
  /** @param {(option: Api.OptionInWords) => string} name */
  const by = (name) => {
    /** @type {Map<string, Api.OptionInWords[]>} */
    const parts = new Map();
    for (const option of options) parts.set(name(option), [...(parts.get(name(option)) ?? []), option]);
    return parts.size > 1 && parts.size <= MOST_PARTS && [...parts.values()].some(({ length }) => length > 1)
      ? [...parts]
      : null;
  };
  return (
    by((option) => option.values[0] ?? t("more")) ??
    by((option) => option.note ?? t("plain")) ??
    by((option) => option.values[1] ?? t("more"))
  );
}

/** @param {{ count: number }} props */
function Finder({ count }) {
  return html`<input
    type="search"
    class="finder"
    placeholder=${t("find-among", count)}
    aria-label=${t("find-option")}
    value=${wanted.value}
    onInput=${(/** @type {On} */ event) => {
      wanted.value = event.target.value;
    }}
  />`;
}

/** @param {{ parts: [string, Api.OptionInWords[]][] }} props */
function Parts({ parts }) {
  const all = [
    { name: null, count: parts.reduce((sum, [, { length }]) => sum + length, 0) },
    ...parts.map(([name, { length }]) => ({ name, count: length })),
  ];
  if (parts.length > MOST_BUTTONS) {
    /** @param {On<HTMLSelectElement>} event */
    const choose = (event) => {
      part.value = all[event.target.selectedIndex].name;
    };
    return html`<select class="parts" aria-label=${t("parts")} onChange=${choose}>
      ${all.map(
        ({ name, count }) =>
          html`<option selected=${part.value === name}>${name ?? t("all")} ${count}</option>`,
      )}
    </select>`;
  }
  /** @param {{ name: string | null, count: number }} props */
  const button = ({ name, count }) =>
    html`<button
      aria-pressed=${String(part.value === name)}
      onClick=${() => {
        part.value = name;
      }}
    >
      ${name ?? t("all")} <b>${count}</b>
    </button>`;
  return html`<div class="parts" role="group" aria-label=${t("parts")}>${all.map(button)}</div>`;
}

/** @param {{ decision: Api.OpenDecision }} props */
function Together({ decision }) {
  const known = groups.value.flatMap((one) =>
    decision.options.filter(({ key }) => key === one.key).map((option) => ({ ...one, option })),
  );
  return known.map(
    ({ from, text, option }) => html`<div class="option">
      <button class="choice group" data-group=${from} onClick=${() => take(option, false, from)}>
        <span class="thing" aria-hidden="true">⇶</span>
        <span class="words"><b>${text}</b></span>
      </button>
    </div>`,
  );
}

/** @param {Api.OptionInWords} option */
const fits = (option) => plain(option.text).includes(plain(wanted.value));

/**
 * The listed options: those here, of the chosen part, that match the search.
 * @param {Api.OptionInWords[]} options
 */
function listedOf(options) {
  const there = here.value ? optionsAt(here.value).map(({ option }) => option) : null;
  const parts = partsOf(options);
  const chosen = parts?.find(([name]) => name === part.value)?.[1];
  return {
    parts,
    listed: (there ? options.filter((option) => there.includes(option)) : (chosen ?? options)).filter(fits),
  };
}

function Only() {
  return here.value
    ? html`<div class="filtered">
        ${t("only-here")} <button
          class="small"
          onClick=${() => {
            here.value = null;
          }}
        >
          ${t("show-all")}
        </button>
      </div>`
    : null;
}

/** @param {{ decision: Api.OpenDecision }} props */
function Decision({ decision }) {
  const acts = decision.options.filter(isAct);
  const things = decision.options.filter((option) => !isAct(option));
  const hasFoot = things.length > 0 && acts.length > 0 && acts.length <= 2 && !here.value;
  const { parts, listed } = listedOf(hasFoot ? things : decision.options);
  const isPictured =
    listed.length > 0 &&
    listed.length <= 40 &&
    listed.filter((option) => option.places.some((place) => place.card)).length > listed.length / 2;
  const own = hasFoot ? acts : [];
  const isGhost = listed.length <= MOST_GHOSTS && listed.length > 1 && listed.every(isBare);
  // In the order in which they stand.
  list(
    [...listed, ...own],
    own.length === 1 ? own[0] : decision.options.length === 1 ? decision.options[0] : null,
  );
  const { source } = decision;
  return html`<div class="decision">
    <div class="question" tabindex="-1">
      <h2>${decision.prompt}</h2>
      <button
        class="small"
        aria-label=${t("why-asked")}
        title=${`${t("why-asked")} (w)`}
        onClick=${() => panels.why(seatOf())}
      >
        ${t("why")}
      </button>
    </div>
    ${decision.help ? html`<p class="help">${decision.help}</p>` : null}
    ${
      source ? html`<p class="source"><b>${source.name}</b>${source.text ? ` ${source.text}` : ""}</p>` : null
    }
    ${group.value ? html`<p class="help">${t("group-follows")}</p>` : null}
    <${Only} />
    ${decision.options.length === 1 ? html`<p class="help">${t("only-option")}</p>` : null}
    ${
      decision.options.length > LONG && !here.value
        ? html`<div class="search">
            <${Finder} count=${decision.options.length} />
            ${parts ? html`<${Parts} parts=${parts} />` : null}
          </div>`
        : null
    }
    <div class=${`choices scrolls${isPictured || isGhost ? " pictured" : ""}`}>
      ${here.value || wanted.value || part.value ? null : html`<${Together} decision=${decision} />`}
      ${listed.map(
        (option, at) =>
          html`<${Option}
            key=${option.key}
            option=${option}
            number=${at < 9 ? at + 1 : null}
            isPictured=${isPictured}
            isGhost=${isGhost}
          />`,
      )}
      ${listed.length ? null : html`<p class="quiet">${t("nothing-found")}</p>`}
    </div>
    <${Foot} acts=${own} first=${listed.length} />
  </div>`;
}

/**
 * What is done at last, and what takes back. A choice that cannot be taken back says why.
 * @param {{ acts: Api.OptionInWords[], first: number }} props
 */
function Foot({ acts, first }) {
  const state = now.value?.undo;
  return html`<div class="foot">
    <${Outlook} />
    <button
      id="undo"
      class="quiet-button"
      disabled=${!state?.can}
      title=${state?.why ?? `${t("undo-help")} (u)`}
      onClick=${undo}
    >
      <${Icon} path=${ICONS.undo} /> ${t("undo")}
    </button>
    ${
      state && !state.can && state.why
        ? html`<span class="reason">${state.why}</span>`
        : html`<span class="reason"></span>`
    }
    ${acts.map(
      (option, at) => html`<button
        class=${`choice act${acts.length === 1 ? " main" : ""}`}
        key=${option.key}
        title=${option.help}
        data-key=${option.key}
        ...${bind(option, false)}
        onClick=${() => take(option)}
      >
        <span class="words">
          <b>${option.text}</b>
          ${option.changes.map((change) => html`<${Chip} change=${change} />`)}
        </span>
        <${Key} name=${acts.length === 1 ? "Enter" : first + at < 9 ? first + at + 1 : null} />
      </button>`,
    )}
  </div>`;
}

/** What the option under the pointer does, beyond what stands in it. */
function Outlook() {
  const found = outlook.value;
  if (!found) return html`<div id="outlook" hidden></div>`;
  const { option, lines, is_open: isOpen, odds } = found;
  const isEmpty = !lines.length && !isOpen && !odds && !option.note && !option.preview;
  const isGhost = isEmpty && found.spaces.length > 0;
  if (isEmpty && !isGhost) return html`<div id="outlook" hidden></div>`;
  return html`<div id="outlook" role="status">
    <h3>${option.text}</h3>
    ${option.note ? html`<p class="note">${option.note}</p>` : null}
    ${
      option.changes.length
        ? html`<p class="preview">${option.changes.map((change) => html`<${Chip} change=${change} />`)}</p>`
        : null
    }
    ${lines.length ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : null}
    ${isOpen ? html`<p class="quiet">${t("then-open")}</p>` : null}
    ${odds ? html`<${Odds} odds=${odds} />` : null}
    ${isGhost ? html`<p class="effect"><${Ghost} option=${option} /></p>` : null}
  </div>`;
}

function Beside() {
  const all = asides.value;
  if (!all.length) return null;
  const isAlone = !decisions.value.length;
  const listed = all.filter(
    (option) => !here.value || optionsAt(here.value).some((at) => at.option === option),
  );
  // A new decision closes the list, so that its own options have the room.
  return html`<details
    class="decision beside"
    key=${decisions.value.map(({ prompt }) => prompt).join()}
    open=${isAlone || (!!here.value && listed.length > 0)}
  >
    <summary>${t("asides", listed.length)}</summary>
    ${isAlone ? html`<${Only} />` : null}
    <div class="choices scrolls">
      ${listed.map((option) => html`<${Option} key=${option.key} option=${option} aside=${true} />`)}
    </div>
  </details>`;
}

function Waiting() {
  const picture = shown.value;
  if (!picture) return null;
  const active = picture.table.seats.filter((seat) => seat.active && seat.faction.id !== picture.seat);
  const text = !isLive.value
    ? t("looking-back")
    : active.length === 1
      ? t("waits-for", active[0].faction.name)
      : t("others-play");
  return html`<div class="decision waiting">
    <p>${text}</p>
    <div class="choices"></div>
    ${isLive.value ? html`<${Foot} acts=${[]} first=${0} />` : null}
  </div>`;
}

export function Ask() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const asked = JSON.stringify(
    decisions.value.map(({ decision, prompt, options }) => [decision, prompt, options.length]),
  );
  useEffect(() => {
    box.current?.querySelector(".choices")?.scrollTo(0, 0);
    // After an answer by keyboard, the next one is at hand. Where Enter takes an act, it does so at once.
    if (box.current && isByKey() && document.activeElement === document.body) {
      const next = box.current.querySelector(".foot .choice.main") ? ".question" : ".choice";
      find(`.decision:not(.beside) ${next}`, box.current)?.focus({ preventScroll: true });
    }
  }, [asked, now.value?.steps]);
  if (!decisions.value.length) list([], null);
  if (!shown.value) return html`<section id="ask"></section>`;
  return html`<section id="ask" aria-label=${t("ask")} ref=${box}>
    <${Battle} />
    ${decisions.value.map((decision) => html`<${Decision} key=${decision.decision} decision=${decision} />`)}
    ${decisions.value.length || asides.value.length ? null : html`<${Waiting} />`}
    <${Beside} />
  </section>`;
}
