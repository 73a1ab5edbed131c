# verdict: protocol_error | not JSON
# contained by: strict reading
# levels: docker
"""Begins its line with a byte order mark."""

import wire

message = wire.begin()
wire.say("\ufeff" + wire.good_answer(message))
wire.play()
