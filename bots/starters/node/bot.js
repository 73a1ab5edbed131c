// A first bot: any legal action of any variant. Copy the folder and replace the dice by a thought.
"use strict";

const readline = require("node:readline");

const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const any = (list) => list[Math.floor(Math.random() * list.length)];

// Set-ups are too many to be listed: shuffle the army over its places, or some of the hand.
function deployment(view) {
  const own = view.army === undefined ? view.seats[view.observer] : null; // cards have no army
  const army = Object.entries(own ? {} : (view.army.garrison ?? view.army));
  const ranks = own ? [...own.hand] : army.flatMap(([rank, count]) => Array(count).fill(rank));
  for (let last = ranks.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [ranks[last], ranks[other]] = [ranks[other], ranks[last]];
  }
  return ranks.slice(0, own ? own.line.length : ranks.length).join("");
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") say({ type: "ready" });
  if (message.type === "act") say({ action: message.legal ? any(message.legal) : deployment(message.view) });
});
