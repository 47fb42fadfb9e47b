// Which part of a board is shown: fitted, moved and enlarged, by mouse, touch and keys. A view changes only
// the `viewBox`, so that lines and letters stay sharp.

import { Labels } from "./labels.js";

const MOST = 8;
const STEP = 1.3;
/** A pointer that moves less than this clicks. */
const SLACK = 6;

/** A window onto a board. */
export class PanZoom {
  /** @type {SVGSVGElement | null} */
  svg = null;
  /** The whole drawing. @type {Rect} */
  whole = { x: 0, y: 0, width: 0, height: 0 };
  /** @type {Labels | null} */
  labels = null;
  zoom = 1;
  /** @type {Point | null} */
  middle = null;
  /** @type {Point} */
  size = [0, 0];
  /** @type {{ isZoomed: boolean, boxes: Box[] } | null} */
  floats = null;
  /** @type {Map<number, { x: number, y: number }>} */
  pointers = new Map();
  moved = false;
  /** @type {WheelEvent[]} */
  wheels = [];

  /**
   * @param {HTMLElement} box the element that holds the board
   * @param {(event: MouseEvent) => boolean} isDrag whether a press begins something else than a move of the
   *   board
   * @param {() => void} after is called when the view has changed
   */
  constructor(box, isDrag, after = () => {}) {
    this.box = box;
    this.isDrag = isDrag;
    this.after = after;
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      box.addEventListener(end, (event) => this.up(event));
    box.addEventListener("dblclick", (event) => {
      if (!isDrag(event)) this.zoomBy(STEP * STEP, this.at(event));
    });
    this.observer = new ResizeObserver(() => {
      this.measure();
      this.apply();
    });
    this.observer.observe(box);
  }

  /** Shows another drawing. The view stays if the drawing has the same size. @param {SVGSVGElement} svg */
  show(svg) {
    this.measure();
    const { x, y, width, height } = svg.viewBox.baseVal;
    const before = this.whole;
    this.svg = svg;
    this.whole = { x, y, width, height };
    this.labels = new Labels(svg);
    const names = /** @type {const} */ (["x", "y", "width", "height"]);
    const isSame = names.every((name) => before[name] === this.whole[name]);
    if (!isSame && this.zoom === 1) this.middle = null;
    this.apply();
  }

  /**
   * Reads the size of the window. What is read between changes of the drawing would lay out the page each
   * time.
   */
  measure() {
    this.size = [this.box.clientWidth, this.box.clientHeight];
    this.floats = null;
  }

  /** Pixels for one unit of the drawing if all of it is shown. */
  get fit() {
    return Math.min(this.size[0] / this.whole.width, this.size[1] / this.whole.height) || 1;
  }

  get scale() {
    return this.fit * this.zoom;
  }

  /**
   * A middle that shows as little as possible beside the drawing.
   * @param {Point | null} middle @returns {Point}
   */
  clamped(middle) {
    const { x, y, width, height } = this.whole;
    /** @param {number} from @param {number} length @param {0 | 1} axis */
    const along = (from, length, axis) => {
      const half = this.size[axis] / this.scale / 2;
      return 2 * half >= length || !middle
        ? from + length / 2
        : Math.min(Math.max(middle[axis], from + half), from + length - half);
    };
    return [along(x, width, 0), along(y, height, 1)];
  }

  apply() {
    const { svg, labels, size } = this;
    if (!svg || !labels || !size[0] || !size[1]) return;
    this.middle = this.clamped(this.middle);
    const covers = this.covers(this.middle);
    labels.solve(this.scale);
    const [left, top, right, low] = this.inside(
      [-size[0] / 2, -size[1] / 2, size[0] / 2, size[1] / 2],
      this.middle,
    );
    svg.setAttribute("viewBox", `${left} ${top} ${size[0] / this.scale} ${size[1] / this.scale}`);
    // Names that the window or a button would cut are left out.
    labels.show([left, top, right, low], covers);
    this.after();
  }

  /**
   * Where something of the window is in the drawing: left, top, right and bottom. It is given in pixels from
   * the middle.
   * @param {Box} box @param {Point} of1 @returns {Box}
   */
  inside(box, [x, y]) {
    const [left, top, right, low] = box.map((at) => at / this.scale);
    return [x + left, y + top, x + right, y + low];
  }

  /** What floats above the board all the time. @param {Point} middle @returns {Box[]} */
  covers(middle) {
    const isZoomed = this.zoom > 1.001;
    // On a phone, the buttons come with the zoom.
    if (this.box.classList.toggle("zoomed", isZoomed) !== this.floats?.isZoomed) {
      const { x, y } = this.box.getBoundingClientRect();
      const [cx, cy] = [x + this.size[0] / 2, y + this.size[1] / 2];
      const buttons = [...(this.box.parentElement?.querySelectorAll(".zoom button") ?? [])].filter((button) =>
        button.checkVisibility(),
      );
      /** @param {Element} button @returns {Box} */
      const boxOf = (button) => {
        const { left, top, right, bottom } = button.getBoundingClientRect();
        return [left - cx, top - cy, right - cx, bottom - cy];
      };
      this.floats = { isZoomed, boxes: buttons.map(boxOf) };
    }
    return (this.floats?.boxes ?? []).map((box) => this.inside(box, middle));
  }

  /**
   * The point of the drawing at a point of the window.
   * @param {{ clientX: number, clientY: number }} event @returns {Point}
   */
  at(event) {
    const box = this.box.getBoundingClientRect();
    const [x, y] = this.middle ?? [0, 0];
    return [
      x + (event.clientX - box.x - box.width / 2) / this.scale,
      y + (event.clientY - box.y - box.height / 2) / this.scale,
    ];
  }

  /**
   * Enlarges the board; a point of the drawing stays where it is.
   * @param {number} factor @param {Point | null} [at]
   */
  zoomBy(factor, at = this.middle) {
    if (!this.svg || !this.middle || !at) return;
    const before = this.scale;
    this.zoom = Math.min(MOST, Math.max(1, this.zoom * factor));
    const part = before / this.scale;
    const [x, y] = this.middle;
    this.middle = [at[0] + (x - at[0]) * part, at[1] + (y - at[1]) * part];
    this.apply();
  }

  /** @param {number} x @param {number} y */
  moveBy(x, y) {
    if (!this.middle) return;
    this.middle = [this.middle[0] + x / this.scale, this.middle[1] + y / this.scale];
    this.apply();
  }

  fitAll() {
    this.zoom = 1;
    this.middle = null;
    this.apply();
  }

  /**
   * Shows a part of the drawing: as large as it fits, but at least so that its letters are legible.
   * @param {Rect} part @param {number} least
   */
  showPart({ x, y, width, height }, least) {
    this.measure();
    if (!this.svg || !this.size[0]) return;
    const wanted = Math.min(this.size[0] / width, this.size[1] / height);
    this.zoom = Math.min(
      MOST,
      Math.max(1, Math.max(Math.min(wanted, least), Math.min(least, wanted * 4)) / this.fit),
    );
    this.middle = [x + width / 2, y + height / 2];
    this.apply();
    this.uncover();
  }

  /** Moves the view a little, so that no piece is under something that floats above the board. */
  uncover() {
    const start = this.middle;
    if (!start || !this.labels) return;
    const step = 24 / this.scale;
    let best = { cost: Infinity, middle: start };
    for (const x of [0, -1, 1, -2, 2]) {
      for (const y of [0, 1, -1, 2, -2]) {
        const middle = this.clamped([start[0] + x * step, start[1] + y * step]);
        const cost = 100 * this.labels.under(this.covers(middle)) + Math.hypot(x, y);
        if (cost < best.cost) best = { cost, middle };
      }
    }
    this.middle = best.middle;
    this.apply();
  }

  /** The scale at which most letters are legible and have about their own size. */
  get legible() {
    return this.labels?.legible || this.fit;
  }

  /** Turns of the wheel come faster than frames: they are added up. @param {WheelEvent} event */
  wheel(event) {
    if (!this.svg) return;
    event.preventDefault();
    if (!this.wheels.length)
      requestAnimationFrame(() => {
        const sum = this.wheels.reduce((sum, { deltaY }) => sum + Math.max(-60, Math.min(60, deltaY)), 0);
        const last = this.wheels.at(-1);
        this.wheels = [];
        if (last) this.zoomBy(Math.exp(-sum / 200), this.at(last));
      });
    this.wheels.push(event);
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.moved = false;
    if (event.button > 1 || (event.pointerType === "mouse" && this.isDrag(event))) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  move(event) {
    const last = this.pointers.get(event.pointerId);
    if (!last) return;
    const next = { x: event.clientX, y: event.clientY };
    if (!this.moved && Math.hypot(next.x - last.x, next.y - last.y) < SLACK) return;
    // The board keeps the pointer, so that a move does not end where another panel begins.
    if (!this.moved && event.isTrusted) this.box.setPointerCapture(event.pointerId);
    this.moved = true;
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      /** @param {{ x: number, y: number }} at */
      const apart = (at) => Math.hypot(at.x - other.x, at.y - other.y) || 1;
      this.zoomBy(
        apart(next) / apart(last),
        this.at({ clientX: (next.x + other.x) / 2, clientY: (next.y + other.y) / 2 }),
      );
      this.moveBy((last.x - next.x) / 2, (last.y - next.y) / 2);
    } else {
      this.moveBy(last.x - next.x, last.y - next.y);
    }
    this.pointers.set(event.pointerId, next);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.pointers.delete(event.pointerId);
    if (!this.moved || this.pointers.size) return;
    // The click that follows a move is not a click.
    /** @param {Event} click */
    const stop = (click) => click.stopPropagation();
    addEventListener("click", stop, { capture: true });
    setTimeout(() => {
      removeEventListener("click", stop, { capture: true });
      this.moved = false;
    });
  }

  /** Handles a key; returns whether it has. @param {string} key */
  key(key) {
    const far = 60;
    /** @type {Record<string, Point>} */
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
    if (key === "+" || key === "=") this.zoomBy(STEP);
    else if (key === "-") this.zoomBy(1 / STEP);
    else if (key === "0") this.fitAll();
    else if (moves[key] && this.zoom > 1) this.moveBy(...moves[key]);
    else return false;
    return true;
  }
}
