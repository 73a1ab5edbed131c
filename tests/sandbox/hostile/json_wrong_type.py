# verdict: protocol_error | needs "action", a text
# contained by: strict reading
# levels: docker
"""Answers with a number where a text is due."""

import wire

wire.begin()
wire.say('{"action": 12}')
wire.play()
