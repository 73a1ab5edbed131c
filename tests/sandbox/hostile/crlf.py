# verdict: plays
# contained by: nothing to contain
# levels: docker
"""Ends its lines as they do elsewhere."""

import wire

while (message := wire.hear()) and message["type"] != "end":
    wire.say(wire.good_answer(message) + "\r")
