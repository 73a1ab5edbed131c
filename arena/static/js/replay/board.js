/** Moves the pieces of the picture that the server drew. It makes no shape of its own: it points `<use>` at them. */

import { bodyOf, faceOf, shapeOf } from "./shapes.js";
import { fillTrays } from "./trays.js";

const UNIT = 100;
const NOTE_DOWN = 92; // as engine.svg has it
const SLIDE_MS = 140;
const LEAST_PX = 30; // of a place: its piece is then 24 pixels wide, to be read and met by a finger

export class Board {
  /**
   * @param {HTMLElement} host holds the svg made by engine.svg
   * @param {boolean} flipped whether the server drew it turned by half a turn
   */
  constructor(host, flipped) {
    this.svg = host.querySelector("svg.board");
    this.root = host.closest("drapeau-replay");
    this.flipped = flipped;
    this.columns = Number(this.svg.dataset.columns);
    this.rows = Number(this.svg.dataset.rows);
    this.field = this.svg.querySelector(".pieces");
    this.marks = this.svg.querySelector(".marks");
    this.notes = this.svg.querySelector(".notes");
    this.host = host;
    // A board with many columns is wider than a telephone, and scrolls in its frame.
    if (this.root.classList.contains("replay-wide")) {
      this.svg.style.minWidth = `${(this.svg.viewBox.baseVal.width / UNIT) * LEAST_PX}px`;
    }
    this.shapes = new Map();
    for (const shape of this.field.children) this.shapes.set(shape.dataset.id, shape);
  }

  /** Show the present ply of a timeline. `slide`: let the piece that moved be seen moving. */
  show(timeline, { slide }) {
    for (const [id, shape] of this.shapes) {
      if (timeline.pieces.has(id)) continue;
      shape.remove();
      this.shapes.delete(id);
    }
    for (const piece of timeline.pieces.values()) this.#place(piece, slide);
    this.#mark(timeline.marks);
    this.#note(timeline.notes);
    fillTrays(this.root, timeline.removed.values());
  }

  /** Turn the board by half a turn; `show` then puts the pieces where they belong. */
  flip() {
    this.flipped = !this.flipped;
    this.svg.dataset.flipped = String(this.flipped);
    const cells = this.svg.querySelector(".cells");
    if (cells.hasAttribute("transform")) cells.removeAttribute("transform");
    else {
      const middle = [(this.columns * UNIT) / 2, (this.rows * UNIT) / 2];
      cells.setAttribute("transform", `rotate(180 ${middle.join(" ")})`);
    }
    for (const label of this.svg.querySelectorAll(".label")) this.#mirror(label);
  }

  #mirror(label) {
    const x = Number(label.getAttribute("x"));
    const y = Number(label.getAttribute("y"));
    const [, , width, height] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    const margin = width - this.columns * UNIT;
    if (x < margin) {
      const row = Math.floor(y / UNIT);
      label.setAttribute("y", String(y + (this.rows - 1 - 2 * row) * UNIT));
    } else if (y > height - margin) {
      const column = Math.floor((x - margin) / UNIT);
      label.setAttribute("x", String(x + (this.columns - 1 - 2 * column) * UNIT));
    }
  }

  /** The upper left corner of a place, in units of the picture. */
  corner(x, y) {
    const across = this.flipped ? this.columns - 1 - x : x;
    const down = this.flipped ? this.rows - 1 - y : y;
    return [across * UNIT, down * UNIT];
  }

  #place(piece, slide) {
    const shape = this.shapes.get(piece.id) ?? this.#make(piece.id);
    const face = faceOf(piece.face);
    const words = ["piece", `side-${piece.side}`, face === "face-back" ? "back" : "face"];
    if (piece.known_to_all) words.push("known");
    if (piece.moved) words.push("moved");
    const drawings = [bodyOf(piece.side), face, ...(piece.known_to_all ? ["pip"] : [])];
    shape.setAttribute("class", words.join(" "));
    const look = drawings.join(" ");
    if (shape.dataset.look !== look) shape.replaceChildren(...drawings.map(shapeOf));
    shape.dataset.look = look;
    const [x, y] = this.corner(piece.x, piece.y);
    const goal = `translate(${x},${y})`;
    const before = shape.getAttribute("transform");
    if (before === goal) return;
    shape.setAttribute("transform", goal);
    if (slide && before && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#slide(shape, before, [x, y]);
    }
  }

  #slide(shape, before, [x, y]) {
    const [fromX, fromY] = before.match(/-?[\d.]+/g).map(Number);
    this.field.append(shape);
    shape.animate(
      [
        { transform: `translate(${fromX}px, ${fromY}px)` },
        { transform: `translate(${x}px, ${y}px)` },
      ],
      { duration: SLIDE_MS, easing: "ease-out" },
    );
  }

  #make(id) {
    // Made afresh, not cloned: where a set-up was refused, the board may begin without any piece.
    const shape = document.createElementNS(this.svg.namespaceURI, "g");
    shape.dataset.id = id;
    this.field.append(shape);
    this.shapes.set(id, shape);
    return shape;
  }

  #note(notes) {
    this.notes.replaceChildren(
      ...notes.map(({ x, y, text }) => {
        const note = document.createElementNS(this.svg.namespaceURI, "text");
        const [left, top] = this.corner(x, y);
        note.setAttribute("class", "note");
        note.setAttribute("x", String(left + UNIT / 2));
        note.setAttribute("y", String(top + NOTE_DOWN));
        note.textContent = text;
        return note;
      }),
    );
  }

  #mark(marks) {
    this.marks.replaceChildren(
      ...marks.map(({ kind, x, y }) => {
        const mark = document.createElementNS(this.svg.namespaceURI, "rect");
        const [left, top] = this.corner(x, y);
        const shape = { x: left + 3, y: top + 3, width: UNIT - 6, height: UNIT - 6, rx: 10 };
        mark.setAttribute("class", `mark mark-${kind}`);
        for (const [name, value] of Object.entries(shape)) mark.setAttribute(name, String(value));
        return mark;
      }),
    );
    if (marks.length > 0 && this.host.scrollWidth > this.host.clientWidth) this.#scrollTo(marks.at(-1));
  }

  #scrollTo({ x, y }) {
    const scale = this.svg.clientWidth / this.svg.viewBox.baseVal.width;
    this.host.scrollLeft = (this.corner(x, y)[0] + UNIT) * scale - this.host.clientWidth / 2;
  }
}
