"""One match in each isolation level, from the uploads to the ratings."""

import pytest

from arena.models import Entrant, MatchStatus, VersionStatus
from arena.runner import programs
from tests import factories

pytestmark = [pytest.mark.smoke, pytest.mark.django_db(transaction=True)]

SHORT = 80  # plies


@pytest.fixture
def level(request, settings, monkeypatch):
    """Have the runner use a level and a runtime of containers, and forget it afterwards."""
    kind, runtime = request.param
    programs.close()  # a launcher keeps its runtime
    settings.ISOLATION, settings.TRUST_BOTS = kind, kind != "docker"
    monkeypatch.setenv("DRAPEAU_DOCKER_RUNTIME", runtime)
    factories.look_at_the_machine_anew()
    yield f"{kind} ({runtime})" if runtime else kind
    programs.close()
    factories.look_at_the_machine_anew()


@pytest.mark.parametrize(
    "level",
    [("docker", "runc"), ("docker", "runsc"), ("bubblewrap", ""), ("process", "")],
    indirect=True,
    ids=["containers", "gVisor", "bubblewrap", "processes"],
)
def test_two_uploads_are_checked_and_play_rated_match(level):
    factories.shorten_games(SHORT)
    versions = [factories.admit(variants=["general"]) for _ in range(2)]
    assert [version.status for version in versions] == [VersionStatus.READY] * 2
    match = factories.make_match(*versions, ladder=factories.get_ladder("general"))

    assert factories.play_match(match_pk=match.pk)

    match.refresh_from_db()
    assert match.status == MatchStatus.FINISHED
    assert [(game.isolation, game.fault) for game in match.games.all()] == [(level, "")] * 2
    assert [entrant.games for entrant in Entrant.objects.filter(ladder=match.ladder)] == [2, 2]
