/**
 * The part "Share" of a replay, loaded when it is first opened: a link, a frame for another site, and a video.
 *
 * A video is recorded from the board of the page while it plays a part of the game, so it shows what the visitor sees.
 */

const WIDTH = 720;
const EDGE = 16;
const LINE = 30;
const HEADER = 44; // room for names above and below the board
const FRAME_MS = 100; // a still picture is sent again, so that the video lasts as long as it was shown
const HOLD_MS = 1500; // the last ply
const BITS_PER_SECOND = 2_500_000;
const KINDS = ["video/webm;codecs=vp9", "video/webm", "video/mp4"];

export class Share {
  #isStopped = false;

  /**
   * @param {HTMLElement} replay the element whose game is shared
   * @param {HTMLElement} panel what the server made for it
   */
  constructor(replay, panel) {
    this.replay = replay;
    this.panel = panel;
    this.panel.addEventListener("click", ({ target }) => this.#copy(target.closest("[data-copies]")));
    this.replay.addEventListener("drapeau:ply", () => this.show());
    this.kind = kindOfVideo();
    const form = this.part("video");
    form.hidden = !this.kind;
    const { ply, last } = this.replay.timeline;
    form.elements.from.value = String(ply === last ? 0 : ply);
    form.elements.to.value = String(last);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#record(form.elements.from.valueAsNumber, form.elements.to.valueAsNumber);
    });
    this.part("stop").addEventListener("click", () => (this.#isStopped = true));
  }

  part(name) {
    return this.panel.querySelector(`[data-share="${name}"]`);
  }

  /** Write the addresses of the present ply. */
  show() {
    if (!this.panel.open) return;
    const query = this.replay.address(this.replay.timeline.ply);
    const { page, frame, title } = this.panel.dataset;
    this.part("link").value = new URL(page + query, location.href).href;
    if (!frame) return;
    const element = document.createElement("iframe");
    element.src = new URL(frame + query, location.href).href;
    element.title = title;
    element.width = "400";
    element.height = "680";
    this.part("frame").value = element.outerHTML;
  }

  async #copy(button) {
    if (!button) return;
    const field = this.part(button.dataset.copies);
    field.select(); // where there is no clipboard, a person can copy it
    await navigator.clipboard?.writeText(field.value);
    button.textContent = this.panel.dataset.copied;
  }

  async #record(from, to) {
    const back = this.replay.timeline.ply;
    this.#isStopped = false;
    this.#showRecording(true);
    try {
      this.#offer(await this.#recorded(Math.min(from, to), Math.max(from, to)));
      this.#say("recorded");
    } catch {
      this.#say("unable");
    }
    this.#showRecording(false);
    this.replay.goTo(back, { slide: false });
  }

  async #recorded(from, to) {
    const picture = new Picture(this.replay);
    const stream = picture.canvas.captureStream(0);
    const recorder = new MediaRecorder(stream, { mimeType: this.kind, videoBitsPerSecond: BITS_PER_SECOND });
    const parts = [];
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.start();
    this.replay.pause();
    for (let ply = from; ply <= to && !this.#isStopped; ply += 1) {
      this.replay.goTo(ply, { slide: false });
      this.#say("recording", { ply, last: to });
      await picture.take();
      await this.#hold(picture, stream, ply === to ? HOLD_MS : this.replay.pauseMs);
    }
    const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve, { once: true }));
    recorder.stop();
    await ended;
    return new Blob(parts, { type: this.kind });
  }

  async #hold(picture, stream, lengthMs) {
    const end = performance.now() + lengthMs;
    do {
      picture.draw();
      stream.getVideoTracks()[0].requestFrame();
      await new Promise((resolve) => setTimeout(resolve, Math.min(FRAME_MS, lengthMs)));
    } while (performance.now() < end && !this.#isStopped);
  }

  #offer(video) {
    const link = this.part("file");
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(video);
    link.download = `drapeau.${this.kind.includes("webm") ? "webm" : "mp4"}`;
    link.hidden = false;
    link.focus();
  }

  #showRecording(isOn) {
    this.part("record").hidden = isOn;
    this.part("stop").hidden = !isOn;
    if (isOn) this.part("file").hidden = true;
  }

  #say(name, values = {}) {
    let text = this.panel.dataset[name];
    for (const [key, value] of Object.entries(values)) text = text.replace(`{${key}}`, value);
    this.part("said").textContent = text;
  }
}

/** The kind of video that this browser records of a canvas, or nothing. */
function kindOfVideo() {
  const isAble = typeof MediaRecorder === "function" && "captureStream" in HTMLCanvasElement.prototype;
  return isAble ? KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) : undefined;
}

/** The board of the page, its names and its sentence, on a canvas. */
class Picture {
  constructor(replay) {
    this.replay = replay;
    this.host = replay.part("board");
    const { width, height } = replay.board.svg.viewBox.baseVal;
    this.width = WIDTH - 2 * EDGE;
    this.height = Math.round((this.width * height) / width);
    this.canvas = document.createElement("canvas");
    this.canvas.width = WIDTH;
    this.canvas.height = 2 * Math.ceil((this.height + 2 * HEADER + 3 * LINE) / 2); // videos want even numbers
    this.pen = this.canvas.getContext("2d");
    this.style = document.createElementNS(replay.board.svg.namespaceURI, "style");
    this.style.textContent = boardRules();
    this.colours = getComputedStyle(document.body);
    this.wood = getComputedStyle(this.host).backgroundColor;
  }

  /** Look at the board as it is now. */
  async take() {
    const { svg } = this.replay.board;
    const copy = svg.cloneNode(true);
    copy.prepend(this.style.cloneNode(true));
    copy.setAttribute("width", String(this.width));
    copy.setAttribute("height", String(this.height));
    const computed = getComputedStyle(svg);
    for (const [, name] of this.style.textContent.matchAll(/var\((--[\w-]+)/g)) {
      copy.style.setProperty(name, computed.getPropertyValue(name));
    }
    copy.style.colorScheme = computed.colorScheme;
    copy.style.color = computed.color;
    copy.style.width = `${this.width}px`;
    copy.style.minWidth = "0";
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    await image.decode();
    this.image = image;
  }

  draw() {
    const { pen, canvas } = this;
    pen.fillStyle = this.colours.backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = this.wood;
    pen.fillRect(EDGE / 2, HEADER, WIDTH - EDGE, this.height + EDGE / 2);
    pen.drawImage(this.image, EDGE, HEADER + EDGE / 2 - 4, this.width, this.height);
    pen.fillStyle = this.colours.color;
    pen.textBaseline = "middle";
    this.#write(names(this.replay, ".trays-above"), HEADER / 2, "600");
    const below = HEADER + this.height + EDGE / 2;
    this.#write(names(this.replay, ".trays-below"), below + HEADER / 2, "600");
    const said = this.#broken(this.replay.part("say").textContent);
    said.forEach((line, index) => this.#write(line, below + HEADER + LINE * (index + 0.5), "400"));
  }

  #write(text, y, weight) {
    this.pen.font = `${weight} 22px ${this.colours.fontFamily}`;
    this.pen.fillText(text, EDGE, y, this.width);
  }

  /** A sentence in two lines at most; what is longer is pressed into the second. */
  #broken(text) {
    this.pen.font = `400 22px ${this.colours.fontFamily}`;
    const words = text.split(" ");
    let first = "";
    while (words.length > 0 && this.pen.measureText(`${first} ${words[0]}`).width <= this.width) {
      first = `${first} ${words.shift()}`.trim();
    }
    return [first, words.join(" ")];
  }
}

function names(replay, edge) {
  const seats = [...replay.querySelectorAll(`${edge} .replay-seat`)];
  return seats.map((seat) => seat.innerText.replace(/\s+/g, " ").trim()).join("   ");
}

/** The rules of the board's own layer: the picture stands alone, without the sheet of the page. */
function boardRules() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules
    .filter((rule) => rule instanceof CSSLayerBlockRule && rule.name === "board")
    .flatMap((layer) => [...layer.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule)
    .map((rule) => rule.cssText)
    .join("");
}
