"""The doctor's guarantees hold here, and whatever is no clear answer counts as broken."""

import json
import re
from dataclasses import replace

import pytest

from engine.protocol import Answer, Failure, Fault, PlatformFault
from sandbox.__main__ import main
from sandbox.doctor import examination, onlooker
from sandbox.doctor.guarantees import CHECKS
from sandbox.doctor.probes.calls import CLASSES, class_of
from sandbox.launcher import docker_engine
from sandbox.levels import filter as refused
from sandbox.levels.isolation import Isolation, choose
from sandbox.refusal import IsolationUnavailable
from tests.sandbox import doctored

HARMLESS = ("processes_seen", "read_only", "engine_log")  # tried as a plain process on this machine


@pytest.fixture
def boastful(monkeypatch, tmp_path):
    """Create checks by which plain processes guarantee what they do not hold."""
    claims = [
        replace(each, guaranteed_by=("process",)) if each.name in HARMLESS else each
        for each in CHECKS
    ]
    monkeypatch.setattr(examination, "CHECKS", claims)
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))


@pytest.mark.parametrize(
    "level", ["process", pytest.param("bubblewrap", marks=pytest.mark.services)]
)
def test_every_guarantee_of_a_level_without_engine_holds(level, capsys):
    assert main(["doctor", "--level", level]) == 0
    printed = capsys.readouterr().out
    assert "Every guarantee of this level holds." in printed
    assert "not for strangers' bots" in printed
    assert all(check.text in printed for check in CHECKS)


@pytest.mark.docker
def test_every_guarantee_of_a_container_holds(tmp_path):
    isolation = choose("docker")
    unclaimed = {f"plays_{name}" for name in ("node", "c", "cpp", "java")} - {
        f"plays_{name}" for name in isolation.languages
    }
    findings = examination.examine(isolation, tmp_path)
    promised = {
        each.name
        for each in CHECKS
        if "docker" in each.guaranteed_by and (not each.by_engine or isolation.own_image_files)
    }
    held = {each.check.name for each in findings if each.guaranteed and each.held}
    assert held == promised - unclaimed
    assert [each.name for each in tmp_path.iterdir()] == ["slots"]


def test_broken_guarantees_end_with_table_of_remedies(boastful, capsys):
    assert main(["doctor", "--level", "process"]) == 1
    table, _, bad = capsys.readouterr().out.partition("\nBROKEN: 3\n")
    assert "system read-only                    yes         no         could write to /" in table
    assert "  system read-only: could write to /" in bad
    assert "compare with sandbox/launcher/container_options.py" in bad


def test_programs_are_told_the_same(boastful, capsys):
    assert main(["doctor", "--level", "process", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["level"], told["safe"], told["holds"]) == ("process", False, False)
    broken = [each["check"]["name"] for each in told["guarantees"] if each["broken"]]
    assert sorted(broken) == sorted(HARMLESS)
    assert all(each["seen"] for each in told["guarantees"])


@pytest.mark.docker
def test_launcher_does_not_listen_where_guarantee_is_broken(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DRAPEAU_RUN_DIR", str(tmp_path))
    monkeypatch.setenv("DRAPEAU_DOCKER_RUNTIME", "runc")
    doctored.altering(monkeypatch)(doctored.host(PidsLimit=-1))
    assert main(["launcher", "--socket", str(tmp_path / "socket")]) == 1
    assert re.search(r"number of processes capped +yes +no", capsys.readouterr().out)
    assert not (tmp_path / "socket").exists()


@pytest.mark.parametrize(
    "odd",
    [b"", b"yes", b"[]", b"[true]", b'[1, "seen"]', b"[true, 1]", b'{"a": 1, "b": 2}', b"null"],
)
def test_odd_answer_counts_as_broken(odd):
    assert onlooker.judged("one", Answer(odd, 1.0))[0] is False


def test_probe_without_answer_is_named_proves_nothing():
    failure = Failure(Fault.CRASH, "ended by signal 9", 1.0)
    assert onlooker.judged("one", failure) == (
        None,
        "probe one gave no answer: ended by signal 9",
    )


def test_guarantee_nobody_saw_hold_lets_no_bot_run():
    findings = examination.judged(CHECKS[:1], [CHECKS[0].name], {})
    assert examination.unproven(findings) == findings
    assert [each.broken for each in findings] == [False]


def dying(monkeypatch, times):
    """Make the probe die when it is asked for one experiment, for so many times."""
    asked, left = onlooker.Sitting.outcomes, [times]

    def outcomes(seated, names):
        if "descriptors" in names.values() and left[0]:
            left[0] -= 1
            names = dict.fromkeys(names, "crash")
        return asked(seated, names)

    monkeypatch.setattr(onlooker.Sitting, "outcomes", outcomes)


def test_one_dead_probe_leaves_every_guarantee_tried(monkeypatch, capsys):
    dying(monkeypatch, 1)
    assert main(["doctor", "--level", "process"]) == 0
    assert "Every guarantee of this level holds." in capsys.readouterr().out


def test_only_probe_killing_experiment_is_not_tried(monkeypatch, capsys):
    dying(monkeypatch, -1)
    assert main(["doctor", "--level", "process"]) == 1
    table, _, rest = capsys.readouterr().out.partition("\nNOT TRIED: 1\n")
    assert "BROKEN" not in table
    assert rest.startswith("  no descriptors but three pipes: probe one gave no answer")
    assert "ended 3 times without an answer" in rest


def test_experiment_that_fails_counts_as_broken(tmp_path, monkeypatch):
    without_list = [each.replace("*.h", "filter.h") for each in onlooker.SHIPPED]
    monkeypatch.setattr(onlooker, "SHIPPED", without_list)
    with onlooker.sitting(choose("process"), tmp_path, ("one",)) as seated:
        for name in ("namespaces", "no_such_experiment"):
            held, seen = seated.see({"one": name})[name]
            assert (held, "the experiment failed" in seen) == (False, True)
        sane = seated.see({"one": "environment"})
    assert sane == {"environment": (True, "only its own variables")}


@pytest.mark.docker
def test_engine_going_away_says_nothing_about_guarantees(tmp_path, monkeypatch):
    nowhere = "unix:///nowhere/docker.sock"
    flooded = onlooker.flooded

    def then_gone(seated, act):
        yield from flooded(seated, act)
        monkeypatch.setattr(docker_engine, "USUAL_ENGINE", nowhere)
        monkeypatch.setenv("DOCKER_HOST", nowhere)

    monkeypatch.setattr(onlooker, "flooded", then_gone)
    with pytest.raises((IsolationUnavailable, PlatformFault), match="no engine answers"):
        examination.examine(choose("docker"), tmp_path)


def test_other_kernels_are_promised_less_of():
    isolation = Isolation("docker", safe=True, reason="docker: under runsc", oci_runtime="runsc")
    guaranteed = {each.name for each in CHECKS if examination.is_guaranteed(isolation, each)}
    assert not {"first_to_go", "init_hidden"} & guaranteed
    assert examination.as_table(isolation, examination.judged(CHECKS, [], {})).startswith(
        "docker: under runsc\n"
    )
    assert {"network", "out_of_memory", "life_line", "init_out_of_reach"} < guaranteed


def test_every_refused_call_is_tried_by_some_experiment():
    rows = {call if len(rest) < 4 else f"{call} {rest[3]}" for _, call, rest in refused.rows()}
    assert {class_of(call, rest) for _, call, rest in refused.rows()} == set(CLASSES)
    tried = [name for names in CLASSES.values() for name in names]
    assert len(tried) == len(set(tried))
    assert {name for name in tried if name not in rows} <= {row.partition(" ")[0] for row in rows}
