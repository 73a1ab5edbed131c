"""What each image is made of, and the name that follows from it. Talks to no engine."""

import hashlib
import io
import os
import tarfile
from functools import lru_cache
from pathlib import Path

from botkit.languages import RUNTIMES
from sandbox.host.kit import kit_files
from sandbox.refusal import IsolationUnavailable

DEFAULT_BASE = "debian:bookworm-slim"
INIT = "init"  # the image that arena-init is copied from; no bot runs in it
STRIP = "strip.sh"
WHICH = "{runtime}"
SANDBOX = Path(__file__).resolve().parents[1]


def context(image: str) -> bytes:
    """Pack what the Dockerfile of a runtime, or of INIT, copies: nothing else of ours.

    Only the image of Python holds the SDK and the rules, so that a change of them makes no other
    image anew.
    """
    folder = SANDBOX / "images"
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.add(folder / image / "Dockerfile", "Dockerfile", filter=_plain)
        if image == INIT:
            archive.add(SANDBOX / "arena_init", "arena_init", filter=_plain)
        else:
            archive.add(folder / STRIP, STRIP, filter=_plain)
        if image == "python":
            for name, content in kit_files().items():
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(_plain(entry), io.BytesIO(content))
    return buffer.getvalue()


@lru_cache
def init_tag() -> str:
    """Name the image of arena-init after its sources."""
    return f"drapeau-{INIT}:{_digest(context(INIT))}"


@lru_cache
def runtime_tag(runtime: str) -> str:
    """Name a runtime image after what it is made of, so that a stale one is never taken."""
    if runtime not in RUNTIMES:
        raise ValueError(f"no runtime is called {runtime!r}; there are {', '.join(RUNTIMES)}")
    return f"drapeau-runtime-{runtime}:{_digest(context(runtime) + init_tag().encode())}"


def runtime_image(runtime: str) -> str:
    """Name the image of a runtime: by default the one made of exactly these sources.

    The setting names them all, with WHICH where the runtime's own name goes. Raises
    `IsolationUnavailable` for one that would give every runtime the same image.
    """
    named = os.environ.get("DRAPEAU_RUNTIME_IMAGE")
    if not named:
        return runtime_tag(runtime)
    if WHICH not in named:
        raise IsolationUnavailable(f"DRAPEAU_RUNTIME_IMAGE must hold {WHICH}, unlike {named!r}")
    return named.replace(WHICH, runtime)


def missing_image(runtime: str) -> str:
    """Return the message that a runtime has no image, and how to make it."""
    return f"docker: no image {runtime_image(runtime)} (python -m sandbox build-image makes it)"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out everything by which two equal files could differ."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    entry.mode = 0o755 if entry.isdir() else 0o644
    return entry
