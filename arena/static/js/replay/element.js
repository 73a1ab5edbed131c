/**
 * <drapeau-replay>: plays a replay document on the board that the server drew.
 *
 * Attributes: `src` (address of the document, `view` is added; a `<script type="application/json"
 * data-document="VIEW">` inside the element goes before it), `live` (address of a stream, instead of `src`), `remarks` (address of what the
 * visitor's bots said), `ply`, `view`, `flipped`, `autoplay`, `loop`, `keep-address` (the page's URL follows ply and view), `page-keys` (keys work on the whole page).
 * Events: `drapeau:ply` with `{ply, last, view}`, `drapeau:ended`.
 * Words come translated from `data-*` attributes; sentences about moves come with the document.
 */

import { Board } from "./board.js";
import { Clocks } from "./clocks.js";
import { actionOf } from "./keys.js";
import { Live } from "./live.js";
import { MoveList } from "./movelist.js";
import { Remarks } from "./remarks.js";
import { Timeline } from "./timeline.js";
import { drawTicks } from "./ticks.js";
import { writeBoard } from "./words.js";

const PAUSES_MS = [1600, 800, 400, 200, 100, 50];
const SPEEDS = ["½×", "1×", "2×", "4×", "8×", "16×"];
const ADDRESS_DELAY_MS = 250;
const HOLD_AT_END_MS = 3000;
const COPIED_MS = 2000;
const CATCH_UP_MS = 300; // a little more than between two events of a stream
const JUMP_PLIES = 30; // to be behind by more is no fun to watch
const SWIPE_PX = 32;

class DrapeauReplay extends HTMLElement {
  #timelines = new Map();
  #wanted = "";
  #timer = 0;
  #addressTimer = 0;
  #speed = 1;
  #follows = true;
  #catchUpTimer = 0;

  async connectedCallback() {
    this.view = this.getAttribute("view");
    this.board = new Board(this.part("board"), this.hasAttribute("flipped"));
    this.moves = this.part("moves") && new MoveList(this.part("moves"), (ply) => this.address(ply));
    this.remarks = this.part("remarks") && new Remarks(this, this.board);
    this.clocks = new Clocks();
    this.#listen();
    if (this.hasAttribute("live")) {
      this.live = new Live(this, this.getAttribute("live"));
      this.live.open(this.view);
      return;
    }
    await this.open(this.view, Number(this.getAttribute("ply")));
    await this.remarks?.load(this.getAttribute("remarks"));
    if (this.timeline && this.remarks) this.#fitTimeline();
    if (this.timeline && this.hasAttribute("autoplay") && !reducedMotion()) this.play();
  }

  disconnectedCallback() {
    this.pause();
    this.live?.end();
    clearTimeout(this.#catchUpTimer);
    document.removeEventListener("keydown", this.onKey);
  }

  part(name) {
    return this.querySelector(`[data-part="${name}"]`);
  }

  get playing() {
    return this.#timer !== 0;
  }

  /** Whether the latest ply of a game that goes on is shown. */
  get follows() {
    return this.#follows;
  }

  /** How long a ply is shown while it plays, in ms. */
  get pauseMs() {
    return PAUSES_MS[this.#speed];
  }

  get #movesByItself() {
    return Boolean(this.live) && this.#follows;
  }

  /** Show another observer's picture, at the ply shown when it arrives unless told otherwise. */
  async open(view, ply) {
    this.#wanted = view;
    if (this.live) {
      this.live.open(view);
      return;
    }
    const timeline = this.#timelines.get(view) ?? (await this.#load(view));
    if (this.#wanted !== view) return; // another was asked for meanwhile
    if (!timeline) {
      this.#announce(this.dataset.failed);
      return;
    }
    const here = ply ?? this.timeline?.ply ?? 0;
    this.view = view;
    this.timeline = timeline;
    this.#prepare();
    this.goTo(here, { slide: false });
  }

  /** Give the document of one observer, from inside the element or fetched; null where it does not come. */
  async #load(view) {
    const inside = this.querySelector(`script[data-document="${view}"]`);
    try {
      const timeline = new Timeline(inside ? JSON.parse(inside.textContent) : await this.#fetched(view));
      this.#timelines.set(view, timeline);
      return timeline;
    } catch {
      return null; // no network, or not a document
    }
  }

  async #fetched(view) {
    const response = await fetch(`${this.getAttribute("src")}?view=${encodeURIComponent(view)}`);
    return response.ok ? response.json() : null;
  }

  /** Show a game that is being played, as far as it is. */
  begin(view, document) {
    this.view = this.#wanted = view;
    this.timeline = new Timeline(document);
    this.#prepare();
    this.#follows = true;
    this.goTo(this.timeline.last, { slide: false });
  }

  /** Add what has been played since. Who looks at an earlier ply stays there. */
  extend({ steps }) {
    this.timeline.append(steps);
    this.moves?.add(steps);
    this.#fitTimeline();
    if (this.#follows) this.#catchUp();
    else this.#tell();
  }

  #catchUp() {
    clearTimeout(this.#catchUpTimer);
    const { ply, last } = this.timeline;
    if (!this.#follows || ply === last) return;
    if (last - ply > JUMP_PLIES) this.goTo(last, { slide: false });
    else {
      this.goTo(ply + 1, { follows: true });
      this.#catchUpTimer = setTimeout(() => this.#catchUp(), CATCH_UP_MS / (last - ply));
    }
  }

  goTo(ply, { slide = true, follows = false } = {}) {
    const from = this.timeline.ply;
    this.timeline.goTo(ply);
    this.#follows = follows || this.timeline.ply === this.timeline.last;
    this.board.show(this.timeline, { slide: slide && Math.abs(this.timeline.ply - from) === 1 });
    this.#tell();
  }

  play() {
    if (this.timeline.ply === this.timeline.last) this.goTo(0, { slide: false });
    this.#schedule(this.pauseMs);
    this.#showPlaying();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#showPlaying();
  }

  flip() {
    if (!this.querySelector('[data-do="flip"]')) return; // a board that has no other side
    this.board.flip();
    this.board.show(this.timeline, { slide: false });
    this.#tell();
  }

  address(ply) {
    const query = new URLSearchParams({ ply: String(ply), view: this.view });
    if (this.board.flipped) query.set("flip", "1");
    return `?${query}`;
  }

  /** Do what a key or a control asks for, by name. */
  act(name) {
    const { ply, last } = this.timeline;
    const plies = {
      first: 0,
      previous: ply - 1,
      next: ply + 1,
      last,
      "back-ten": ply - 10,
      "ahead-ten": ply + 10,
      "next-event": this.timeline.nextEvent(1),
      "previous-event": this.timeline.nextEvent(-1),
    };
    if (name in plies) {
      this.pause();
      this.goTo(plies[name]);
      return;
    }
    const others = {
      toggle: () => (this.playing ? this.pause() : this.play()),
      flip: () => this.flip(),
      beliefs: () => this.remarks?.toggle(),
      perspective: () => this.#nextView(),
      faster: () => this.#setSpeed(this.#speed + 1),
      slower: () => this.#setSpeed(this.#speed - 1),
      speed: () => this.#setSpeed((this.#speed + 1) % SPEEDS.length),
      help: () => this.#toggleHelp(),
      "copy-position": () => this.#copyPosition(),
    };
    others[name]?.();
  }

  #listen() {
    this.addEventListener("click", (event) => this.#onClick(event));
    this.part("slider")?.addEventListener("input", (event) => {
      if (!this.timeline) return;
      this.pause();
      this.goTo(event.target.valueAsNumber, { slide: false });
    });
    this.part("text")?.addEventListener("toggle", () => {
      if (this.timeline) writeBoard(this.part("text"), this.timeline);
    });
    this.#listenToSwipes(this.part("board"));
    this.part("share")?.addEventListener("toggle", (event) => this.#share(event.target));
    this.onKey = (event) => {
      const action = this.timeline && this.#hasKeys() ? actionOf(event) : null;
      if (!action) return;
      event.preventDefault();
      this.act(action);
    };
    document.addEventListener("keydown", this.onKey);
  }

  /** Keys of the page are those of a board in sight. Below it, they scroll. */
  #hasKeys() {
    if (this.contains(document.activeElement)) return true;
    const { top, bottom } = this.part("board").getBoundingClientRect();
    return this.hasAttribute("page-keys") && bottom > 0 && top < window.innerHeight;
  }

  /** A finger steps: to the left is forward, as pages turn. */
  #listenToSwipes(board) {
    let start = null;
    board.addEventListener("pointerdown", (event) => {
      start = event.pointerType === "touch" && event.isPrimary ? [event.clientX, event.clientY] : null;
    });
    board.addEventListener("pointercancel", () => (start = null)); // the page scrolls or zooms
    board.addEventListener("pointerup", (event) => {
      if (!start || !this.timeline) return;
      const [across, down] = [event.clientX - start[0], event.clientY - start[1]];
      if (Math.abs(across) < SWIPE_PX || Math.abs(across) < 2 * Math.abs(down)) return;
      this.act(across < 0 ? "next" : "previous");
    });
  }

  /** Few share, so the script for it comes when it is asked for. */
  async #share(panel) {
    this.share ??= import(panel.dataset.script).then(({ Share }) => new Share(this, panel));
    (await this.share).show();
  }

  #onClick(event) {
    const control = event.target.closest("[data-do], [data-view], [data-ply]");
    const modified = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!control || !this.timeline || modified || control === this) return;
    event.preventDefault();
    if (control.dataset.do) this.act(control.dataset.do);
    else if (control.dataset.view) this.open(control.dataset.view);
    else {
      this.pause();
      this.goTo(Number(control.dataset.ply));
    }
  }

  #prepare() {
    this.classList.add("is-live");
    for (const element of this.querySelectorAll("[data-live]")) element.hidden = false;
    this.moves?.fill(this.timeline.steps);
    this.clocks.fill(this, this.timeline.steps);
    this.#fitTimeline();
    for (const choice of this.querySelectorAll("[data-view]")) {
      if (choice.dataset.view === this.view) choice.setAttribute("aria-current", "true");
      else choice.removeAttribute("aria-current");
    }
  }

  #fitTimeline() {
    const slider = this.part("slider");
    if (slider) slider.max = String(this.timeline.last);
    drawTicks(this.part("ticks"), this.timeline.steps, this.remarks?.plies ?? []);
  }

  #tell() {
    const { ply, last, step } = this.timeline;
    const sentence = step?.say ?? this.dataset.start;
    this.#announce(sentence);
    const slider = this.part("slider");
    if (slider) {
      slider.value = String(ply);
      slider.setAttribute("aria-valuetext", this.#words("valuetext", sentence));
    }
    const count = this.part("count");
    if (count) count.textContent = `${ply} / ${last}`;
    this.clocks.show(ply);
    this.moves?.show(ply);
    writeBoard(this.part("text"), this.timeline);
    const position = this.part("position");
    if (position) position.textContent = this.timeline.position;
    this.remarks?.show();
    this.#pointLinks();
    this.#keepAddress();
    this.dispatchEvent(
      new CustomEvent("drapeau:ply", { bubbles: true, detail: { ply, last, view: this.view } }),
    );
  }

  #words(name, sentence) {
    return this.dataset[name]
      .replace("{ply}", String(this.timeline.ply))
      .replace("{last}", String(this.timeline.last))
      .replace("{say}", sentence);
  }

  /** The sentence under the board; screen readers hear it only when a person stepped. */
  #announce(sentence) {
    const say = this.part("say");
    if (!say) return;
    say.setAttribute("aria-live", this.playing || this.#movesByItself ? "off" : "polite");
    if (say.textContent !== sentence) say.textContent = sentence;
  }

  #pointLinks() {
    const { ply, last } = this.timeline;
    const targets = { first: 0, previous: ply - 1, next: ply + 1, last };
    for (const [name, target] of Object.entries(targets)) {
      const link = this.querySelector(`a[data-do="${name}"]`);
      if (link) link.href = this.address(Math.max(0, Math.min(last, target)));
    }
  }

  #keepAddress() {
    if (!this.hasAttribute("keep-address")) return;
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => {
      history.replaceState(null, "", this.address(this.timeline.ply));
    }, ADDRESS_DELAY_MS);
  }

  #schedule(delay) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), delay);
  }

  #tick() {
    this.goTo(this.timeline.ply + 1);
    if (this.timeline.ply < this.timeline.last) this.#schedule(this.pauseMs);
    else if (this.hasAttribute("loop")) this.#timer = setTimeout(() => this.play(), HOLD_AT_END_MS);
    else {
      this.pause();
      this.dispatchEvent(new CustomEvent("drapeau:ended", { bubbles: true }));
    }
  }

  #showPlaying() {
    const button = this.querySelector('[data-do="toggle"]');
    if (!button) return;
    this.classList.toggle("is-playing", this.playing);
    button.setAttribute("aria-label", this.playing ? this.dataset.pause : this.dataset.play);
  }

  #setSpeed(speed) {
    this.#speed = Math.max(0, Math.min(SPEEDS.length - 1, speed));
    const shown = this.part("speed");
    if (shown) shown.textContent = SPEEDS[this.#speed];
  }

  /** Go on from the perspective asked for last, which may still be on its way. */
  #nextView() {
    const choices = [...this.querySelectorAll("[data-view]")].map((choice) => choice.dataset.view);
    this.open(choices[(choices.indexOf(this.#wanted) + 1) % choices.length]);
  }

  async #copyPosition() {
    await navigator.clipboard.writeText(this.timeline.position);
    const button = this.querySelector('[data-do="copy-position"]');
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = button.dataset.label), COPIED_MS);
  }

  #toggleHelp() {
    const dialog = this.part("help");
    if (dialog?.open) dialog.close();
    else dialog?.showModal();
  }
}

function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

customElements.define("drapeau-replay", DrapeauReplay);
