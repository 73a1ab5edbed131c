"""Room on the disks of a host: it cannot seat bots on one that is nearly full."""

import os
from pathlib import Path

from sandbox import limits


def shortage(folder: Path) -> str:
    """Return what the disk of a folder lacks, in a sentence, or "" if it has enough.

    The folder itself need not exist yet, nor be visible to this user: then the nearest one counts.
    """
    whole = folder.absolute()
    place = next(
        path for path in (whole, *whole.parents) if os.access(path, os.F_OK, effective_ids=True)
    )
    disk = os.statvfs(place)
    free_bytes = disk.f_bavail * disk.f_frsize
    if free_bytes < limits.DISK_LEAST_BYTES:
        lacks = f"{free_bytes // limits.MIB} MiB"
        needs = f"{limits.DISK_LEAST_BYTES // limits.MIB} MiB"
    elif disk.f_files and disk.f_favail < limits.DISK_LEAST_FILES:  # some systems count no files
        lacks, needs = f"room for {disk.f_favail} files", f"room for {limits.DISK_LEAST_FILES}"
    else:
        return ""
    return (
        f"the disk of {place} has {lacks} left, and a host of bots needs {needs}; make room there"
    )
