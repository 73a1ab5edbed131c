"""The hostile bots under gVisor: some of every class in each run, all of them in the soak."""

import pytest

from sandbox.levels.isolation import choose
from tests.sandbox.attack import cases, match, verdict

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("under_gvisor", "nothing_stays")]

ALWAYS = {
    *("ask_the_host", "become_another", "cpu_spin", "daemon_grandchild", "dev_shm", "devices"),
    *("find_sockets", "fork_bomb", "fsize_fill_sigxfsz", "ia32_calls", "json_nest"),
    *("kernel_doors", "kill_init_term", "mem_by_children", "mounts", "network"),
    *("pending_signals", "read_opponent", "sigstop_self", "steal_piece"),
    *("stdout_flood", "work_of_others", "write_proc1mem"),
    *("crlf", "note_and_belief", "pipe_tricks", "segv", "write_settings"),
}


def parameters():
    for case in cases.cases("docker"):
        marks = [] if case.name in ALWAYS else [pytest.mark.soak]
        yield pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", list(parameters()))
def test_bot_under_gvisor_meets_its_verdict(case, tmp_path):
    isolation = choose("docker")
    fought = match.fight(case, isolation, tmp_path)

    assert verdict.complaints(case, fought) == []
    assert fought.record.isolation == isolation.name == "docker (runsc)"
    assert fought.record.clock["basis"] == "cpu"
