# verdict: protocol_error | more than one line
# contained by: one line per turn
# levels: docker
"""Is ready twice."""

import wire

wire.hear()
wire.say('{"type": "ready"}', '{"type": "ready"}')
wire.play()
