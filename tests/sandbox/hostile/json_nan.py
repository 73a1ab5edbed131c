# verdict: protocol_error | NaN is not JSON
# contained by: strict reading
# levels: docker
"""Sends a number that is none."""

import wire

wire.begin()
wire.say('{"action": "a1a2", "belief": NaN}')
wire.play()
