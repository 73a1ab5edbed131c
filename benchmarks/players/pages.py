"""Pages of a big site beside those of a small one, each site in a database of its own.

Both are filled by `big_site` in one PostgreSQL and asked in turn, in this process. Prints
`{PAGE: {"ours": [ms, …], "theirs": [ms, …]}, …}`, where ours is the big site: the 95th percentile
of each round.
"""

import argparse
import json
import os
import tempfile
from pathlib import Path

from arena.embedded.supervise import Supervisor
from tools.services.packages import POSTGRES, install
from tools.services.stores import remove, start_postgres


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--bots", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=5_000_000)
    given = parser.parse_args()
    install([POSTGRES])
    folder = Path(tempfile.mkdtemp(prefix="drapeau-bench-"))
    folder.chmod(0o711)  # the server has another user and passes through
    try:
        with Supervisor("bench") as supervisor:
            os.environ |= {
                "DJANGO_SETTINGS_MODULE": "arena.settings",
                "DATABASE_URL": start_postgres(supervisor, folder / "postgres"),
                "DRAPEAU_DATA_DIR": str(folder / "data"),
                "DRAPEAU_API_CALLS_PER_MINUTE": str(10**6),
                "DRAPEAU_VISITOR_PAGES_KEPT_S": "0",
            }
            # Only now can Django be asked for its rows.
            from benchmarks.players import two_sites  # noqa: PLC0415 - its settings are made above

            two_sites.fill(bots=given.bots, games=given.games)
            print(json.dumps(two_sites.figures(rounds=given.rounds)))
    finally:
        remove(folder)


if __name__ == "__main__":
    main()
