/** The board as a table of words, for who reads it square by square. It follows only while it is open. */

/** Write what stands on each square into the table that the server made. */
export function writeBoard(details, timeline) {
  if (!details?.open) return;
  const standing = new Map();
  for (const { x, y, text } of timeline.pieces.values()) standing.set(`${x},${y}`, text);
  for (const square of details.querySelectorAll("[data-square]:not([data-lake])")) {
    square.textContent = standing.get(square.dataset.square) ?? "";
  }
}
