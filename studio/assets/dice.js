// Dice on the table: those that were rolled together last, since the reader's last answer.

import { drawing, fill, find } from "./dom.js";

/** The most dice in the tray. */
const MOST = 8;
let shown = "";

/** Shows the dice of the lines that are new to the reader. @param {Line[]} lines */
export function show(lines) {
  const tray = find("#dice");
  const last = lines.findLastIndex((line) => line.die);
  const before = lines.findLastIndex((line, at) => at < last && !line.die);
  const dice = last < 0 ? [] : lines.slice(before + 1, last + 1).slice(-MOST);
  tray.hidden = !dice.length;
  const now = JSON.stringify(dice);
  if (now === shown) return;
  shown = now;
  fill(
    tray,
    dice.map((line) => drawing(line.die ?? "")),
  );
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  [...tray.children].forEach((die, at) =>
    die.animate(
      [
        { transform: `translate(${-60 - 20 * at}px, -30px) rotate(-300deg)`, opacity: 0 },
        { transform: "translate(0, 0) rotate(0)", opacity: 1 },
      ],
      { duration: 480 + 60 * at, easing: "cubic-bezier(.2, .8, .3, 1.1)" },
    ),
  );
}

export const hide = () => show([]);
