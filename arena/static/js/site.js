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

/** How long ago is said in the largest unit that fits; what is older than a week gets its date. */
const UNITS = [
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const RECENT_S = 7 * 24 * 3600;
const REFRESH_MS = 20_000;

/** Times come in UTC; recent ones are said relative to now, others in the reader's zone and language. */
function localiseTimes() {
  const { lang } = document.documentElement;
  const absolute = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
  for (const time of document.querySelectorAll("time[data-moment]")) {
    const instant = new Date(time.dateTime);
    const ago = Math.max(0, (Date.now() - instant) / 1000);
    const [unit, length] = UNITS.find(([, seconds]) => ago >= seconds) ?? UNITS.at(-1);
    const exact = absolute.format(instant);
    const said = ago < RECENT_S ? relative.format(-Math.floor(ago / length), unit) : exact;
    if (time.textContent !== said) time.textContent = said;
    time.title = exact;
  }
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
document.querySelectorAll("[data-copy]").forEach((button) => (button.hidden = false));
localiseTimes();
setInterval(localiseTimes, REFRESH_MS);
listenToCopyButtons();
document.addEventListener("htmx:after:swap", localiseTimes);
