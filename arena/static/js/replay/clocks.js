/** What is left on the clock of each seat, after each ply. */

export class Clocks {
  #shown = [];

  /** Take what a replay charged. @param {Element} root holds the `[data-clock]` of the seats */
  fill(root, steps) {
    this.#shown = [...root.querySelectorAll("[data-clock]")].map((place) => {
      const { clock, leftMs, incrementMs } = place.dataset;
      const left = [Number(leftMs)];
      for (const { seat, charged_ms } of steps) {
        left.push(left.at(-1) + (seat === clock ? Number(incrementMs) - charged_ms : 0));
      }
      return [place, left];
    });
  }

  show(ply) {
    for (const [place, left] of this.#shown) place.textContent = written(left[ply]);
  }
}

/** As arena.web.matches.board_edges writes it: minutes, seconds and tenths. */
function written(left) {
  const tenths = Math.floor(Math.max(0, left) / 100);
  const seconds = String(Math.floor((tenths % 600) / 10)).padStart(2, "0");
  return `${Math.floor(tenths / 600)}:${seconds}.${tenths % 10}`;
}
