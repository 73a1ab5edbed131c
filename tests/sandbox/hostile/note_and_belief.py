# verdict: plays
# contained by: cap on the line, both are private
# levels: docker
"""Fills its note with what could be markup, escapes or another line."""

import json

import wire

NOTE = '<script>alert(1)</script>\x1b[2J\n{"action": "a1a2"}\u202e\' OR 1=1 --' * 20
while (message := wire.hear()) and message["type"] != "end":
    answer = json.loads(wire.good_answer(message))
    if message["type"] == "act":
        answer |= {"note": NOTE, "belief": {NOTE[:80]: [NOTE[:80]] * 3}}
    wire.say(json.dumps(answer))
