// What the table shows, as signals, and what a person can do. Components read the signals; only this file
// asks the engine for the table.

import { reason, released, say } from "../dom.js";
import { engine } from "../engine.js";
import { learn, t } from "../words.js";
import { isAbout } from "./things.js";
import { batch, computed, signal } from "./view.js";

/** The table now; null before it has arrived, and behind the curtain. */
export const now = signal(/** @type {Api.TablePicture | null} */ (null));
/** An earlier moment that somebody looks at; null in the present. */
export const past = signal(/** @type {(Api.MomentPicture & { step: number }) | null} */ (null));
/** The lines of the log that the page has. */
export const log = signal(/** @type {Line[]} */ ([]));
/** The number of answers at the reader's last answer: what came after it is new. */
export const since = signal(0);
/** The moments of the board that are still to be shown, one after another. */
export const frame = signal(/** @type {Move | null} */ (null));
/** The seat that waits behind the curtain. */
export const curtain = signal(/** @type {Api.HumanAtTable | null} */ (null));
/** The tab of the sheet on a phone. */
export const tab = signal("decide");
/** The open drawer. */
export const drawer = signal(/** @type {string | null} */ (null));
/** The thing whose options are listed; null lists all. */
export const here = signal(/** @type {Thing | null} */ (null));
/** The search among options. */
export const wanted = signal("");
/** The chosen group of options. */
export const part = signal(/** @type {string | null} */ (null));
/** The option at which the pointer or the focus is. */
export const seen = signal(/** @type {Api.OptionInWords | null} */ (null));
/** The imagined consequences of that option. */
export const outlook = signal(/** @type {Outlook | null} */ (null));
/** The space whose units follow the next one. */
export const group = signal(/** @type {string | null} */ (null));

/** The shown moment. */
export const shown = computed(() => /** @type {Shown | null} */ (past.value ?? now.value));
export const isLive = computed(() => !past.value);
export const isOver = computed(() => !!shown.value?.over);
export const decisions = computed(() => (isLive.value ? (now.value?.decisions ?? []) : []));
export const asides = computed(() => (isLive.value ? (now.value?.asides ?? []) : []));
export const groups = computed(() => (isLive.value ? (now.value?.groups ?? []) : []));
/** All options with whether they are asides. */
export const options = computed(() => [
  ...decisions.value.flatMap(({ options }) => options.map((option) => ({ option, aside: false }))),
  ...asides.value.map((option) => ({ option, aside: true })),
]);

/** The options about a thing. @param {Thing | null} thing */
export const optionsAt = (thing) =>
  thing ? options.value.filter(({ option }) => isAbout(option, thing)) : [];
/** Whether a decision, and not only an aside, is about a thing. @param {Thing | null} thing */
export const isLit = (thing) =>
  !!thing && decisions.value.some(({ options }) => options.some((option) => isAbout(option, thing)));
/** @param {Thing | null} thing */
export const isBeside = (thing) => !!thing && asides.value.some((option) => isAbout(option, thing));
/** Whether the option under the pointer is about a thing. @param {Thing | null} thing */
export const isSeen = (thing) => !!seen.value && isAbout(seen.value, thing);

/** The lines of the log up to the shown moment. */
export const lines = computed(() => {
  const until = past.value?.step;
  return until === undefined ? log.value : log.value.filter((line) => line.step <= until);
});

/** @param {Event} event */
export const isTouch = (event) => /** @type {PointerEvent} */ (event).pointerType === "touch";
/** A window in which the panels share a sheet. */
export const narrow = matchMedia("(max-width: 700px)");
export const isNarrow = signal(narrow.matches);
narrow.addEventListener("change", () => {
  isNarrow.value = narrow.matches;
});

/** The page's own memory of the game, which nothing shows. */
/** @type {{ seat: string | null, until: number, epoch: number, isBusy: boolean, looking: number }} */
const memory = { seat: null, until: 0, epoch: 0, isBusy: false, looking: 0 };
export const seatOf = () => memory.seat;

/** The seats that are played on other pages, by their links. */
/** @type {string[]} */
const away = JSON.parse(sessionStorage.getItem("away") ?? "[]");

/** @type {Promise<void>} */
let queue = Promise.resolve();
/** Called with the old and the new table when it arrives. */
/** @type {(before: Api.TablePicture | null, picture: Api.TablePicture) => void} */
let arrived = () => {};
/** @param {typeof arrived} call */
export const onArrival = (call) => {
  arrived = call;
};

/**
 * Fetches and shows the current table. Calls run one after another; otherwise lines of the log would be added
 * twice.
 */
export function refresh() {
  queue = queue.then(load);
  return queue;
}

/** @returns {Promise<void>} */
async function load() {
  let picture;
  try {
    picture = await engine.table({ seat: memory.seat, log: memory.until, epoch: memory.epoch });
    if (picture.epoch !== memory.epoch) await learn();
  } catch (error) {
    // The game may be another one now, in which a bot plays that seat.
    if (isReseated()) return load();
    say(reason(error));
    return;
  }
  await released();
  if (picture.host && picture.humans.length === 1 && picture.humans[0].id !== picture.seat && isReseated())
    return load();
  if (isHandedOver(picture)) return;
  const isOther = picture.epoch !== memory.epoch;
  const before = isOther ? null : now.value;
  const kept = isOther || picture.log.from < memory.until ? [] : log.value;
  const rolled = new Map(picture.log.rolled.map(([number, at]) => [number, picture.log.dice[at]]));
  const added = picture.log.lines.map((line, at) => ({
    ...line,
    number: picture.log.from + at,
    die: rolled.get(picture.log.from + at),
  }));
  memory.until = picture.log.from + added.length;
  memory.epoch = picture.epoch;
  batch(() => {
    if (added.length || !kept.length) log.value = [...kept, ...added];
    if (isOther) since.value = picture.steps;
    if (!before || JSON.stringify(before.decisions) !== JSON.stringify(picture.decisions)) forgetChoice();
    now.value = picture;
  });
  arrived(before, picture);
}

/** Leaves the seat, so that the page gets its own one; false if it has none to leave. */
function isReseated() {
  if (!memory.seat) return false;
  Object.assign(memory, { seat: null, until: 0, epoch: 0 });
  return true;
}

function forgetChoice() {
  here.value = null;
  wanted.value = "";
  part.value = null;
  seen.value = null;
  outlook.value = null;
}

/**
 * If one person uses this page, it shows that person's view. With several, views alternate behind a curtain.
 * @param {Api.TablePicture} picture
 */
function isHandedOver(picture) {
  const here = picture.humans.filter((seat) => !away.includes(seat.id));
  if (picture.host && picture.humans.length > 1 && here.length === 1) {
    const isOther = memory.seat !== here[0].id;
    if (isOther) Object.assign(memory, { seat: here[0].id, until: 0, epoch: 0 });
    if (isOther && picture.seat !== memory.seat) {
      queue = queue.then(load);
      return true;
    }
    return false;
  }
  if (!picture.host || picture.humans.length < 2) {
    memory.seat = picture.seat;
    return false;
  }
  const asked = picture.humans.filter((seat) => seat.asked && !away.includes(seat.id));
  if (!asked.length || asked.some((seat) => seat.id === memory.seat)) return false;
  batch(() => {
    now.value = null;
    past.value = null;
    log.value = [];
    frame.value = null;
    forgetChoice();
    curtain.value = asked[0];
  });
  return true;
}

/** Shows the view of the seat behind the curtain. */
export function open() {
  Object.assign(memory, { seat: curtain.value?.id ?? null, until: 0, epoch: 0 });
  group.value = null;
  curtain.value = null;
  return refresh();
}

/** Tries something that changes the game, and shows the game afterward. @param {() => unknown} work */
export async function act(work) {
  if (memory.isBusy || past.value) return;
  memory.isBusy = true;
  say();
  try {
    await work();
  } catch (error) {
    say(reason(error));
  }
  memory.isBusy = false;
  await refresh();
}

/**
 * Takes an option. With a group, the other units of its space follow when the first one is sent.
 * @param {Api.OptionInWords} option @param {boolean} [aside] @param {string | null} [from]
 */
export async function take(option, aside = false, from = null) {
  let isTaken = false;
  await act(async () => {
    since.value = now.value?.steps ?? since.value;
    const sent = option.verb === "to" ? group.value : null;
    group.value = null;
    // Bots play first, so that the game does not depend on who is faster.
    const patience = setTimeout(() => say(t("waits-for-bots")), 500);
    try {
      await engine.answer({ seat: memory.seat, key: option.key, aside, group: sent });
      say();
    } finally {
      clearTimeout(patience);
    }
    isTaken = true;
    tab.value = "decide";
  });
  // Only now the page shows where the first unit can go.
  if (isTaken) group.value = from;
}

export const undo = () =>
  now.value?.undo?.can &&
  act(() => {
    group.value = null;
    return engine.undo(memory.seat);
  });

/** Shows the moment after a number of answers. @param {number} step */
export async function look(step) {
  const { steps } = now.value ?? { steps: 0 };
  const mine = ++memory.looking;
  if (step >= steps) {
    past.value = null;
    return;
  }
  try {
    const picture = await engine.moment(memory.seat, Math.max(0, step));
    if (mine === memory.looking) past.value = { ...picture, step: Math.max(0, step) };
  } catch (error) {
    say(reason(error));
  }
}

export const step = computed(() => past.value?.step ?? now.value?.steps ?? 0);

/** Begins a new game with the same seats. @param {number} seed */
export const begin = (seed) =>
  act(() => {
    past.value = null;
    return engine.begin(seed);
  });

/** The seat of the viewer in the shown moment. */
export const own = computed(
  () => shown.value?.table.seats.find((seat) => seat.faction.id === shown.value?.seat) ?? null,
);
/** @param {string | null | undefined} id */
export const seatNamed = (id) => shown.value?.table.seats.find((seat) => seat.faction.id === id);
