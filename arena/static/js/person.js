/** The page of a person who plays: shows the board, and sends what is chosen on it or among the buttons. */

const UNIT = 100;
const ASK_AGAIN_MS = 1000;
const NO_NEWS = 204;

const parts = {};
for (const part of document.querySelectorAll("[data-part]")) parts[part.dataset.part] = part;
const words = parts.state.dataset; // the page says it in its language
const STATES = { move: words.move, "set-up": words.setUp, again: "", last: "", "": words.wait };
const again = document.querySelector("[data-do=again]"); // only at home
const resign = document.querySelector("[data-do=resign]");
const token = document.querySelector("[name=csrfmiddlewaretoken]");

let turn = { number: 0, wanted: "", places: [], acts: [], draft: {} };
let draft = {};
let chosen = []; // names of places
let endsAt = 0; // in ms; 0 without a clock

async function send(what, body) {
  const headers = token ? { "X-CSRFToken": token.value } : {};
  try {
    const answer = await fetch(what, { method: "POST", headers, body: JSON.stringify(body) });
    return await answer.json();
  } catch {
    return { problem: words.away };
  }
}

async function answer(text) {
  const asked = { ...turn, draft };
  for (const part of ["move", "set-up", "over"]) parts[part].hidden = true;
  resign.hidden = true;
  parts.state.textContent = words.wait;
  turn.wanted = "";
  const { problem = "" } = await send("answer", { number: asked.number, answer: text });
  if (!problem || turn.number !== asked.number) return; // what a quick bot did may be shown already
  show(asked);
  parts.problem.textContent = problem;
}

function show(next) {
  turn = next;
  draft = turn.draft;
  parts.title.textContent = turn.title;
  parts.state.textContent = STATES[turn.wanted];
  parts.problem.textContent = turn.problem;
  parts.hint.textContent = turn.hint;
  parts.board.innerHTML = draft.board || turn.board;
  parts.fallen.textContent = turn.fallen.length ? `${words.fallen} ${turn.fallen.join(", ")}.` : "";
  parts.likes.replaceChildren(new Option("…", ""), ...turn.likes.map((name) => new Option(name)));
  parts.likes.parentElement.hidden = !turn.likes.length;
  parts.events.replaceChildren(...turn.events.map((text) => withText("li", text)));
  for (const part of ["move", "set-up"]) parts[part].hidden = turn.wanted !== part;
  parts.over.hidden = !["again", "last"].includes(turn.wanted);
  if (again) again.hidden = turn.wanted !== "again";
  resign.hidden = !["move", "set-up"].includes(turn.wanted);
  endsAt = turn.left_s ? Date.now() + 1000 * turn.left_s : 0;
  tick();
  choose([]);
}

/** Show how long the person may still think, where there is a clock. */
function tick() {
  if (!parts.clock) return;
  const left = Math.max(0, Math.round((endsAt - Date.now()) / 1000));
  const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  parts.clock.textContent = endsAt && turn.wanted ? minutes : "";
}

function withText(kind, text) {
  const element = document.createElement(kind);
  element.textContent = text;
  return element;
}

/** The actions that begin with the chosen places. */
function fitting(names) {
  return turn.acts.filter(({ places }) => names.every((name, at) => places[at] === name));
}

/** Choose places. Where only one action is left that names just these, it is played. */
function choose(names) {
  const acts = fitting(names);
  if (turn.wanted === "move" && names.length > 1 && acts.length === 1) {
    answer(acts[0].action);
    names = [];
  }
  chosen = names;
  mark();
  parts.acts.replaceChildren(
    ...fitting(chosen).map(({ action }) => {
      const button = withText("button", action);
      button.type = "button";
      button.dataset.action = action;
      return button;
    }),
  );
}

/** Mark the chosen places and those that may be next, in place of the last move. */
function mark() {
  const field = parts.board.querySelector(".marks");
  if (!field) return;
  for (const old of field.querySelectorAll("[data-mine]")) old.remove();
  for (const last of field.children) last.setAttribute("visibility", chosen.length ? "hidden" : "visible");
  const goals = turn.wanted === "move" ? fitting(chosen).map(({ places }) => places[chosen.length]) : [];
  for (const [kind, names] of [["from", chosen], ["to", new Set(goals)]]) {
    for (const name of names) {
      const place = turn.places.find((one) => one.name === name);
      if (place) field.append(frame(kind, place));
    }
  }
}

function frame(kind, { x, y }) {
  const svg = parts.board.querySelector("svg");
  const turned = svg.dataset.flipped === "true";
  const rect = document.createElementNS(svg.namespaceURI, "rect");
  const left = (turned ? svg.dataset.columns - 1 - x : x) * UNIT;
  const top = (turned ? svg.dataset.rows - 1 - y : y) * UNIT;
  const shape = { x: left + 3, y: top + 3, width: UNIT - 6, height: UNIT - 6, rx: 10, class: `mark mark-${kind}` };
  for (const [name, value] of Object.entries(shape)) rect.setAttribute(name, value);
  rect.dataset.mine = "";
  return rect;
}

/** The name of the place under the pointer, or "". */
function placeAt({ clientX, clientY }) {
  const svg = parts.board.querySelector("svg");
  if (!svg) return "";
  const point = new DOMPoint(clientX, clientY).matrixTransform(svg.querySelector(".field").getScreenCTM().inverse());
  const turned = svg.dataset.flipped === "true";
  const across = turned ? svg.dataset.columns - point.x / UNIT : point.x / UNIT;
  const down = turned ? svg.dataset.rows - point.y / UNIT : point.y / UNIT;
  const place = turn.places.find(({ x, y }) => x <= across && across < x + 1 && y <= down && down < y + 1);
  return place?.name ?? "";
}

function touch(name) {
  if (turn.wanted === "set-up") return exchange(name);
  const longer = [...chosen, name];
  if (fitting(longer).length) choose(longer);
  else choose(fitting([name]).length && name !== chosen[0] ? [name] : []);
}

async function exchange(name) {
  const [first] = chosen;
  if (!draft.places.includes(name)) return choose([]);
  if (!first || first === name) return choose(first ? [] : [name]);
  const codes = [...draft.codes];
  const [one, other] = [first, name].map((place) => draft.places.indexOf(place));
  [codes[one], codes[other]] = [codes[other], codes[one]];
  await redraw({ codes: codes.join("") });
}

async function redraw(wish) {
  const { problem = "", ...drafted } = await send("draft", wish);
  parts.problem.textContent = problem;
  if (problem) return;
  draft = drafted;
  parts.board.innerHTML = draft.board || turn.board;
  choose([]);
}

let pressed = "";
parts.board.addEventListener("pointerdown", (event) => {
  pressed = placeAt(event);
  if (pressed) touch(pressed);
});
parts.board.addEventListener("pointerup", (event) => {
  const name = placeAt(event);
  if (name && name !== pressed && chosen.length) touch(name);
});

parts.likes.addEventListener("change", () => redraw({ like: parts.likes.value }));

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if (button.dataset.action) answer(button.dataset.action);
  else if (button.dataset.do === "ready") answer(draft.codes);
  else if (button.dataset.do === "shuffle") redraw({});
  else if (button.dataset.do !== "resign") answer(button.dataset.do);
  else if (confirm(resign.dataset.sure)) answer("resign");
});

setInterval(tick, 1000);

for (;;) {
  try {
    const answered = await fetch(`turn?after=${turn.number}`);
    if (!answered.ok) throw new Error(answered.statusText);
    if (answered.status === NO_NEWS) await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    else {
      const news = await answered.json();
      if (news.number !== turn.number) show(news);
    }
  } catch {
    parts.state.textContent = words.away;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}
