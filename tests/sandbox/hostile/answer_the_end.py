# verdict: plays
# contained by: nobody reads after the end
# levels: docker
"""Has the last word."""

import wire

wire.play()
while True:
    wire.say('{"action": "a1a2"}')
