"""Each check of the doctor has been seen to fail: a guarantee is broken for real, and named."""

import os
import threading
import time
from dataclasses import replace

import pytest

from botkit.languages import LANGUAGES
from sandbox import limits
from sandbox.doctor import examination, onlooker, owner
from sandbox.doctor.guarantees import CHECKS
from sandbox.doctor.languages import played
from sandbox.host.kit import copy_kit
from sandbox.host.seating import BotPlace
from sandbox.launcher import docker_engine, embedded, host_counters
from tests.sandbox import doctored
from tests.sandbox.breaks import BREAKS, HARM, NO_COUNTERS, SLOW_BREAKS
from tests.sandbox.doctored import body, both, host, init, mount

pytestmark = pytest.mark.docker

ALONE = [each.name for each in CHECKS if each.sight == "bot"]
SLOW = ("tasks", "cores", "memory", "swap", "all_memory", "setuid_files")
QUICK = [each for each in ALONE if each not in SLOW]
LIBRARY = "/opt/drapeau/botkit"
TWO_CORES_WAIT_S = 120
BROKEN_HERE = {name for _, names in (BREAKS | SLOW_BREAKS).values() for name in names}


def breaks(*names):
    """Return which guarantees a test breaks: it is given them as `expected`."""
    BROKEN_HERE.update(names)
    return pytest.mark.parametrize("expected", [set(names)], ids=["-".join(names)])


@pytest.fixture
def alter(monkeypatch):
    return doctored.altering(monkeypatch)


def broken(seen):
    return {name for name, (held, _) in seen if held is False}


def broken_alone(docker, run_dir, names):
    with onlooker.sitting(docker, run_dir, ("one",)) as seated:
        return broken(onlooker.alone(seated, "one", names))


@pytest.mark.parametrize("name", BREAKS)
def test_broken_guarantee_is_seen_by_a_bot(name, docker, tmp_path, alter):
    change, expected = BREAKS[name]
    alter(change)
    assert broken_alone(docker, tmp_path, QUICK) == expected


@pytest.mark.parametrize("edit", HARM)
def test_harm_to_the_first_process_is_seen(edit, docker, tmp_path, alter):
    alter(init(edit))
    with onlooker.sitting(docker, tmp_path, ("one",)) as seated:
        held, seen = seated.see({"one": "init_out_of_reach"})["init_out_of_reach"]
    assert not held
    assert HARM[edit] in seen


@breaks("priority", "capabilities")
def test_priority_that_can_be_raised_is_seen(expected, docker, tmp_path, alter):
    alter(both(init(("limits_of_others",)), body(User="0:0"), host(CapAdd=["SYS_NICE"])))
    # Only root keeps a capability here. Root without the filter can do more than that.
    assert expected < broken_alone(docker, tmp_path, QUICK)


@pytest.mark.parametrize("name", SLOW_BREAKS)
def test_broken_cap_is_seen_by_a_bot(name, docker, tmp_path, alter):
    change, expected = SLOW_BREAKS[name]
    alter(change)
    assert broken_alone(docker, tmp_path, [*SLOW, "network", "seccomp"]) == expected


@breaks("cores")
def test_processor_share_without_cap_is_seen(expected, docker, tmp_path, alter):
    # Beside busy processes a bot gets two cores only if its group weighs more than all of theirs.
    with docker_engine.connected() as engine:
        top = "/" if engine.info()["CgroupDriver"] == "cgroupfs" else "-.slice"
    alter(host(NanoCpus=0, CpuShares=100_000, CgroupParent=top))
    until_s = time.monotonic() + TWO_CORES_WAIT_S
    with onlooker.sitting(docker, tmp_path, ("one",)) as seated:
        while broken(onlooker.alone(seated, "one", ["cores"])) != expected:
            assert time.monotonic() < until_s


def beside_each_other(docker, run_dir):
    with onlooker.sitting(docker, run_dir, ("one", "two")) as seated:
        users = ("own_user", onlooker.users(seated))
        return broken([users, *onlooker.side_by_side(seated), *onlooker.ended(seated)])


@breaks("own_user", "own_counters")
def test_shared_user_is_seen(expected, docker, tmp_path, alter):
    alter(body(User="20900:20900"))
    assert beside_each_other(docker, tmp_path) == expected


@breaks("own_image_files")
def test_shared_files_of_an_image_are_seen(expected, docker, tmp_path, alter):
    copy_kit(tmp_path / "shared")  # what the probes look for among the files of their image
    alter(mount(tmp_path / "shared/botkit", LIBRARY))
    with onlooker.sitting(docker, tmp_path / "run", ("one", "two")) as seated:
        seen = dict(onlooker.image_files(seated))
    assert broken(seen.items()) == expected
    assert seen["own_image_files"][1].startswith("woken through a file; ")
    claimed = replace(docker, own_image_files=True)
    checks = [each for each in CHECKS if each.by_engine]
    for isolation, words in ((docker, "\nNot given here: "), (claimed, "\nBROKEN: 1\n")):
        guaranteed = [each.name for each in checks if examination.is_guaranteed(isolation, each)]
        findings = examination.judged(checks, guaranteed, seen)
        assert words in examination.as_table(isolation, findings)


@breaks("cpu_clock", "own_clock", "out_of_memory")
def test_missing_counters_are_seen(expected, docker, tmp_path, alter, monkeypatch):
    alter(NO_COUNTERS)
    monkeypatch.setattr(host_counters, "find", lambda *_: ())
    assert beside_each_other(docker, tmp_path) == expected


def flooded(docker, run_dir, *, reader=None):
    with onlooker.sitting(docker, run_dir, ("three",)) as seated:
        if reader:
            reader(os.dup(seated.programs["three"].stdout))
        return broken(onlooker.flooded(seated))


@breaks("flood")
def test_flood_that_somebody_drinks_is_seen(expected, docker, tmp_path, monkeypatch):
    monkeypatch.setattr(onlooker, "SETTLE_WAIT_S", 2)

    def drink(pipe):
        os.set_blocking(pipe, True)
        while os.read(pipe, 1 << 20):
            pass
        os.close(pipe)

    def reader(pipe):
        threads.append(threading.Thread(target=drink, args=[pipe]))
        threads[0].start()

    threads: list[threading.Thread] = []
    assert flooded(docker, tmp_path, reader=reader) == expected
    threads[0].join()


@breaks("life_line")
def test_bots_that_outlive_their_life_line_are_seen(expected, docker, tmp_path, alter, monkeypatch):
    monkeypatch.setattr(limits, "REMOVE_WAIT_S", 1)
    monkeypatch.setattr(onlooker, "DEATH_WAIT_S", 1)
    alter(init("hears no hang-up"))
    assert flooded(docker, tmp_path) == expected


def test_runtime_that_does_not_run_is_seen(docker, tmp_path, monkeypatch):
    find = embedded.find_images

    def mistaken(engine):
        found = find(engine)
        return found | {"node": found["python"]}

    monkeypatch.setattr(embedded, "find_images", mistaken)
    assert broken(played(LANGUAGES, docker, tmp_path, "token", lambda: None)) == {"plays_node"}


@breaks(*(f"plays_{each.name}" for each in LANGUAGES))
def test_programs_that_do_not_start_are_seen(expected, docker, tmp_path, alter):
    alter(init("starts nothing"))
    assert broken(played(LANGUAGES, docker, tmp_path, "token", lambda: None)) == expected


@breaks("images")
def test_container_of_another_image_is_seen(expected, docker, tmp_path, alter):
    other = doctored.image("LABEL doctored=yes")
    pinned: dict[str, str] = {}

    def replaced(given):
        pinned.setdefault("python", given["Image"])
        if given["Image"] == pinned["python"]:
            given["Image"] = other

    alter(replaced)
    findings = examination.examine(docker, tmp_path)
    assert {each.check.name for each in examination.unproven(findings)} == expected
    assert other in next(each.seen for each in findings if each.broken)


def left(docker, run_dir):
    before = owner.strays(docker, run_dir)
    with onlooker.sitting(docker, run_dir, ("one",)):
        pass
    held, seen = owner.left(docker, run_dir, before, set())
    return broken([("nothing_left", (held, seen))]), seen


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(owner, "CLEARING_WAIT_S", 0.2)


@breaks("nothing_left")
def test_folder_that_is_left_is_seen(expected, docker, tmp_path, monkeypatch, impatient):
    monkeypatch.setattr(BotPlace, "clear", BotPlace.abandon)
    names, seen = left(docker, tmp_path)
    assert names == expected
    assert str(tmp_path / "bot-") in seen


def test_process_that_is_left_is_seen(docker, tmp_path, impatient):
    with onlooker.sitting(docker, tmp_path, ("one",), "marked"):
        alive = owner.processes(tmp_path, b"marked")
        assert len(alive) == 2  # arena-init and the probe
        assert owner.left(docker, tmp_path, set(), alive)[0] is False
    assert owner.left(docker, tmp_path, set(), alive) == (True, "nothing")


def test_every_container_guarantee_has_been_broken_here():
    assert {each.name for each in CHECKS if "docker" in each.guaranteed_by} == BROKEN_HERE
