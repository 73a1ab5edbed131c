# verdict: protocol_error | "legal" must be true or false
# contained by: strict reading
# levels: docker
"""Says yes where true is meant."""

import wire

wire.hear()
wire.say('{"type": "ready", "wants": {"legal": "yes"}}')
wire.play()
