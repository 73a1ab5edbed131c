# verdict: plays | stopped by ENOSPC
# contained by: inodes of the tmpfs
# levels: docker
# under gvisor: plays | stopped by nothing | its files are its memory, which is capped
"""Makes empty files as far as it can."""

from pathlib import Path

import wire

MOST = 1024
start = wire.hear()
wire.note(f"stopped by {wire.refusal(lambda number: Path(f'/tmp/{number}').touch(), MOST)}")
wire.play(start)
