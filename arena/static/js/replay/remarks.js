/**
 * What the visitor's own bots said with their actions: the note as text, the belief as a list and over the pieces.
 *
 * It comes from an address of its own, never with the replay. All of it is a bot's text, so it is only ever text here.
 */

const SVG = "http://www.w3.org/2000/svg";
const CHIP = { x: 5, y: 55, width: 90, height: 40, rx: 9 };
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
    this.chips.replaceChildren(...(this.#shown ? pieces.map((each) => this.#chip(each)) : []));
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

  #list(pieces, timeline) {
    const list = this.replay.part("belief-list");
    list.hidden = pieces.length === 0;
    list.replaceChildren(
      ...pieces.map(({ piece, chances }) => {
        const item = document.createElement("li");
        item.dataset.piece = piece.id;
        const place = document.createElement("span");
        place.className = "belief-place";
        place.textContent = timeline.placeOf(piece);
        item.append(place, ...chances.map(chanceOf));
        return item;
      }),
    );
  }

  #chip({ piece, chances: [[rank, chance]] }) {
    const chip = document.createElementNS(SVG, "g");
    const [x, y] = this.board.corner(piece.x, piece.y);
    chip.setAttribute("class", piece.face === rank ? "belief is-right" : "belief");
    chip.setAttribute("transform", `translate(${x},${y})`);
    chip.dataset.piece = piece.id;
    const plate = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries(CHIP)) plate.setAttribute(name, String(value));
    const words = document.createElementNS(SVG, "text");
    words.setAttribute("x", "50");
    words.setAttribute("y", "86");
    const letter = document.createElementNS(SVG, "tspan");
    letter.setAttribute("class", "belief-rank");
    letter.textContent = `${rank} `;
    words.append(letter, percent(chance));
    chip.append(plate, words);
    return chip;
  }

  /** Show which piece and which line of the list belong together. */
  #point(target) {
    const id = target?.closest("[data-piece]")?.dataset.piece;
    for (const part of [...this.chips.children, ...this.replay.part("belief-list").children]) {
      part.classList.toggle("is-pointed", part.dataset.piece === id);
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
  place.append(letter, ` ${percent(chance)}`);
  return place;
}

/** The probabilities of the ranks, the likeliest first. */
function sorted(ranks) {
  return Object.entries(ranks)
    .filter(([, chance]) => chance >= LISTED)
    .sort(([, one], [, other]) => other - one);
}

function percent(chance) {
  return `${Math.min(100, Math.round(chance * 100))}%`;
}

function fill(words, values) {
  return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), words);
}
