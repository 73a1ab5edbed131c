/** The pieces that have left the board, grouped by kind, beside it. */

import { bodyOf, faceOf, shapeOf } from "./shapes.js";

const SVG = "http://www.w3.org/2000/svg";

/** Fill each `[data-tray]` of a replay with the removed pieces of its side. @param {Iterable} removed */
export function fillTrays(root, removed) {
  const pieces = [...removed];
  for (const tray of root.querySelectorAll("[data-tray]")) {
    const kinds = new Map();
    for (const piece of pieces.filter(({ side }) => side === tray.dataset.tray)) {
      const kind = kinds.get(piece.text) ?? { ...piece, count: 0 };
      kind.count += 1;
      kinds.set(piece.text, kind);
    }
    tray.replaceChildren(...[...kinds.values()].map(item));
  }
}

function item({ side, face, text, count }) {
  const place = document.createElement("li");
  place.className = `taken side-${side}`;
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 100 100");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", text);
  picture.append(shapeOf(bodyOf(side)), shapeOf(faceOf(face)));
  place.append(picture);
  if (count > 1) {
    const times = document.createElement("span");
    times.textContent = `×${count}`;
    place.append(times);
  }
  return place;
}
