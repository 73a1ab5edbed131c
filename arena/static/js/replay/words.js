/** The board as a table or a list of words, for who reads it square by square. It follows only while it is open. */

/** Write what stands on each place into what the server made. */
export function writeBoard(details, timeline) {
  if (!details?.open) return;
  const standing = new Map();
  for (const { x, y, text } of [...timeline.pieces.values(), ...timeline.notes]) {
    const place = `${x},${y}`;
    standing.set(place, [...(standing.get(place) ?? []), text]);
  }
  for (const square of details.querySelectorAll("[data-square]:not([data-lake])")) {
    square.textContent = joined(standing.get(square.dataset.square) ?? []);
  }
}

/** Join what is on one place; what is there several times is counted, as arena.web.boardwords does. */
function joined(texts) {
  const counted = new Map();
  for (const text of texts) counted.set(text, (counted.get(text) ?? 0) + 1);
  return [...counted].map(([text, count]) => (count > 1 ? `${text} ×${count}` : text)).join("; ");
}
