# verdict: illegal_action | illegal:
# contained by: rules of the game
# levels: docker
"""Moves a piece of its opponent."""

import json

import wire

message = wire.begin()
theirs = next(piece for piece in message["view"]["pieces"] if piece["seat"] == "blue")
start = theirs["square"]
wire.say(json.dumps({"action": f"{start}{start[0]}{int(start[1:]) - 1}"}))
wire.play()
