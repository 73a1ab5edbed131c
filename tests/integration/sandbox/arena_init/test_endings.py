"""How everything in a container ends, and what a bot cannot do about it."""

import pytest

from tests.sandbox.arena_init.first_process import NO_ORDER, OK, SH, TOO_OLD, VALGRIND

pytestmark = pytest.mark.services


def test_hanging_up_kills_bot_and_its_descendants(run):
    stubborn = (
        "trap '' HUP INT TERM; setsid sh -c 'trap \"\" HUP TERM; (sleep 1000) & sleep 1000' &"
    )
    init = run(f"{stubborn} echo up; sleep 1000")
    assert init.stdout.readline() == "up\n"
    assert init.hang_up() == OK
    assert init.stdout.read() == ""  # nobody is left who could write


def test_what_a_bot_leaves_behind_dies_with_it(run):
    init = run("setsid sh -c 'trap \"\" HUP TERM; sleep 1000' & echo up; exit 5")
    assert init.report() == "exit 5"
    assert init.stdout.read() == "up\n"  # though the other side still listens
    assert init.hang_up() == OK


def test_orphans_are_buried(run):
    orphans = "for n in $(seq 100); do (true &) ; done"
    buried = "while [ $(ls -d /proc/[0-9]* | wc -l) -ge 10 ]; do sleep 0.1; done"
    init = run(f"{orphans}; {buried}; echo buried; read line")
    assert init.stdout.readline() == "buried\n"


def test_lifetime_ends_everything(run):
    init = run("trap '' HUP INT TERM; echo up; sleep 1000", lifetime_s="1")
    assert init.stdout.read() == "up\n"
    assert init.report() == ""
    assert init.status() == TOO_OLD


def test_waiting_for_an_order_has_an_end(start):
    init = start(wait_s="1")
    assert init.report() == ""
    assert init.status() == NO_ORDER


def test_signals_from_the_bot_do_nothing(run):
    send_all = "for s in HUP INT QUIT TERM STOP TSTP CHLD ALRM USR1 PIPE KILL; do kill -$s 1; done"
    init = run(f"{send_all}; kill -TERM -1; echo still here; read line; exit 7")
    assert init.stdout.readline() == "still here\n"
    init.stdin.close()
    assert init.report() == "exit 7"
    assert init.hang_up() == OK


@pytest.mark.parametrize(
    "attempt",
    [
        "head -c 1 /proc/1/mem",
        "ls /proc/1/fd/",
        "cat /proc/1/maps",
        "echo 9 > /proc/1/oom_score_adj",
    ],
)
def test_memory_and_descriptors_are_closed_to_the_bot(run, attempt):
    init = run(f"{{ {attempt}; }} 2>&1; echo $?")
    assert init.stdout.read().split()[-3:-1] == ["Permission", "denied"]


def test_bot_goes_first_when_memory_runs_out(run):
    raised = 'echo 500 > /proc/self/oom_score_adj; exec "$0" "$@"'
    init = run("cat /proc/self/oom_score_adj /proc/1/oom_score_adj", under=(*SH, raised))
    assert init.stdout.read() == "1000\n0\n"


def test_optimised_build_runs_clean_under_valgrind(start):
    init = start(program="arena-init-dynamic", under=VALGRIND)
    init.order(*SH, "read line; exit 4")
    assert init.report() == "start"
    assert 0 in init.waits()
    init.stdin.close()
    assert init.report() == "exit 4"
    assert init.hang_up() == OK
