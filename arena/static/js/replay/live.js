/**
 * Feeds a <drapeau-replay> with a match that is being played, from the stream of the server.
 *
 * The browser itself connects again and says which event it has had last. Only where the server refuses is it asked
 * anew here. The rest of the page hears `live-changed` when the status of the match is another one.
 */

const ASK_AGAIN_MS = 15_000;
const LAST_MOVE_MS = 4000; // the last move can be seen before the results take its place

/** Watches until the match is over, but while nobody sees the tab. */
export class Live {
  /**
   * @param {HTMLElement} replay the element that is fed
   * @param {string} address where the stream is
   */
  constructor(replay, address) {
    this.replay = replay;
    this.address = address;
    this.section = replay.closest("[data-live-match]");
    this.onVisibility = () => this.#rest();
    document.addEventListener("visibilitychange", this.onVisibility);
  }

  /** Watch as one perspective allows. */
  open(view) {
    this.close();
    this.view = view;
    if (document.hidden) return;
    this.source = new EventSource(`${this.address}?view=${encodeURIComponent(view)}`);
    this.source.addEventListener("start", ({ data }) => this.#begin(view, JSON.parse(data)));
    this.source.addEventListener("steps", ({ data }) => this.replay.extend(JSON.parse(data)));
    this.source.addEventListener("behind", ({ data }) => this.#show("behind", JSON.parse(data)));
    this.source.addEventListener("changed", ({ data }) => this.#tellPage(JSON.parse(data).spread_ms));
    this.source.addEventListener("over", ({ data }) => this.#end(JSON.parse(data).spread_ms));
    this.source.addEventListener("error", () => this.#askAgain(view));
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
  }

  /** Stop for good. */
  end() {
    this.close();
    this.isOver = true;
    document.removeEventListener("visibilitychange", this.onVisibility);
  }

  /** Who looks at an earlier ply keeps the place, and the stream. */
  #rest() {
    if (this.isOver || !this.replay.follows) return;
    if (document.hidden) this.close();
    else this.open(this.view);
  }

  #begin(view, { game, ...document }) {
    this.section.hidden = false;
    for (const names of this.section.querySelectorAll("[data-game]")) {
      names.hidden = names.dataset.game !== String(game);
    }
    this.replay.begin(view, document);
  }

  #end(spreadMs) {
    this.end();
    this.#show("behind", false);
    this.#show("over", true);
    if (this.replay.follows) this.#tellPage(spreadMs, LAST_MOVE_MS);
  }

  #askAgain(view) {
    if (this.source.readyState !== EventSource.CLOSED) return; // the browser does it
    this.#tellPage(ASK_AGAIN_MS); // perhaps the match was over before the stream began
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(view), ASK_AGAIN_MS * (1 + Math.random()));
  }

  #show(part, isShown) {
    this.section.querySelector(`[data-part="${part}"]`).hidden = !isShown;
  }

  /** Let the page ask for its new state. The many who watch shall not all ask at once. */
  #tellPage(spreadMs, afterMs = 0) {
    setTimeout(() => document.dispatchEvent(new CustomEvent("live-changed")), afterMs + Math.random() * spreadMs);
  }
}
