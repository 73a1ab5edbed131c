# verdict: timeout | of CPU time
# contained by: CPU charge
# levels: docker
# under gvisor: timeout or plays |  | its own clock, by which the bot measures, is coarse
"""Answers well, a little later than it may."""

import json

import wire

start = wire.hear()
wire.say(wire.good_answer(start))
wire.say(wire.good_answer(wire.hear()))
message = wire.hear()
wire.burn(1.05 * min(start["clock"]["action_ms"], message["clock"]["bank_ms"]) / 1000)
wire.say(json.dumps({"action": message["legal"][0]}))
wire.play()
