// Which part of a board is shown: fitted, moved and enlarged, by mouse, touch and keys. A view changes only the `viewBox`, so
// that lines and letters stay sharp.

import { Labels } from "./labels.js";

const MOST = 8;
const STEP = 1.3;
/** A pointer that moves less than this clicks. */
const SLACK = 6;

/** A window onto a board. */
export class PanZoom {
  /**
   * @param {HTMLElement} box the element that holds the board
   * @param {(event: PointerEvent) => boolean} isDrag whether a press begins something else than a move of the board
   */
  constructor(box, isDrag) {
    Object.assign(this, { box, isDrag, svg: null, whole: null, labels: null, zoom: 1, middle: null, pointers: new Map(), moved: false });
    box.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) box.addEventListener(end, (event) => this.up(event));
    box.addEventListener("dblclick", (event) => { if (!isDrag(event)) this.zoomBy(STEP * STEP, this.at(event)); });
    this.observer = new ResizeObserver(() => this.apply());
    this.observer.observe(box);
  }

  /** Shows another drawing. The view stays if the drawing has the same size. */
  show(svg) {
    const { x, y, width, height } = svg.viewBox.baseVal;
    const before = this.whole;
    this.svg = svg;
    this.whole = { x, y, width, height };
    this.labels = new Labels(svg);
    const isSame = before && ["x", "y", "width", "height"].every((name) => before[name] === this.whole[name]);
    if (!isSame && this.zoom === 1) this.middle = null;
    this.apply();
  }

  /** Pixels for one unit of the drawing if all of it is shown. */
  get fit() {
    return Math.min(this.box.clientWidth / this.whole.width, this.box.clientHeight / this.whole.height) || 1;
  }

  get scale() {
    return this.fit * this.zoom;
  }

  apply() {
    const { svg, whole, box } = this;
    if (!svg || !box.clientWidth || !box.clientHeight) return;
    const [wide, high] = [box.clientWidth / this.scale, box.clientHeight / this.scale];
    const inside = (at, size, from, length) => (size >= length ? from + length / 2 : Math.min(Math.max(at, from + size / 2), from + length - size / 2));
    const [x, y] = this.middle ?? [whole.x + whole.width / 2, whole.y + whole.height / 2];
    this.middle = [inside(x, wide, whole.x, whole.width), inside(y, high, whole.y, whole.height)];
    svg.setAttribute("viewBox", `${this.middle[0] - wide / 2} ${this.middle[1] - high / 2} ${wide} ${high}`);
    box.classList.toggle("zoomed", this.zoom > 1.001);
    this.write();
  }

  /** Solves the names and pieces again, and leaves out names that the window or a button would cut. */
  write() {
    this.labels.solve(this.scale);
    this.labels.show(this.inside(this.box), this.covers);
  }

  /** Where an element of the page is in the drawing: left, top, right and bottom. */
  inside(element) {
    const [corner, { left, top, right, bottom }] = [this.box.getBoundingClientRect(), element.getBoundingClientRect()];
    const [x, y] = [this.middle[0] - corner.width / this.scale / 2, this.middle[1] - corner.height / this.scale / 2];
    return [x + (left - corner.x) / this.scale, y + (top - corner.y) / this.scale, x + (right - corner.x) / this.scale, y + (bottom - corner.y) / this.scale];
  }

  /** What floats above the board all the time. */
  get covers() {
    return [...(this.box.parentElement?.querySelectorAll(".zoom button") ?? [])].filter((button) => button.checkVisibility()).map((button) => this.inside(button));
  }

  /** The point of the drawing at a point of the window. */
  at(event) {
    const box = this.box.getBoundingClientRect();
    return [this.middle[0] + (event.clientX - box.x - box.width / 2) / this.scale, this.middle[1] + (event.clientY - box.y - box.height / 2) / this.scale];
  }

  /** Enlarges the board; a point of the drawing stays where it is. */
  zoomBy(factor, at = this.middle) {
    if (!this.svg) return;
    const before = this.scale;
    this.zoom = Math.min(MOST, Math.max(1, this.zoom * factor));
    const part = before / this.scale;
    this.middle = [0, 1].map((axis) => at[axis] + (this.middle[axis] - at[axis]) * part);
    this.apply();
  }

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

  /** Shows a part of the drawing: as large as it fits, but at least so that its letters are legible. */
  showPart({ x, y, width, height }, least) {
    if (!this.svg) return;
    const wanted = Math.min(this.box.clientWidth / width, this.box.clientHeight / height);
    this.zoom = Math.min(MOST, Math.max(1, Math.max(Math.min(wanted, least), Math.min(least, wanted * 4)) / this.fit));
    this.middle = [x + width / 2, y + height / 2];
    this.apply();
    this.uncover();
  }

  /** Moves the view a little, so that no piece is under something that floats above the board. */
  uncover() {
    const start = this.middle;
    const step = 24 / this.scale;
    let best = [Infinity, start];
    for (const x of [0, -1, 1, -2, 2]) {
      for (const y of [0, 1, -1, 2, -2]) {
        this.middle = [start[0] + x * step, start[1] + y * step];
        this.apply();
        const cost = 100 * this.labels.under(this.covers) + Math.hypot(x, y);
        if (cost < best[0]) best = [cost, this.middle];
      }
    }
    [, this.middle] = best;
    this.apply();
  }

  /** The scale at which most letters are legible and have about their own size. */
  get legible() {
    return this.labels.legible || this.fit;
  }

  wheel(event) {
    if (!this.svg) return;
    event.preventDefault();
    this.zoomBy(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 200), this.at(event));
  }

  down(event) {
    this.moved = false;
    if (event.button > 1 || (event.pointerType === "mouse" && this.isDrag(event))) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

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
      const apart = (at) => Math.hypot(at.x - other.x, at.y - other.y) || 1;
      this.zoomBy(apart(next) / apart(last), this.at({ clientX: (next.x + other.x) / 2, clientY: (next.y + other.y) / 2 }));
      this.moveBy((last.x - next.x) / 2, (last.y - next.y) / 2);
    } else {
      this.moveBy(last.x - next.x, last.y - next.y);
    }
    this.pointers.set(event.pointerId, next);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    if (!this.moved || this.pointers.size) return;
    // The click that follows a move is not a click.
    const stop = (click) => click.stopPropagation();
    addEventListener("click", stop, { capture: true });
    setTimeout(() => { removeEventListener("click", stop, { capture: true }); this.moved = false; });
  }

  /** Handles a key; returns whether it has. */
  key(key) {
    const far = 60;
    const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] };
    if (key === "+" || key === "=") this.zoomBy(STEP);
    else if (key === "-") this.zoomBy(1 / STEP);
    else if (key === "0") this.fitAll();
    else if (moves[key] && this.zoom > 1) this.moveBy(...moves[key]);
    else return false;
    return true;
  }
}
