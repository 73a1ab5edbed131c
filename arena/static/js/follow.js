/**
 * Lets the part of a page with `data-follows` ask for itself when it may have changed.
 *
 * The attribute is the address of a stream of marks. A mark says only that it is another one. The part asks as the
 * visitor does, so it shows what a visit would show. Those who watch wait for different times, so that they do not all
 * ask at once. `data-refresh-s` asks from time to time as well, as times pass, and more often without a stream.
 * A hidden tab watches nothing, and asks when it is seen again if the mark is another one by then.
 */

const ASK_AGAIN_MS = 15_000;
const WITHOUT_MARK_S = 3;
const PAUSE_MS = 3000; // at least, between two requests for a part

let source;
let mark = "";
let askAgainTimer = 0;
let changeTimer = 0;
let askedMs = performance.now();
let isLate = false; // a change was due when the tab was hidden

function part() {
  return document.querySelector("[data-follows]");
}

function open() {
  clearTimeout(askAgainTimer);
  source?.close();
  const address = part()?.dataset.follows;
  if (!address || document.hidden) return;
  source = new EventSource(mark ? `${address}?after=${encodeURIComponent(mark)}` : address);
  source.addEventListener("mark", ({ data, lastEventId }) => {
    if (mark && mark !== lastEventId) changeSoon(JSON.parse(data).spread_ms);
    mark = lastEventId;
  });
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return; // the browser asks again
    askAgainTimer = setTimeout(open, ASK_AGAIN_MS * (1 + Math.random()));
  });
}

function close() {
  clearTimeout(askAgainTimer);
  source?.close();
  isLate ||= changeTimer !== 0;
  clearTimeout(changeTimer);
  changeTimer = 0;
}

function changeSoon(spreadMs) {
  if (changeTimer) return;
  const pauseMs = Math.max(0, askedMs + PAUSE_MS - performance.now());
  changeTimer = setTimeout(change, pauseMs + Math.random() * spreadMs);
}

function change() {
  document.dispatchEvent(new CustomEvent("live-changed"));
}

function noteRequest() {
  clearTimeout(changeTimer);
  changeTimer = 0;
  askedMs = performance.now();
}

function refresh() {
  const { follows, refreshS } = part()?.dataset ?? {};
  const isAlone = follows && !mark; // the server has no streams, or no more of them
  const seconds = isAlone ? Math.min(Number(refreshS), WITHOUT_MARK_S) : Number(refreshS);
  if (seconds && !document.hidden && performance.now() - askedMs >= seconds * 1000) change();
}

/** What came instead of the page changes nothing. A server that is busy is asked again later. */
function keepIfRefused(event) {
  const { raw } = event.detail.ctx.response;
  if (!event.target.matches("[data-follows]") || (raw.ok && !raw.redirected)) return;
  event.preventDefault();
  if (raw.status > 404) changeSoon(ASK_AGAIN_MS);
}

/** What a person opened stays open. */
function keepOpen(event) {
  if (event.target.localName === "details" && event.detail.attrName === "open") event.preventDefault();
}

if (part()) {
  document.addEventListener("live-changed", noteRequest);
  document.addEventListener("htmx:before:response", keepIfRefused);
  document.addEventListener("htmx:before:morph:attr", keepOpen);
  document.addEventListener("htmx:after:swap", () => part()?.dataset.follows || close());
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else {
      open();
      if (isLate) change();
      isLate = false;
    }
  });
  setInterval(refresh, 1000);
  open();
}
