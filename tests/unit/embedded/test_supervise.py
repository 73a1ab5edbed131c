"""Starting, restarting and ending children, with real processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.embedded.interrupts import ENDING
from arena.embedded.supervise import GaveUp, ServiceProgram, Supervisor, end_leftovers

MARK = f"tests {os.getpid()}"


@pytest.fixture
def supervisor():
    with Supervisor(MARK, backoff_s=0.01) as children:
        yield children


def shell(tmp_path, script, **options):
    return ServiceProgram(
        "child", ("sh", "-c", script), tmp_path / "child.log", os.environ, **options
    )


def wait_for(condition, within_s=100.0):
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def is_alive(pid):
    """A zombie is dead."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def check_for(supervisor, condition):
    def met():
        supervisor.check()
        return condition()

    wait_for(met)


def test_a_child_that_dies_is_started_again(supervisor, tmp_path):
    log = tmp_path / "child.log"
    program = shell(tmp_path, f"echo started; [ $(wc -l <{log}) -gt 1 ] && sleep 60")

    supervisor.start(program)

    check_for(supervisor, lambda: program.tail() == "started\nstarted")


def test_child_that_dies_thrice_given_up_with_log(supervisor, tmp_path):
    program = shell(tmp_path, "echo no luck; exit 7")
    supervisor.start(program)

    with pytest.raises(GaveUp) as given_up:
        check_for(supervisor, lambda: False)

    assert str(given_up.value) == (
        f"child died 3 times, last with status 7; its log is {program.log}"
    )
    assert given_up.value.program.tail() == "no luck\nno luck\nno luck"


def test_child_never_ready_is_given_up(supervisor, tmp_path):
    program = shell(tmp_path, "sleep 60")
    supervisor.start(program)

    with pytest.raises(GaveUp, match="child was not ready within 0 s"):
        supervisor.wait_until(program, lambda: False, within_s=0.2)


def test_stop_ends_child_ignoring_sigterm_and_its_children(supervisor, tmp_path):
    program = shell(tmp_path, "trap '' TERM; sleep 60 & echo $!; wait; sleep 60", stop_s=0.2)
    supervisor.start(program)
    wait_for(lambda: program.tail() != "")
    grandchild, child = int(program.tail()), supervisor.pids()["child"]

    supervisor.stop()

    wait_for(lambda: not is_alive(grandchild))
    assert not is_alive(child)
    assert supervisor.pids() == {}


OWNER = """
import os, pathlib, sys, time
from arena.embedded.supervise import ServiceProgram, Supervisor
supervisor = Supervisor(sys.argv[2])
log = pathlib.Path(sys.argv[1])
supervisor.start(ServiceProgram("child", ("sh", "-c", sys.argv[3]), log, os.environ))
print(supervisor.pids()["child"], flush=True)
time.sleep(60)
"""


def start_owner_and_kill_it(tmp_path, mark, script):
    """Return the pid of the child of a supervisor that was killed once the child had run a bit."""
    log = tmp_path / "orphan.log"
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(log), mark, script], stdout=subprocess.PIPE, text=True
    )
    with owner:
        assert owner.stdout is not None
        child = int(owner.stdout.readline())
        wait_for(lambda: log.exists() and log.read_text() != "")
        owner.send_signal(signal.SIGKILL)
    return child


def test_children_of_a_killed_owner_end(tmp_path):
    child = start_owner_and_kill_it(tmp_path, MARK, "echo up; exec sleep 60")

    wait_for(lambda: not is_alive(child))


def test_leftovers_of_killed_owner_are_found_and_ended(tmp_path):
    mark = f"{MARK} left behind"
    child = start_owner_and_kill_it(
        tmp_path, mark, "trap '' TERM; echo up; while :; do sleep 0.1; done"
    )
    assert is_alive(child)

    ended = end_leftovers(mark)

    assert ended >= 1
    assert not is_alive(child)


def test_leftovers_of_others_are_left_alone(supervisor, tmp_path):
    supervisor.start(shell(tmp_path, "sleep 60"))

    assert end_leftovers(f"{MARK} and more") == 0
    assert is_alive(supervisor.pids()["child"])


@pytest.mark.parametrize(("size_bytes", "is_kept_apart"), [(100, False), (101, True)])
def test_long_log_is_kept_apart_at_next_start(
    supervisor, tmp_path, monkeypatch, size_bytes, is_kept_apart
):
    monkeypatch.setattr("arena.embedded.supervise.LOG_MAX_BYTES", 100)
    program = shell(tmp_path, "exec sleep 60")
    program.log.write_bytes(b"x" * size_bytes)

    supervisor.start(program)

    assert Path(f"{program.log}.1").exists() == is_kept_apart
    assert program.log.exists()


INTERRUPTED = """
import os, pathlib, signal, sys
from arena.embedded.interrupts import end_as_ctrl_c_does
from arena.embedded.supervise import ServiceProgram, Supervisor
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
end_as_ctrl_c_does()
try:
    print("up", flush=True)
    with Supervisor("") as supervisor:
        log = pathlib.Path(sys.argv[1])
        supervisor.run(ServiceProgram("child", ("sleep", "60"), log, os.environ, stop_s=0.1))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.stdin.read()
    print("ended")
"""


def test_only_first_signal_ends_with_what_ran(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, tmp_path / "log"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGHUP)
        assert process.stdout.readline() == "interrupted\n"
        for each in ENDING:
            process.send_signal(each)
        process.stdin.close()
        assert process.stdout.read() == "ended\n"
    assert process.returncode == 0
