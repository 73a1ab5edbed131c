// A first bot: any legal action of any variant. Replace the dice by a thought.
// @ts-check
"use strict";

const readline = require("node:readline");

let dice = Math.random;

/** @param {import("./protocol").Ready | import("./protocol").Answer} message */
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
/** @param {number} limit */
const below = (limit) => Math.floor(dice() * limit);

// Numbers from 0 to 1 that are the same for the same seed: the generator mulberry32.
/** @param {number} seed */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param {string[]} ranks */
function shuffle(ranks) {
  for (let last = ranks.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [ranks[last], ranks[other]] = [ranks[other], ranks[last]];
  }
  return ranks;
}

// Set up: shuffle the army over its places, or put some of the hand into the line. It does so for
// every game; your game has its view as a type, import("./protocol").View.
/** @param {any} view */
function deployment(view) {
  if (view.army === undefined) {
    const { hand, line } = view.seats[view.observer]; // cards
    return shuffle([...hand]).slice(0, line.length).join("");
  }
  const army = view.army.garrison ?? view.army; // in siege, one of three armies
  return shuffle(Object.entries(army).flatMap(([rank, count]) => Array(count).fill(rank))).join("");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  /** @type {import("./protocol").Message} */
  const message = JSON.parse(line);
  if (message.type === "start") {
    dice = seeded(message.rng_seed);
    say({ type: "ready" });
  } else if (message.type === "act") {
    const legal = message.legal; // missing where there are too many to list
    say({ action: legal ? legal[below(legal.length)] : deployment(message.view) });
  }
});
