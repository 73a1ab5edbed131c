"""Contention: while one bot works, the other gets less done. No storage, and no cure but distance.

Both ends cut time into slots. In a slot of a one the sender works in its first half, in that of a
zero in its second half; the receiver compares what it got done in the halves.
"""

import multiprocessing
import os
import time

import ends

WORKERS = 2
BIG = 16 << 20


def send(bits, at, slot_s, what):
    """Work in one half of each slot, in several processes, so that no core is left out."""
    workers = [
        multiprocessing.Process(target=work_along, args=(bits, at, slot_s, what), daemon=True)
        for _ in range(WORKERS if what == "cpu" else 1)
    ]
    for each in workers:
        each.start()
    for each in workers:
        each.join()


def work_along(bits, at, slot_s, what):
    step = STEPS[what]()
    for place, bit in enumerate(bits):
        begin_s = at + slot_s * (place + (0 if bit == "1" else 0.5))
        sleep_until(begin_s)
        while time.time() < begin_s + slot_s / 2:
            step()


def read(count, at, slot_s, what):
    step = STEPS[what]()
    done = [0] * (2 * count)
    sleep_until(at)
    while (half := int((time.time() - at) / slot_s * 2)) < 2 * count:
        step()
        done[half] += 1
    return "".join("1" if done[2 * each] < done[2 * each + 1] else "0" for each in range(count))


def sleep_until(moment_s):
    time.sleep(max(0.0, moment_s - time.time()))


def cpu():
    def step():
        for _ in range(200):
            pass

    return step


def memory():
    one, other = bytearray(BIG), bytearray(BIG)

    def step():
        other[:] = one

    return step


def disk():
    paths = [os.open(path, os.O_RDONLY) for path in ends.files(8, os.urandom(8))]

    def step():
        for each in paths:
            os.posix_fadvise(each, 0, 0, os.POSIX_FADV_DONTNEED)
            os.pread(each, 4096, 0)

    return step


STEPS = {"cpu": cpu, "memory": memory, "disk": disk}
