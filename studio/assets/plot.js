// Small charts: lines over a game, and shares with intervals. Colors come from classes and attributes.

import { make, shape } from "./dom.js";
import { t } from "./words.js";

/** @param {number} value */
const number = (value) => Math.round(value * 100) / 100;

/**
 * A line chart over time. `series`: `{ name, color, points: [[x, y], …] }`. With `steps`, a value lasts until
 * the next one.
 * @param {string} title @param {Series[]} series @param {{ steps?: boolean, until?: number | null }} [of2]
 */
export function lines(title, series, { steps = true, until = null } = {}) {
  const [width, height, left, low] = [340, 150, 34, 20];
  const points = series.flatMap((one) => one.points);
  const last = Math.max(1, until ?? 0, ...points.map(([x]) => x));
  const least = Math.min(0, ...points.map(([, y]) => y));
  const most = Math.max(1, ...points.map(([, y]) => y));
  /** @param {number} value */
  const x = (value) => number(left + (value / last) * (width - left - 8));
  /** @param {number} value */
  const y = (value) => number(8 + ((most - value) / (most - least)) * (height - low - 8));
  /** @param {Series} one */
  const way = (one) =>
    one.points
      .map(([at, value], index) => {
        if (!index) return `M${x(at)} ${y(value)}`;
        return steps ? `H${x(at)}V${y(value)}` : `L${x(at)} ${y(value)}`;
      })
      .join("") + (steps ? `H${x(last)}` : "");
  /** @param {number} value */
  const level = (value) => [
    shape("line", { x1: left, x2: width - 8, y1: y(value), y2: y(value), class: "plot-rule" }),
    shape("text", { x: left - 5, y: y(value) + 4, "text-anchor": "end", class: "plot-text" }, String(value)),
  ];
  const middle = Math.round((most + least) / 2);
  const levels = [...new Set([least, middle, most])].flatMap(level);
  const dash = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 4"];
  const paths = series.flatMap((one, index) => [
    shape("path", { d: way(one), class: "plot-under" }),
    shape(
      "path",
      {
        d: way(one),
        fill: "none",
        stroke: one.color,
        "stroke-width": 2.4,
        "stroke-linejoin": "round",
        "stroke-dasharray": dash[index % dash.length] || null,
      },
      shape("title", {}, `${one.name}: ${one.points.at(-1)?.[1] ?? ""}`),
    ),
  ]);
  const summary = series.map((one) => `${one.name} ${one.points.at(-1)?.[1] ?? 0}`).join(", ");
  return make(
    "figure",
    { class: "plot" },
    make("figcaption", {}, title),
    shape(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${summary}` },
      levels,
      shape("text", { x: width - 8, y: height - 5, "text-anchor": "end", class: "plot-text" }, String(last)),
      paths,
    ),
  );
}

/** The legend of several line charts. @param {{ name: string, color: string | null }[]} series */
export function legend(series) {
  const dash = ["", "7 3", "2 3", "9 3 2 3", "4 4", "12 4"];
  return make(
    "ul",
    { class: "legend" },
    series.map((one, index) =>
      make(
        "li",
        {},
        shape(
          "svg",
          { viewBox: "0 0 26 10", class: "key", "aria-hidden": "true" },
          shape("line", { x1: 1, x2: 25, y1: 5, y2: 5, class: "plot-under" }),
          shape("line", {
            x1: 1,
            x2: 25,
            y1: 5,
            y2: 5,
            stroke: one.color,
            "stroke-width": 3,
            "stroke-dasharray": dash[index % dash.length] || null,
          }),
        ),
        one.name,
      ),
    ),
  );
}

/**
 * Shares from 0 to 1 with their intervals. `rows`: `{ name, share, low, high, before }`; `before` has the
 * same shape or is null.
 * @param {string} title @param {Share[]} rows @param {{ even?: number | null }} [of2]
 */
export function shares(title, rows, { even = null } = {}) {
  const [width, left, high] = [560, 150, 26];
  const height = rows.length * high + 24;
  /** @param {number} value */
  const x = (value) => number(left + value * (width - left - 60));
  /** @param {Share} row @param {number} at @param {string} kind */
  const interval = (row, at, kind) => [
    shape("line", { x1: x(row.low), x2: x(row.high), y1: at, y2: at, class: `plot-interval ${kind}` }),
    shape(
      "circle",
      { cx: x(row.share), cy: at, r: 4, class: `plot-dot ${kind}` },
      shape(
        "title",
        {},
        `${row.name ?? ""} ${t("lab-range", percent(row.share), percent(row.low), percent(row.high))}`,
      ),
    ),
  ];
  const marks = rows.flatMap((row, index) => {
    const at = index * high + 14;
    return [
      shape(
        "text",
        { x: left - 8, y: at + 4, "text-anchor": "end", class: "plot-text" },
        short(row.name ?? ""),
      ),
      ...(row.before ? interval(row.before, at - 5, "before") : []),
      ...interval(row, row.before ? at + 3 : at, "after"),
      shape("text", { x: width - 52, y: at + 4, class: "plot-text" }, percent(row.share)),
    ];
  });
  const guides = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    shape("line", { x1: x(value), x2: x(value), y1: 2, y2: height - 20, class: "plot-rule" }),
    shape(
      "text",
      { x: x(value), y: height - 6, "text-anchor": "middle", class: "plot-text" },
      percent(value),
    ),
  ]);
  const fair =
    even == null
      ? []
      : [shape("line", { x1: x(even), x2: x(even), y1: 2, y2: height - 20, class: "plot-even" })];
  const summary = rows.map((row) => `${row.name} ${percent(row.share)}`).join(", ");
  return make(
    "figure",
    { class: "plot wide" },
    make("figcaption", {}, title),
    shape(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${summary}` },
      guides,
      fair,
      marks,
    ),
  );
}

/**
 * A bar chart of how often each number occurred. `rows`: `[[value, count], …]`; `before` has the same shape
 * or is null.
 * @param {string} title @param {[number, number][]} rows @param {[number, number][] | null} [before]
 */
export function bars(title, rows, before = null) {
  const [width, height, low] = [340, 130, 20];
  const all = [...new Set([...rows, ...(before ?? [])].map(([value]) => value))].sort((a, b) => a - b);
  /** @param {[number, number][]} list */
  const total = (list) =>
    Math.max(
      1,
      list.reduce((sum, [, count]) => sum + count, 0),
    );
  /** @param {[number, number][]} list @param {number} value */
  const share = (list, value) => (list.find(([of]) => of === value)?.[1] ?? 0) / total(list);
  const most = Math.max(
    0.01,
    ...all.map((value) => Math.max(share(rows, value), before ? share(before, value) : 0)),
  );
  const wide = (width - 16) / Math.max(1, all.length);
  /**
   * @param {[number, number][]} list @param {number} value @param {number} index @param {string} kind
   * @param {number} part @param {number} of
   */
  const bar = (list, value, index, kind, part, of) => {
    const high = number((share(list, value) / most) * (height - low - 10));
    return shape(
      "rect",
      {
        x: number(8 + index * wide + 1 + part * (wide / of)),
        y: number(height - low - high),
        width: number(Math.max(1, wide / of - 2)),
        height: high,
        class: `plot-bar ${kind}`,
      },
      shape("title", {}, `${value}: ${percent(share(list, value))}`),
    );
  };
  const every = Math.ceil(all.length / 12);
  const marks = all.flatMap((value, index) => [
    before && bar(before, value, index, "before", 0, 2),
    bar(rows, value, index, "after", before ? 1 : 0, before ? 2 : 1),
    index % every
      ? null
      : shape(
          "text",
          { x: number(8 + (index + 0.5) * wide), y: height - 5, "text-anchor": "middle", class: "plot-text" },
          String(value),
        ),
  ]);
  const summary = all.map((value) => `${value}: ${percent(share(rows, value))}`).join(", ");
  return make(
    "figure",
    { class: "plot" },
    make("figcaption", {}, title),
    shape(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${summary}` },
      marks.filter(Boolean),
    ),
  );
}

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;
/** @param {string} name */
const short = (name) => (name.length > 22 ? `${name.slice(0, 21)}…` : name);
