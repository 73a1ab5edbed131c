/**
 * A replay document as positions: which pieces stand where at a ply, and which have left the board.
 *
 * It knows no rules. A step holds the pieces that changed, each whole; a step back restores what they replaced.
 */

/** @typedef {{id: string, x: number, y: number, side: string, face: string|null, text: string}} Piece */

export class Timeline {
  /** @param {object} replay the document that the server gives for one observer */
  constructor(replay) {
    this.replay = replay;
    this.steps = replay.steps;
    this.last = replay.steps.length;
    this.ply = 0;
    /** @type {Map<string, Piece>} */
    this.pieces = byId(replay.first.pieces);
    this.removed = byId(replay.first.removed);
    this.undo = [];
  }

  /** Add the steps of a game that goes on. */
  append(steps) {
    this.steps.push(...steps);
    this.last = this.steps.length;
  }

  /** Move to a ply; numbers beyond the ends stop there. */
  goTo(ply) {
    const wanted = Math.max(0, Math.min(this.last, ply));
    while (this.ply < wanted) this.#forward();
    while (this.ply > wanted) this.#backward();
  }

  /** The step that led to the present ply, or null before the first. */
  get step() {
    return this.ply > 0 ? this.steps[this.ply - 1] : null;
  }

  get marks() {
    return (this.step ?? this.replay.first).marks;
  }

  /** What the place of a piece is called, or nothing. */
  placeOf({ x, y }) {
    return this.replay.first.cells.find((cell) => cell.x === x && cell.y === y)?.name ?? "";
  }

  /** The position as one line of text. */
  get position() {
    return this.replay.positions[this.ply];
  }

  get notes() {
    return (this.step ?? this.replay.first).notes;
  }

  /** The nearest ply in a direction (1 or -1) at which more than a plain move happened. */
  nextEvent(direction) {
    for (let ply = this.ply + direction; ply > 0 && ply <= this.last; ply += direction) {
      if (this.steps[ply - 1].event !== "move") return ply;
    }
    return direction > 0 ? this.last : 0;
  }

  #forward() {
    const before = [];
    for (const change of this.steps[this.ply].changes) {
      before.push([change.id, this.pieces.get(change.id), this.removed.get(change.id)]);
      if (change.gone) {
        this.pieces.delete(change.id);
        // Without a side it goes to no tray, such as a card that is shuffled back.
        if (change.side) this.removed.set(change.id, change);
      } else if (this.removed.has(change.id)) {
        this.removed.set(change.id, change);
      } else {
        this.pieces.set(change.id, change);
      }
    }
    this.undo[this.ply] = before;
    this.ply += 1;
  }

  #backward() {
    this.ply -= 1;
    for (const [id, piece, removed] of this.undo[this.ply].reverse()) {
      restore(this.pieces, id, piece);
      restore(this.removed, id, removed);
    }
  }
}

function byId(pieces) {
  return new Map(pieces.map((piece) => [piece.id, piece]));
}

function restore(map, id, value) {
  if (value === undefined) map.delete(id);
  else map.set(id, value);
}
