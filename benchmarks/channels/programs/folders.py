"""Files left in folders: in every folder that can be written to, or in a given one."""

import os
import tempfile

USUAL = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock", "/dev/mqueue", "/bot", "/arena")


def places(folder):
    if folder:
        return [folder]
    return [each for each in {*USUAL, tempfile.gettempdir()} if os.access(each, os.W_OK)]


def send(bits, key, folder):
    for place in places(folder):
        try:
            with open(f"{place}/{key}", "w") as file:
                file.write(bits)
        except OSError:
            if folder:
                raise


def read(count, key, folder):
    for place in places(folder):
        if os.path.exists(f"{place}/{key}"):
            with open(f"{place}/{key}") as file:
                return file.read(count)
    return "0" * count
