// The moves of others, one after another on the board, with pause, step and skip.

import { engine } from "../engine.js";
import { t } from "../words.js";
import { ICONS, Icon } from "./pictures.js";
import { frame, now, past, seatNamed, seatOf } from "./state.js";
import { html, signal } from "./view.js";

/** How long a move is shown, in milliseconds. */
/** @type {Record<string, number>} */
const PACES = { slow: 1200, normal: 600, fast: 250, off: 0 };
/** More moves than this are not shown one by one. */
const MOST = 40;
export const pace = signal(localStorage.getItem("pace") ?? "normal");
const paused = signal(false);
/** @type {Api.Frame[]} */
let queue = [];
/** @type {number | undefined} */
let timer;
let isFetching = false;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches || !PACES[pace.value];

/** Shows the present at once. */
export function skip() {
  clearTimeout(timer);
  queue = [];
  paused.value = false;
  frame.value = null;
}

/** Shows the next move; after the last one, the present. */
function next() {
  clearTimeout(timer);
  const shown = queue.shift();
  if (!shown || past.value || !now.value) return skip();
  frame.value = { ...shown, left: queue.length, skip };
  if (!paused.value) timer = setTimeout(next, PACES[pace.value]);
}

/**
 * Shows how one moment became another. One move needs no showing.
 * @param {Api.TablePicture | null} before @param {Api.TablePicture} after
 */
export async function play(before, after) {
  if (
    !before ||
    isStill() ||
    document.hidden ||
    before.board === after.board ||
    after.steps - before.steps < 2 ||
    after.steps - before.steps > MOST
  ) {
    if (!frame.value) queue = [];
    return;
  }
  isFetching = true;
  const moves = await engine.trail(seatOf(), before.steps, after.steps).catch(() => []);
  isFetching = false;
  // Meanwhile the game has gone on, or somebody looks back.
  if (moves.length < 2 || past.value || now.value?.epoch !== after.epoch) return;
  queue.push(...moves);
  if (!frame.value) next();
}

/** Whether moves are shown or soon will be. */
export const isPlaying = () => isFetching || !!frame.value;

const turn = () => {
  paused.value = !paused.value;
  if (!paused.value) next();
  else clearTimeout(timer);
};

/** @param {On<HTMLSelectElement>} event */
const choosePace = (event) => {
  pace.value = event.target.value;
  localStorage.setItem("pace", pace.value);
  if (!PACES[pace.value]) skip();
};

/** The choice of the speed. */
export function Pace() {
  return html`<label class="pace">
    ${t("pace")} <select id="pace" onChange=${choosePace}>
      ${Object.keys(PACES).map(
        (name) => html`<option value=${name} selected=${pace.value === name}>${t(`pace-${name}`)}</option>`,
      )}
    </select>
  </label>`;
}

/** The controls, while moves are shown. */
export function Playback() {
  if (!frame.value) return null;
  const { seat, left, step } = frame.value;
  const name = seatNamed(seat)?.faction.name ?? seat;
  return html`<div class="playback" role="group" aria-label=${t("playback")}>
    <span>${t("plays", name, step)}</span>
    <button aria-label=${t(paused.value ? "go-on" : "pause")} onClick=${turn}>
      <${Icon} path=${paused.value ? ICONS.play : ICONS.pause} />
    </button>
    <button
      aria-label=${t("step")}
      onClick=${() => {
        paused.value = true;
        next();
      }}
    >
      <${Icon} path=${ICONS.on} />
    </button>
    <button aria-label=${t("skip")} onClick=${skip}>
      <${Icon} path=${ICONS.skip} />
      ${left ? ` ${left}` : ""}
    </button>
  </div>`;
}
