"""Matches a minute on a ladder, end to end, against the same games by the local runner.

Ours is the site with its own broker over files and SQLite: beat and match-making in one worker, a
runner with some slots, bots as plain processes, every result rated. Bots do not rest when their
ratings have settled: otherwise the rest is measured, and not the arena. Theirs plays the same bots,
the same rules and the same number of games in as many processes, without a site. Prints
`{"ours": [matches a minute, …], "theirs": […]}`, in turn.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEAST_S = 20.0  # of each side in a round
LADDER = "general"
PLIES = 200
BOTS_PER_SLOT = 4  # a bot plays one match at a time
STOP_S = 60.0
LOOK_S = 0.5
BOT = b"""import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "act" and message.get("legal"):
        print(json.dumps({"action": random.choice(message["legal"])}), flush=True)
    elif message["type"] == "act":
        army = [rank for rank, count in message["view"]["army"].items() for _ in range(count)]
        army.sort(key=lambda rank: (rank != "F", random.random()))
        print(json.dumps({"action": "".join(army)}), flush=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=LEAST_S)
    parser.add_argument("--slots", type=int, default=2)
    given = parser.parse_args()
    seconds = max(given.seconds, LEAST_S)
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "DJANGO_SETTINGS_MODULE": "arena.settings",
            "DRAPEAU_DATA_DIR": folder,
            "DRAPEAU_ISOLATION": "process",
            "DRAPEAU_TRUST_BOTS": "1",
            "DRAPEAU_SETTLED_PAUSE_S": "0",
            "DATABASE_URL": f"sqlite:///{folder}/drapeau.sqlite3",
            "DRAPEAU_BROKER_URL": "filesystem://localhost",
        }
        os.environ.update(settings)
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], check=True)
        # Only now can Django be asked for its rows.
        from benchmarks.players import ladder_site  # noqa: PLC0415 - its settings are made above

        ladder_site.fill(ladder=LADDER, plies=PLIES, bots=BOTS_PER_SLOT * given.slots, source=BOT)
        ours, theirs = [], []
        with workers(Path(folder), given.slots):
            for _ in range(given.rounds):
                ours.append(ladder_site.matches_a_minute(seconds))
                theirs.append(ladder_site.local_matches_a_minute(seconds, PLIES, BOT, given.slots))
    print(json.dumps({"ours": ours, "theirs": theirs}))


@contextmanager
def workers(folder: Path, slots: int) -> Iterator[None]:
    """Run a worker with beat, and a runner with some slots, until the end of the block."""
    celery = (sys.executable, "-m", "celery", "-A", "arena.celery_app", "--quiet", "worker")
    quick = ("--without-mingle", "--without-gossip")
    with (folder / "log").open("w") as log:
        both = [
            subprocess.Popen((*celery, *quick, *more), stdout=log, stderr=log)
            for more in (
                ("-Q", "default", "--beat", "-c", "1"),
                ("-Q", "matches", "-c", str(slots)),
            )
        ]
        try:
            yield
        finally:
            for process in both:
                process.terminate()
            for process in both:
                process.wait(timeout=STOP_S)


if __name__ == "__main__":
    main()
