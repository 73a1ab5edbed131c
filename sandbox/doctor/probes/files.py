"""Experiments about files: what can be read, written and filled up."""

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from sandbox import limits
from sandbox.host import hidden

OUTSIDE_SCRATCH = ("", "usr", "etc", "opt", "bot", "var/tmp", "run", "dev", "sys", "proc/sys")
SECRETS = ("/etc/shadow", "/root", "/home", "/var/lib/docker", "/run/docker.sock", "/proc/kcore")
HARMLESS_DEVICES = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"}
TERMINALS = ("/dev/ptmx", "/dev/pts/ptmx")
ON_ITS_OWN = ("/dev/pts",)  # a guarantee of its own
PIECE = b"x" * limits.MIB


def scratch() -> Path:
    """Return the only folder that a bot may write to."""
    return Path(os.environ["TMPDIR"])


def read_only() -> tuple[bool, str]:
    written = [f"/{place}" for place in OUTSIDE_SCRATCH if _writable(Path("/", place))]
    if written:
        return False, f"could write to {', '.join(written)}"
    return _mounted_read_only(Path("/"))


def own_files() -> tuple[bool, str]:
    """Try to change the bot's own folder and, if there is one, the folder of the control socket."""
    for place in (Path("/bot"), Path("/arena")):
        held, seen = _mounted_read_only(place) if place.exists() else (place.name != "bot", "")
        if not held:
            return held, seen or f"there is no {place}"
    return True, "read-only"


def host_files() -> tuple[bool, str]:
    seen = [place for place in SECRETS if _reveals(Path(place))]
    return not seen, f"could read {', '.join(seen)}" if seen else "none of the host"


def host_counters() -> tuple[bool, str]:
    """Look for what the kernel tells everybody about the whole host."""
    shown = [file for file in hidden.FILES if _tells(file)]
    shown += [folder for folder in hidden.FOLDERS if folder not in ON_ITS_OWN and _lists(folder)]
    return not shown, f"could read {', '.join(shown)}" if shown else "masked"


def terminals() -> tuple[bool, str]:
    """Try to get a pseudo-terminal, whose contents the kernel's own workers carry."""
    for place in TERMINALS:
        with contextlib.suppress(OSError):
            os.close(os.open(place, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
            return False, f"{place} could be opened"
    return not _lists("/dev/pts"), "none can be had"


def devices() -> tuple[bool, str]:
    opened = []
    for path in Path("/dev").rglob("*"):
        with contextlib.suppress(OSError):
            is_device = stat.S_ISCHR(path.lstat().st_mode) or stat.S_ISBLK(path.lstat().st_mode)
            if is_device and path.name not in HARMLESS_DEVICES and path.parent.name != "pts":
                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                opened.append(str(path))
    return not opened, f"could open {', '.join(opened)}" if opened else "only harmless ones"


def setuid_files() -> tuple[bool, str]:
    system = Path("/").stat().st_dev
    paths = [
        path
        for path, its in _regular_files("/", system)
        if its.st_mode & (stat.S_ISUID | stat.S_ISGID)
    ]
    return not paths, f"{len(paths)}, such as {paths[0]}" if paths else "none in the image"


def shared_memory() -> tuple[bool, str]:
    place = Path("/dev/shm")  # noqa: S108 - it is the place that must not be writable
    if not place.exists():
        return True, "there is no /dev/shm"
    writable = _writable(place)
    return not writable, f"{place} can{'' if writable else 'not'} be written to"


def scratch_size() -> tuple[bool, str]:
    """Fill the scratch folder with files of at most the allowed size."""
    folder = scratch() / "fill"
    folder.mkdir()
    written = 0
    try:
        while written <= 2 * limits.SCRATCH_BYTES:
            with (folder / str(written)).open("wb", buffering=0) as file:
                written += file.write(PIECE)
    except OSError as error:
        seen = f"{written >> 20} MiB, then {os.strerror(error.errno or 0)}"
        return written <= limits.SCRATCH_BYTES and error.errno == errno.ENOSPC, seen
    finally:
        _remove(folder)
    return False, f"{written >> 20} MiB were written"


def scratch_files() -> tuple[bool, str]:
    folder = scratch() / "many"
    folder.mkdir()
    count = 0
    try:
        while count <= limits.SCRATCH_INODES:
            (folder / str(count)).touch()
            count += 1
    except OSError as error:
        return error.errno == errno.ENOSPC, f"{count} files, then {os.strerror(error.errno or 0)}"
    finally:
        _remove(folder)
    return False, f"{count} files were made"


def scratch_programs() -> tuple[bool, str]:
    """Run a copy of a program from the scratch folder."""
    copy = scratch() / "program"
    copy.write_bytes(Path("/bin/true").read_bytes())
    copy.chmod(0o755)
    try:
        child = os.posix_spawn(copy, [str(copy)], {})
    except OSError as error:
        return True, os.strerror(error.errno or 0)
    finally:
        copy.unlink()
    os.waitpid(child, 0)
    return False, "a program was run from there"


def file_size() -> tuple[bool, str]:
    """Make one sparse file larger than allowed: it only exceeds the cap of one file."""
    with (scratch() / "large").open("wb") as file:
        try:
            file.truncate(limits.FILE_BYTES + 1)
        except OSError as error:
            return error.errno == errno.EFBIG, os.strerror(error.errno or 0)
        finally:
            Path(file.name).unlink()
    return False, f"a file of more than {limits.FILE_BYTES >> 20} MiB was made"


def _mounted_read_only(place: Path) -> tuple[bool, str]:
    """Return whether a place is mounted read-only, and not just owned by another user."""
    try:
        os.utime(place)
    except OSError as error:
        if error.errno == errno.EROFS:
            return True, "nothing but the scratch folder"
        return False, f"{place} is not mounted read-only, it only belongs to another user"
    return False, f"could change {place}"


def _writable(folder: Path) -> bool:
    path = folder / "left-behind-by-probe"
    with contextlib.suppress(OSError):
        path.touch()
        path.unlink()
        return True
    return False


def _reveals(place: Path) -> bool:
    with contextlib.suppress(OSError):
        first = next(place.iterdir(), None) if place.is_dir() else Path(place.open("rb").name)
        # The interpreter may be below such a folder; then only the interpreter is visible there.
        return first is not None and not Path(sys.base_prefix).is_relative_to(first)
    return False


def _tells(file: str) -> bool:
    with contextlib.suppress(OSError):
        return Path(file).read_bytes()[:1] != b""
    return False


def _lists(folder: str) -> bool:
    with contextlib.suppress(OSError):
        return any(os.scandir(folder))
    return False


def _regular_files(folder: str, device: int) -> Iterator[tuple[str, os.stat_result]]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            its = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(its.st_mode) and its.st_dev == device:
                yield from _regular_files(entry.path, device)
            elif stat.S_ISREG(its.st_mode):
                yield entry.path, its


def _remove(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
