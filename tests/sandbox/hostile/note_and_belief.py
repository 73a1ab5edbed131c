# verdict: plays | [arena] warning: the arena drops a belief: '<b>\x1b' is no hidden piece
# contained by: cap on the line, both are private, one warning about what is no belief
# levels: docker
"""Fills its note with what could be markup, escapes or another line."""

import json

import wire

NOTE = '<script>alert(1)</script>\x1b[2J\n{"action": "a1a2"}\u202e\' OR 1=1 --' * 20
while (message := wire.hear()) and message["type"] != "end":
    answer = json.loads(wire.good_answer(message))
    if message["type"] == "act":
        answer |= {"note": NOTE, "belief": {"<b>\x1b": [NOTE[:80]] * 3}}
    wire.say(json.dumps(answer))
