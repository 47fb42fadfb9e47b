// Hints for new users, and the ways to the dialogs.

import { fill, find, isTyping, make, reason, say } from "./dom.js";
import { get } from "./net.js";
import { t } from "./words.js";

/**
 * Opens one of the dialogs, by its name. They are loaded with the first, so that the first page is small.
 * @param {string} name
 */
export const opening =
  (name) =>
  async (/** @type {any[]} */ ...given) => {
    try {
      /** @type {Record<string, (...given: any[]) => unknown>} */
      const dialogs = await import("./dialogs.js");
      await dialogs[name](...given);
    } catch (error) {
      say(reason(error));
    }
  };

export const rules = opening("rules");
export const why = opening("why");

const TIPS = ["tip-1", "tip-2", "tip-3", "tip-4", "tip-5"];

/** @type {string | null} */
let aim = null;

/**
 * Shows new users one hint after another: first how to win, if the game says so.
 * @param {Api.TablePicture} picture @param {HTMLElement} box
 */
export async function coach(picture, box) {
  const at = Number(localStorage.getItem("tip") ?? 0);
  box.hidden = at >= TIPS.length;
  if (box.hidden || box.dataset.at === String(at)) return;
  box.dataset.at = String(at);
  if (at === 0)
    aim ??= await get("/api/rules", { seat: picture.seat }).then(
      (book) => book.aim,
      () => null,
    );
  /** @param {number} next */
  const to = (next) => () => {
    localStorage.setItem("tip", String(next));
    coach(picture, box);
  };
  fill(
    box,
    at === 0 && aim ? make("p", {}, make("b", {}, t("how-to-win")), " ", aim) : make("p", {}, t(TIPS[at])),
    make(
      "div",
      { class: "row" },
      make(
        "button",
        { class: "small", onclick: to(at + 1) },
        t(at + 1 < TIPS.length ? "next-hint" : "got-it"),
      ),
      make("button", { class: "small", onclick: to(TIPS.length) }, t("no-hints")),
    ),
  );
}

/** Binds buttons and keys. `now` returns the current table. @param {() => Api.TablePicture | null} now */
export function begin(now) {
  /** @param {string} id @param {string | null} key @param {(picture: Api.TablePicture) => void} show */
  const bind = (id, key, show) => {
    const open = () => {
      const picture = now();
      if (picture) show(picture);
    };
    find(id).addEventListener("click", open);
    if (key)
      document.addEventListener("keydown", (event) => {
        if (event.key === key && !isTyping(event)) open();
      });
  };
  bind("#show-rules", "r", rules);
  bind("#show-curves", "c", opening("showCurves"));
  bind("#show-invite", null, opening("invite"));
  bind("#show-help", "?", opening("help"));
  document.addEventListener("keydown", (event) => {
    const picture = now();
    if (event.key === "w" && !isTyping(event) && picture?.decisions.length && !find("#table").hidden)
      why(picture.seat);
  });
}
