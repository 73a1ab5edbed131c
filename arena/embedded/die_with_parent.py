"""Become another program that ends when the process that started it is gone.

Usage: `die_with_parent.py PARENT_PID USER PROGRAM [ARGUMENT ...]`; an empty USER is who we are now.
On Linux the kernel sends SIGTERM at the parent's death however it came about, SIGKILL included;
elsewhere this only changes the user and runs the program.
"""

import ctypes
import os
import pwd
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main() -> None:
    """Change the user first (that would clear the signal), then set it, and exec."""
    parent, user, argv = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    if user:
        entry = pwd.getpwnam(user)
        os.initgroups(user, entry.pw_gid)
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
        if os.getppid() != parent:
            sys.exit(f"{argv[0]}: the process that started it is already gone")
    os.execvp(argv[0], argv)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
