"""Write the table of permissions anew: `python -m tests.permissions`.

Read the difference afterwards, line by line: `git diff tests/permissions/matrix.txt`.
"""

import os
import subprocess
import sys

from tests.permissions.table import FILE, WRITE
from tests.tree import ROOT

TEST = "tests/integration/accounts/test_permission_matrix.py"
SERVICES = ("DATABASE_URL", "DRAPEAU_BROKER_URL", "DRAPEAU_CACHE_URL")


def main():
    """Run the test in the mode that writes, on SQLite; return the exit status."""
    environment = {name: value for name, value in os.environ.items() if name not in SERVICES}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:randomly", TEST]
    environment[WRITE] = "1"
    status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    sys.stdout.write(f"Now read `git diff {FILE.relative_to(ROOT)}`, line by line.\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
