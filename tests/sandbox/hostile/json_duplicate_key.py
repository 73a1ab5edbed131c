# verdict: protocol_error | a key stands twice
# contained by: strict reading
# levels: docker
"""Answers twice in one object."""

import wire

wire.begin()
wire.say('{"action": "a1a2", "action": "b1b2"}')
wire.play()
