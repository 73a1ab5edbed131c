"""Every row of the list, tried by a bot in a running kernel."""

import platform
import subprocess

import pytest

from sandbox.levels import filter as system_calls
from tests.sandbox.arena_init.first_process import OK

pytestmark = pytest.mark.services

EPERM, ENOSYS = 1, 38
DROPPED_BIT = 1 << 32  # the kernel takes 32 bits of every argument that the list names
NUMBERED = ("x86_64", "aarch64").index(platform.machine())
HERE = [
    (kind, name, rest)
    for kind, name, rest in system_calls.rows()
    if kind != "REFUSE_X86" or NUMBERED == 0
]
SOCKETPAIR, GETPID, MSYNC = ((53, 39, 26), (199, 172, 227))[NUMBERED]
MS_ASYNC, MS_SYNC = 1, 4


@pytest.fixture
def ask(start):
    """Have a bot make calls: all arguments that are not given are -1."""
    init = start()
    init.order("/programs/caller")
    assert init.report() == "start"

    def ask(number, arguments=()):
        values = [-1] * 6
        for argument, value in dict(arguments).items():
            values[argument] = value
        init.stdin.write(" ".join(map(str, (number, *values))) + "\n")
        return int(init.stdout.readline())

    yield ask
    init.stdin.close()
    assert init.report() == "exit 0"
    assert init.hang_up() == OK


def passing(name):
    """Return the arguments that all rows of a call together let pass."""
    rows = [rest for kind, each, rest in HERE if (kind, each) == ("UNLESS_EQUAL", name)]
    return {int(argument): int(value, 0) for _, _, argument, _, value in rows}


def test_calls_of_the_list_are_refused(ask):
    answers = {
        name: ask(int(rest[0 if kind == "REFUSE_X86" else NUMBERED]))
        for kind, name, rest in HERE
        if kind.startswith("REFUSE")
    }
    assert answers == dict.fromkeys(answers, EPERM)
    assert len(answers) > 80


@pytest.mark.parametrize("garbage", [0, DROPPED_BIT])
def test_calls_are_refused_for_what_they_ask(ask, garbage):
    for kind, name, rest in HERE:
        number, argument, value = int(rest[NUMBERED]), rest[2:3], rest[-1]
        if kind in ("IF_EQUAL", "IF_ANY"):
            bits = [1 << bit for bit in range(32) if int(value, 0) >> bit & 1]
            for refused in [int(value, 0)] if kind == "IF_EQUAL" else bits:
                asked = {int(argument[0]): refused | garbage}
                assert (name, refused, ask(number, asked)) == (name, refused, EPERM)


def test_calls_upon_others_refused_upon_oneself_not(ask):
    rows = [(name, rest) for kind, name, rest in HERE if kind == "UNLESS_EQUAL"]
    for name, rest in rows:
        number, argument, value = int(rest[NUMBERED]), int(rest[2]), int(rest[-1], 0)
        assert ask(number, passing(name)) != EPERM, name
        for other in (value ^ 1, value ^ 1 << 31):
            assert (name, other, ask(number, passing(name) | {argument: other})) == (
                *(name, other),
                EPERM,
            )
    assert len(rows) > 4


def test_missing_calls_answered_so_libc_tries_another_call(ask):
    (clone3,) = [int(rest[NUMBERED]) for kind, _, rest in HERE if kind == "NOT_THERE"]
    newest = system_calls.newest_call()
    for number in (clone3, newest + 1, newest + 2, 1000, 0x3FFFFFFF):
        assert ask(number) == ENOSYS


def test_a_pair_of_sockets_can_still_be_had(ask):
    refused, wrong_address = ask(SOCKETPAIR, {0: 16, 1: 3, 2: 0}), 14
    assert (refused, ask(SOCKETPAIR, {0: 1, 1: 1, 2: 0})) == (EPERM, wrong_address)


def test_some_calls_are_pretended_and_not_made(ask):
    """The kernel would complain of a descriptor, or of an address, of -1."""
    told = {name: ask(int(rest[NUMBERED])) for kind, name, rest in HERE if kind == "PRETEND"}
    of_disks = ("fsync", "fdatasync", "sync_file_range", "syncfs")
    assert told == dict.fromkeys((*of_disks, "fadvise64", "readahead"), 0)
    pretended = [rest for kind, _, rest in HERE if kind == "PRETEND_IF_EQUAL"]
    for number, argument, value in ((rest[NUMBERED], rest[2], rest[4]) for rest in pretended):
        assert ask(int(number), {int(argument): int(value)}) == 0
    assert len(pretended) > 5
    wrong_address = 22
    asked = [ask(MSYNC, {2: flags}) for flags in (MS_SYNC, MS_SYNC | DROPPED_BIT, MS_ASYNC)]
    assert asked == [0, 0, wrong_address]


def unfiltered(place, kind):
    """Make the calls of a kind of row with no filter there, and give what the kernel says."""
    numbers = [int(rest[NUMBERED]) for each, _, rest in HERE if each == kind]
    lines = "".join(f"{number} -1 -1 -1 -1 -1 -1\n" for number in numbers)
    done = subprocess.run(
        place.command("caller", ()), input=lines, capture_output=True, text=True, check=True
    )
    answers = [int(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(numbers)
    return answers


def test_the_list_makes_the_difference(place):
    """Without the filter the kernel knows most of these calls, and has other things to say."""
    refused = unfiltered(place, "REFUSE")
    assert refused.count(EPERM) < len(refused) / 2
    assert 0 not in unfiltered(place, "PRETEND")


@pytest.mark.parametrize(
    "line",
    [
        f"{0x40000000 | GETPID} 0 0 0 0 0 0",
        f"{0x7FFFFFFF} 0 0 0 0 0 0",
        *(["ia32 20"] if NUMBERED == 0 else []),
    ],
)
def test_calls_of_another_architecture_end_the_bot(start, line):
    init = start()
    init.order("/programs/caller")
    assert init.report() == "start"
    init.stdin.write(f"{GETPID} 0 0 0 0 0 0\n{line}\n")
    assert init.report() == "signal 31"
    assert init.stdout.read() == "0\n"
    assert init.hang_up() == OK
