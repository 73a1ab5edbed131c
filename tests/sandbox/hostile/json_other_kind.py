# verdict: protocol_error | not a JSON object
# contained by: strict reading
# levels: docker
"""Answers with a list."""

import wire

wire.begin()
wire.say('["a1a2"]')
wire.play()
