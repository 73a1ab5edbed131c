"""The command line of bubblewrap: what a bot without a container sees of this machine."""

import os
import sys
from pathlib import Path

from sandbox import limits
from sandbox.host import hidden
from sandbox.host.seating import BOT_FOLDER, LIBRARY_FOLDER, SCRATCH_FOLDER, bot_environment

SYSTEM_LINKS = ("bin", "sbin", "lib", "lib64")
IN_NAMESPACES = ("/proc/", "/dev/")  # there is no /sys
SWITCH_USER = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


def namespaces(root: Path, *, rules: int, report: int) -> list[str]:
    """Return a command prefix that isolates a program: no network, only its own folder to read.

    The caller passes on two descriptors: `rules` contains the system-call filter, and bubblewrap
    writes the id of the first process inside to `report`, as JSON.
    """
    command = ["bwrap", "--die-with-parent", "--new-session", "--hostname", "bot", *unshared()]
    command += ["--seccomp", str(rules), "--info-fd", str(report), *system()]
    command += ["--proc", "/proc", "--dev", "/dev", *masks()]
    command += ["--perms", "1777", "--size", str(limits.SCRATCH_BYTES)]
    command += ["--tmpfs", SCRATCH_FOLDER]
    command += ["--ro-bind", str(root / "bot"), BOT_FOLDER]
    command += open_folders(Path(LIBRARY_FOLDER).parent)
    command += ["--ro-bind", str(root / "lib"), LIBRARY_FOLDER, "--chdir", BOT_FOLDER]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--clearenv"]
    for name, value in bot_environment(home=SCRATCH_FOLDER, library=LIBRARY_FOLDER).items():
        command += ["--setenv", name, value]
    return [*command, "--"]


def unshared() -> list[str]:
    """Return options that leave the host's namespaces and drop all privileges but changing user."""
    if os.geteuid() != 0:
        return ["--unshare-all", "--cap-drop", "ALL"]
    # Root needs no user namespace, and without one setpriv can switch to a real user. The three
    # capabilities that this needs are dropped afterwards.
    command = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--cap-drop", "ALL"]
    for capability in SWITCH_USER:
        command += ["--cap-add", capability]
    return command


def system() -> list[str]:
    """Return options that show this machine's programs, libraries and interpreter, read-only."""
    command = ["--ro-bind", "/usr", "/usr"]
    prefix = Path(sys.base_prefix)
    if not prefix.is_relative_to("/usr"):
        command += [*open_folders(prefix.parent), "--ro-bind", str(prefix), str(prefix)]
    for name in SYSTEM_LINKS:
        link = Path("/") / name
        if link.is_symlink():
            command += ["--symlink", str(link.readlink()), str(link)]
        elif link.exists():
            command += ["--ro-bind", str(link), str(link)]
    command += open_folders(Path("/etc"))
    return [*command, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]


def masks() -> list[str]:
    """Return options that hide what the kernel tells about the whole host."""
    command: list[str] = []
    for file in (path for path in hidden.FILES if Path(path).exists()):
        command += ["--ro-bind", "/dev/null", file]
    for folder in (path for path in hidden.FOLDERS if path.startswith(IN_NAMESPACES)):
        if Path(folder).exists():
            command += ["--perms", "0555", "--tmpfs", folder, "--remount-ro", folder]
    return command


def open_folders(folder: Path) -> list[str]:
    """Return options that create a folder and its parents, which bubblewrap would make private."""
    folders = [path for path in (folder, *folder.parents) if path != Path("/")]
    return [word for path in reversed(folders) for word in ("--perms", "0755", "--dir", str(path))]
