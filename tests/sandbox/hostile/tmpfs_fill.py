# verdict: plays | stopped by ENOSPC at 16 MiB
# contained by: size of the tmpfs
# levels: docker
"""Fills the only folder that it can write to, file after file."""

from pathlib import Path

import wire

MOST = 16
PIECE = b"x" * (1 << 20)
start = wire.hear()
reason = wire.refusal(lambda number: Path(f"/tmp/{number}").write_bytes(PIECE), MOST)
total = sum(path.stat().st_size for path in Path("/tmp").iterdir())
wire.note(f"stopped by {reason} at {total >> 20} MiB")
wire.play(start)
