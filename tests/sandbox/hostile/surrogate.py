# verdict: protocol_error | half a character
# contained by: strict reading
# levels: docker
"""Sends text that no file could keep."""

import wire

wire.begin()
wire.say(r'{"action": "a1a2", "note": "\ud800"}')
wire.play()
