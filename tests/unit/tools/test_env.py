"""`make env`: a file of secrets that only its owner reads."""

import shutil
import stat
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[3] / "tools" / "env.sh"


def test_existing_file_keeps_values_and_is_closed(tmp_path):
    (tmp_path / "tools").mkdir()
    shutil.copy(SCRIPT, tmp_path / "tools")
    env = tmp_path / ".env"
    env.write_text("DRAPEAU_SECRET_KEY=mine\n")
    env.chmod(0o644)

    subprocess.run([tmp_path / "tools" / "env.sh"], check=True, capture_output=True)

    assert stat.S_IMODE(env.stat().st_mode) == 0o600
    assert env.read_text().startswith("DRAPEAU_SECRET_KEY=mine\n")
