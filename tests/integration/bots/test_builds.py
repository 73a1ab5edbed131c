"""Languages that are compiled, and those that have no runtime here."""

import hashlib

import pytest

from arena.domain.bots import bots
from arena.domain.matches import leases, lifecycle
from arena.models import Match, VersionBuild, VersionCheck, VersionStatus
from arena.runner import programs
from engine import registry
from engine.protocol import PlatformFault
from engine.rng import Rng
from sandbox import limits
from sandbox.uploads import unpacking
from tests import factories
from tests.sandbox.zips import zipped

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

C_BOT = r"""
#include <stdio.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (strstr(line, "\"type\":\"start\"")) puts("{\"type\":\"ready\"}");
        else if (strstr(line, "\"phase\":\"deploy\"")) puts("{\"action\":\"DEPLOYMENT\"}");
        else if (legal) {
            char *action = legal + strlen("\"legal\":[\"");
            *strchr(action, '"') = 0;
            printf("{\"action\":\"%s\"}\n", action);
        }
    }
}
"""
SLOW_CPP = """#include <regex>
int main(int n, char **s) { return std::regex_match(s[0], std::regex(s[n])); }
"""


def c_bot():
    variant = registry.find("general")
    state = variant.begin(registry.resolve_options(variant, {}), 1)
    return C_BOT.replace("DEPLOYMENT", variant.sample(state, "red", Rng(1, "test"))).encode()


def submit(filename, data, variants=("general",)):
    return bots.submit_version(
        bot=factories.make_bot(), filename=filename, data=data, variants=variants
    )


def validated(filename, data):
    version = submit(filename, data)
    factories.validate(version_pk=version.pk)
    version.refresh_from_db()
    return version


def checklist(version):
    return [(check.step, check.state) for check in version.checks.all()]


@pytest.fixture
def in_containers(short_games_in_processes, settings):
    settings.ISOLATION = "docker"
    settings.TRUST_BOTS = False
    factories.look_at_the_machine_anew()
    yield
    factories.look_at_the_machine_anew()


@pytest.mark.parametrize(("filename", "title"), [("bot.c", "C"), ("bot.js", "Node.js")])
def test_scan_rejects_language_without_runtime_here(filename, title):
    version = validated(filename, b"whatever")

    said = f"This site has no runtime for {title}. It plays bots in Python."
    assert (version.status, version.reason) == (VersionStatus.REJECTED, said)
    assert version.checks.get(step="scanned").state == "failed"
    assert version.not_before is None
    assert not VersionBuild.objects.exists()


@pytest.mark.docker
@pytest.mark.usefixtures("in_containers")
def test_sources_compiled_once_and_artefact_plays_rated_match():
    source = c_bot()
    version = validated("bot.c", source)

    assert (version.reason, version.status) == ("", VersionStatus.READY)
    assert checklist(version) == [
        (step, "passed") for step in ("received", "scanned", "built", "protocol", "smoke", "ready")
    ]
    assert (version.isolation, version.is_unsafe) == (programs.level().name, False)
    sources = unpacking.unpack(source, "bot.c")
    assert version.digest == sources.digest
    artefact = bytes(version.build.artefact)
    assert version.build.digest == hashlib.sha256(artefact).hexdigest()
    assert artefact.startswith(b"\x7fELF")
    assert version.build.image.startswith("sha256:")
    assert programs.load(version=version).artefact == artefact

    other = factories.make_ready_with(variants=["general"])
    match = lifecycle.create_match(
        ladder=factories.get_ladder("general"), versions=[version, other]
    )
    assert factories.play_match(match_pk=match.pk) is True
    games = Match.objects.get(pk=match.pk).games.all()
    assert [(game.fault, game.isolation) for game in games] == [("", programs.level().name)] * 2


@pytest.mark.docker
@pytest.mark.usefixtures("in_containers")
def test_zip_of_known_language_gets_build_line():
    manifest = '[bot]\nname = "c"\nlanguage = "c"\nentry = "main.c"\n'
    version = submit(
        "bot.zip", zipped([("drapeau.toml", manifest), ("main.c", "int main(void) {}")])
    )
    before = [step for step, _ in checklist(version)]

    factories.validate(version_pk=version.pk)

    version.refresh_from_db()
    assert before == ["received", "scanned", "protocol", "smoke", "ready"]
    assert checklist(version) == [
        ("received", "passed"),
        ("scanned", "passed"),
        ("built", "passed"),
        ("protocol", "failed"),
        ("smoke", "waiting"),
        ("ready", "waiting"),
    ]
    assert version.language == "c"
    assert " crashed: " in version.reason


@pytest.mark.docker
@pytest.mark.usefixtures("in_containers")
def test_compiler_refusal_is_rejected_with_its_log():
    version = validated("bot.c", b"int main(void) { return nonsense; }")

    assert version.status == VersionStatus.REJECTED
    check = version.checks.get(step="built")
    assert (check.state, check.message) == ("failed", version.reason)
    assert "nonsense" in check.log
    assert "nonsense" not in version.reason
    assert not VersionBuild.objects.exists()


@pytest.mark.docker
@pytest.mark.usefixtures("in_containers")
def test_the_version_is_held_while_the_compiler_works(monkeypatch):
    held = []
    renew = leases.renew

    def noted(*, lease, **changes):
        running_steps = VersionCheck.objects.filter(state="running").values_list("step", flat=True)
        held.append((*running_steps, *changes))
        renew(lease=lease, **changes)

    monkeypatch.setattr(leases, "renew", noted)
    monkeypatch.setattr(limits, "WAIT_STEP_S", 0.05)  # no compiler is done with it so soon

    version = validated("bot.cpp", SLOW_CPP.encode())

    assert version.checks.get(step="built").state == "passed"
    # Beside those of the waiting: one where the artefact is kept, one where the step has passed.
    assert held.count(("built",)) - 2 >= 3


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ({}, "has not been built"),
        ({"digest": "0" * 64}, "not what was built"),
        ({"digest": hashlib.sha256(b"artefact").hexdigest()}, ""),
    ],
)
def test_game_played_by_exactly_what_was_built(kept, said):
    source = b"int main(void) {}"
    version = submit("bot.c", source)
    version.digest = unpacking.unpack(source, "bot.c").digest
    if kept:
        VersionBuild.objects.create(version=version, artefact=b"artefact", image="x", **kept)

    if said:
        with pytest.raises(PlatformFault, match=said):
            programs.load(version=version)
    else:
        assert programs.load(version=version).artefact == b"artefact"
