/** The drawings that the server defined in the picture, by name; a side without a body of its own has the plain one. */

const SVG = "http://www.w3.org/2000/svg";

export function shapeOf(name) {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${name}`);
  return use;
}

export function bodyOf(side) {
  return document.getElementById(`body-${side}`) ? `body-${side}` : "body-other";
}

export function faceOf(face) {
  return document.getElementById(`face-${face}`) ? `face-${face}` : "face-back";
}
