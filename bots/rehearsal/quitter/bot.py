"""Quitter: says that it is ready, and is gone at the first question."""

import json
import sys

for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "start":
        sys.stdout.write('{"type": "ready"}\n')
        sys.stdout.flush()
    elif kind == "act":
        sys.exit(1)
