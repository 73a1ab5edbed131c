# verdict: protocol_error | a number is too large
# contained by: cap on numbers
# levels: docker
"""Sends a number that takes long to read."""

import wire

wire.begin()
wire.say('{"action": "a1a2", "belief": ' + "9" * 4000 + "}")
wire.play()
