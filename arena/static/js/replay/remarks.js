/**
 * What the visitor's own bots said with their actions: the note as text, the belief as a list and over the pieces.
 *
 * It comes from an address of its own, never with the replay. All of it is a bot's text, so it is only ever text here.
 */

import { bodyOf, faceOf, shapeOf } from "./shapes.js";

const SVG = "http://www.w3.org/2000/svg";
const PLATE = { x: 9, y: 57, width: 82, height: 37, rx: 9 };
const LISTED = 0.005; // probabilities below are not shown

export class Remarks {
  #seats = [];
  #shown = true;

  constructor(replay, board) {
    this.replay = replay;
    this.panel = replay.part("remarks");
    this.board = board;
    this.chips = document.createElementNS(SVG, "g");
    this.chips.setAttribute("class", "beliefs");
    this.chips.setAttribute("aria-hidden", "true"); // the list says the same
    board.svg.querySelector(".pieces").after(this.chips);
    this.panel.addEventListener("pointerover", (event) => this.#point(event.target));
    this.panel.addEventListener("focusin", (event) => this.#point(event.target));
    this.panel.addEventListener("focusout", () => this.#point(null));
    this.panel.addEventListener("pointerleave", () => this.#point(null));
    this.chips.addEventListener("pointerover", (event) => this.#point(event.target));
    this.chips.addEventListener("pointerleave", () => this.#point(null));
  }

  async load(address) {
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(response.status);
      this.#seats = (await response.json()).seats;
    } catch {
      this.#write("remark-when", this.panel.dataset.failed);
      return;
    }
    const believes = this.#seats.some(({ remarks }) => remarks.some(({ belief }) => belief));
    this.replay.part("beliefs-toggle").hidden = !believes;
    this.show();
  }

  /** The plies with which something was said. */
  get plies() {
    return this.#seats.flatMap(({ remarks }) => remarks.map(({ ply }) => ply));
  }

  toggle() {
    this.#shown = !this.#shown;
    this.replay.part("beliefs-toggle").setAttribute("aria-pressed", String(this.#shown));
    this.show();
  }

  /** Follow the replay to its present ply. */
  show() {
    const timeline = this.replay.timeline;
    if (!timeline || this.#seats.length === 0) return;
    const said = this.#latest(timeline.ply);
    this.#write("remark-when", this.#when(said, timeline.ply));
    this.#write("remark-note", said?.note);
    const pieces = Object.entries(said?.belief ?? {})
      .filter(([id]) => timeline.pieces.has(id))
      .map(([id, ranks]) => ({ piece: timeline.pieces.get(id), chances: sorted(ranks) }))
      .filter(({ chances }) => chances.length > 0)
      .sort((one, other) => other.chances[0][1] - one.chances[0][1]);
    this.#list(pieces, timeline);
    const drawn = this.#shown ? pieces : [];
    this.chips.replaceChildren(...drawn.map((each) => this.#chip(each)));
  }

  /** The latest remark up to a ply: of the seat whose view is shown, else of whoever said the latest. */
  #latest(ply) {
    const own = this.#seats.filter(({ seat }) => seat === this.replay.view);
    const from = own.length > 0 ? own : this.#seats;
    const said = from.flatMap(({ seat, remarks }) => {
      const last = remarks.findLast((remark) => remark.ply <= ply);
      return last ? [{ ...last, seat }] : [];
    });
    return said.reduce((last, one) => (last && last.ply >= one.ply ? last : one), null);
  }

  #when(said, ply) {
    const { silent, said: words, cut } = this.panel.dataset;
    const when = said ? fill(words, { seat: this.#seatName(said.seat), ply: said.ply }) : silent;
    const ends = this.#seats.map((each) => each.cut_at_ply).filter((end) => end !== null && end <= ply);
    return ends.length > 0 ? `${when}. ${fill(cut, { ply: Math.min(...ends) })}` : when;
  }

  /** As the choice of perspectives names it. */
  #seatName(seat) {
    return this.replay.querySelector(`[data-view="${seat}"]`)?.textContent.trim() ?? seat;
  }

  /** Pieces of which the bot thinks the same share a line. */
  #list(pieces, timeline) {
    const lines = new Map();
    for (const { piece, chances } of pieces) {
      const thought = JSON.stringify(chances);
      lines.set(thought, [...(lines.get(thought) ?? []), piece]);
    }
    const list = this.replay.part("belief-list");
    list.hidden = pieces.length === 0;
    list.replaceChildren(
      ...[...lines].map(([thought, alike]) => {
        const line = document.createElement("li");
        line.dataset.pieces = alike.map(({ id }) => id).join(" ");
        const places = document.createElement("button"); // so that the keyboard can point as well
        places.type = "button";
        places.className = "belief-places";
        places.textContent = alike.map((piece) => timeline.placeOf(piece)).sort(byNumber).join(" ");
        const chances = document.createElement("span");
        chances.className = "belief-chances";
        chances.append(...JSON.parse(thought).map(chanceOf));
        line.append(places, chances);
        return line;
      }),
    );
  }

  /** The likeliest rank: over a back its symbol, and always its letter with the probability in per cent. */
  #chip({ piece, chances: [[rank, chance]] }) {
    const chip = document.createElementNS(SVG, "g");
    const [x, y] = this.board.corner(piece.x, piece.y);
    chip.setAttribute("class", `belief side-${piece.side}${piece.face === rank ? " is-right" : ""}`);
    chip.setAttribute("transform", `translate(${x},${y})`);
    chip.dataset.pieces = piece.id;
    if (faceOf(piece.face) === "face-back") chip.append(shapeOf(bodyOf(piece.side)), shapeOf(faceOf(rank)));
    const plate = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries(PLATE)) plate.setAttribute(name, String(value));
    plate.setAttribute("class", "belief-plate");
    const words = document.createElementNS(SVG, "text");
    words.setAttribute("x", "50");
    words.setAttribute("y", "87");
    const letter = document.createElementNS(SVG, "tspan");
    letter.setAttribute("class", "belief-rank");
    letter.textContent = rank;
    words.append(letter, ` ${percent(chance)}`);
    chip.append(plate, words);
    return chip;
  }

  /** Show which pieces and which line of the list belong together. */
  #point(target) {
    const pointed = target?.closest("[data-pieces]")?.dataset.pieces.split(" ") ?? [];
    for (const part of [...this.chips.children, ...this.replay.part("belief-list").children]) {
      const met = part.dataset.pieces.split(" ").some((id) => pointed.includes(id));
      part.classList.toggle("is-pointed", met);
    }
  }

  #write(name, text) {
    const part = this.replay.part(name);
    part.textContent = text ?? "";
    part.hidden = !text;
  }
}

function chanceOf([rank, chance]) {
  const place = document.createElement("span");
  place.className = "belief-chance";
  const letter = document.createElement("strong");
  letter.textContent = rank;
  place.append(letter, ` ${percent(chance)}%`);
  return place;
}

const byNumber = new Intl.Collator("en", { numeric: true }).compare;

/** The probabilities of the ranks, the likeliest first. */
function sorted(ranks) {
  return Object.entries(ranks)
    .filter(([, chance]) => chance >= LISTED)
    .sort(([, one], [, other]) => other - one);
}

function percent(chance) {
  return Math.min(100, Math.round(chance * 100));
}

function fill(words, values) {
  return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), words);
}
