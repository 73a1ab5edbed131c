/** The strip under the slider: a tick where pieces fought or were revealed, and how long each ply was thought about. */

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 24;
const TICK = 8;

/**
 * Draw one column per ply: fights and reveals hang from the top, thinking time grows from the bottom.
 * @param {Iterable<number>} said the plies of which there are remarks, as marks in the middle
 */
export function drawTicks(host, steps, said) {
  if (!host) return;
  const slowest = Math.max(1, ...steps.map((step) => step.charged_ms ?? 0));
  const strip = document.createElementNS(SVG, "svg");
  strip.setAttribute("viewBox", `0 0 ${Math.max(1, steps.length)} ${HEIGHT}`);
  strip.setAttribute("preserveAspectRatio", "none");
  strip.setAttribute("aria-hidden", "true");
  const paths = { fight: "", reveal: "", time: "", said: "" };
  for (const ply of said) if (ply > 0) paths.said += `M${ply - 0.5} ${TICK + 1}v4`;
  steps.forEach((step, index) => {
    if (step.event in paths) paths[step.event] += `M${index + 0.5} 0v${TICK}`;
    const height = ((HEIGHT - TICK - 2) * (step.charged_ms ?? 0)) / slowest;
    if (height > 0) paths.time += `M${index + 0.5} ${HEIGHT}v${-height.toFixed(1)}`;
  });
  for (const [name, shape] of Object.entries(paths)) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `tick-${name}`);
    path.setAttribute("d", shape);
    strip.append(path);
  }
  host.replaceChildren(strip);
}
