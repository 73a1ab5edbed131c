# verdict: protocol_error | the first line must be
# contained by: strict reading
# levels: docker
"""Answers the start with a move."""

import wire

wire.hear()
wire.say('{"action": "a1a2"}')
wire.play()
