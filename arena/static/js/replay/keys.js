/** Which key does what in a replay. Keys are never taken from a field, a button or a browser shortcut. */

const KEYS = {
  " ": "toggle",
  k: "toggle",
  ArrowLeft: "previous",
  j: "previous",
  ArrowRight: "next",
  l: "next",
  Home: "first",
  End: "last",
  e: "next-event",
  ArrowDown: "next-event",
  q: "previous-event",
  ArrowUp: "previous-event",
  c: "perspective",
  f: "flip",
  b: "beliefs",
  "+": "faster",
  "-": "slower",
  "?": "help",
};
const LONG_STEPS = { ArrowLeft: "back-ten", ArrowRight: "ahead-ten" };
const FIELDS = "textarea, select, [contenteditable], input:not([type=range])";
const PRESSABLE = "button, summary, a[href]";
const SLIDER_KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

/** Give the name of the action that a key press asks for, or null. */
export function actionOf(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (document.querySelector("dialog[open]") && event.key !== "?") return null;
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest(FIELDS)) return null;
  if (target.matches("input[type=range]") && SLIDER_KEYS.has(event.key)) return null;
  if (event.key === " " && target.closest(PRESSABLE)) return null;
  if (event.shiftKey && event.key in LONG_STEPS) return LONG_STEPS[event.key];
  return KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? null;
}
