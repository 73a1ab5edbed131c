# verdict: illegal_deployment | illegal:
# contained by: rules of the game
# levels: docker
"""Sets up an army of marshals."""

import wire

wire.say(wire.good_answer(wire.hear()))
wire.hear()
wire.say('{"action": "FMMMMMMM"}')
wire.play()
