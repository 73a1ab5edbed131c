# verdict: protocol_error | nested too deeply
# contained by: cap on depth
# levels: docker
"""Nests its answer as deep as a line can hold."""

import wire

wire.begin()
wire.say('{"action": "a1a2", "belief": ' + "[" * 2000 + "]" * 2000 + "}")
wire.play()
