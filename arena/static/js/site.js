/** Small conveniences on every page. Nothing here is needed to use the site. */

const THEMES = ["auto", "light", "dark"];
const YEAR_S = 365 * 24 * 3600;

/** The theme button steps through auto, light and dark; the server reads the cookie for the next page. */
function listenToThemeButton(button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "auto";
    const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
    document.documentElement.dataset.theme = next;
    document.cookie = `theme=${next};path=/;max-age=${YEAR_S};samesite=lax`;
    button.setAttribute("aria-label", button.dataset[next]);
  });
}

/** How far away is said in the largest unit that fits; what is further than a week gets its date. */
const UNITS = [
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const NEAR_S = 7 * 24 * 3600;
const REFRESH_MS = 20_000;

/** On paper no time is relative to a now that passes: it is absolute, in UTC. */
let isPrinting = false;

function sayOnPaper(times, lang) {
  const onPaper = new Intl.DateTimeFormat(lang, {
    day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
    hourCycle: "h23", timeZone: "UTC", timeZoneName: "short",
  });
  for (const time of times) time.textContent = onPaper.format(new Date(time.dateTime));
}

/**
 * Times come in UTC; near ones are said relative to now, others in the reader's zone and language.
 * The server says which lie ahead: a reader's clock that is a little off turns no past into a future.
 */
function localiseTimes() {
  const { lang } = document.documentElement;
  const times = document.querySelectorAll("time[data-moment]");
  if (isPrinting) {
    sayOnPaper(times, lang);
    return;
  }
  const absolute = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  for (const time of times) {
    const instant = new Date(time.dateTime);
    const isAhead = time.dataset.moment === "ahead";
    const away = Math.max(0, (isAhead ? instant - Date.now() : Date.now() - instant) / 1000);
    const [unit, length] = UNITS.find(([, seconds]) => away >= seconds) ?? UNITS.at(-1);
    const count = isAhead ? Math.ceil(away / length) : -Math.floor(away / length);
    const exact = absolute.format(instant);
    const said = away < NEAR_S ? relative.format(count, unit) : exact;
    if (time.textContent !== said) time.textContent = said;
    time.title = exact;
  }
}

/** Where a time stands in UTC, its neighbour says it in the reader's own zone, if that is another one. */
function showLocalTimes() {
  const { lang } = document.documentElement;
  const local = new Intl.DateTimeFormat(lang, {
    day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });
  for (const time of document.querySelectorAll("time[data-local]")) {
    const instant = new Date(time.dateTime);
    time.textContent = `(${local.format(instant)})`;
    time.hidden = instant.getTimezoneOffset() === 0;
  }
}

const twoDigits = (number) => String(number).padStart(2, "0");

/** What a field for a date and a time holds of an instant in the reader's zone. */
function inOwnZone(instant) {
  const date = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()].map(twoDigits).join("-");
  return `${date}T${twoDigits(instant.getHours())}:${twoDigits(instant.getMinutes())}`;
}

/**
 * A field that holds UTC is filled in by its neighbour in the reader's own zone. Below stands the time in UTC, so that
 * a mistake shows, also where clocks change. Without this script one writes UTC, as the label says.
 */
function enterInOwnZone(field) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const label = document.querySelector(`label[for="${field.id}"]`);
  if (!zone || zone === "UTC" || !label) return;
  const own = field.cloneNode();
  own.removeAttribute("name");
  const inUtc = document.createElement("p");
  inUtc.className = "field-help";
  const say = () => (inUtc.textContent = field.value && `= ${field.value.replace("T", " ")} UTC`);
  if (field.value) own.value = inOwnZone(new Date(`${field.value}Z`));
  own.addEventListener("input", () => {
    const instant = new Date(own.value);
    field.value = Number.isNaN(instant.getTime()) ? "" : instant.toISOString().slice(0, 16);
    say();
  });
  field.removeAttribute("id");
  field.type = "hidden";
  field.before(own);
  field.after(inUtc);
  for (const node of label.childNodes) node.textContent = node.textContent.replace("(UTC)", `(${zone})`);
  say();
}

/** "/" goes to the search box, unless the visitor is typing. */
function listenForSearch(box) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    box.focus();
  });
}

function listenToCopyButtons() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent.trim());
    button.textContent = button.dataset.copied;
  });
}

document.querySelectorAll("[data-theme-button]").forEach(listenToThemeButton);
document.querySelectorAll("[data-search-box]").forEach(listenForSearch);
document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
document.querySelectorAll("input[data-utc]").forEach(enterInOwnZone);
localiseTimes();
showLocalTimes();
setInterval(localiseTimes, REFRESH_MS);
listenToCopyButtons();
for (const [event, begins] of [["beforeprint", true], ["afterprint", false]]) {
  window.addEventListener(event, () => {
    isPrinting = begins;
    localiseTimes();
  });
}
document.addEventListener("htmx:after:swap", localiseTimes);
document.addEventListener("htmx:after:swap", showLocalTimes);
