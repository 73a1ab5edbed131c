"""A game at home has the record of the same game on the site."""

import pytest

from tests import factories
from tests.unit.botkit.homes import drapeau, played

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

READY = 'print(json.dumps({"type": "ready"}), flush=True)'
SEEDED = factories.RANDOM_BOT.replace(READY, f'random.seed(message["rng_seed"] + SHIFT); {READY}')


def source(shift):
    """Return a bot that plays the same in the same game."""
    assert SEEDED != factories.RANDOM_BOT
    return SEEDED.replace("SHIFT", str(shift))


def test_game_at_home_equals_site_game_from_secret(client, tmp_path, capfd):
    slug = "general"
    sources = [source(shift) for shift in range(2)]
    versions = [factories.make_ready_with(source=each, variants=[slug]) for each in sources]
    match = factories.make_match(*versions, ladder=factories.get_ladder(slug))
    assert factories.play_match(match_pk=match.pk)
    files = []
    for place, text in enumerate(sources):
        files.append(tmp_path / f"bot{place}.py")
        files[-1].write_text(text)

    for game in match.games.order_by("number"):
        site = tmp_path / f"site-{game.number}.json"
        site.write_bytes(
            client.get(f"/api/v1/games/{match.public_id}/{game.number}/record").content
        )
        bots = [files[game.seats[seat]] for seat in ("red", "blue")]
        records = tmp_path / f"home-{game.number}"
        said = played(capfd, *bots, "--like", site, "--record-dir", records)

        at_home = drapeau(capfd, "replay", "--canonical", said["games"][0]["record"])
        assert at_home == drapeau(capfd, "replay", "--canonical", site)
        assert site.read_text() != (records / "game-0001.json").read_text()
    records = [
        client.get(f"/api/v1/games/{match.public_id}/{number}/record").json() for number in (1, 2)
    ]
    words = ("--variant", slug, "--swap", "--seed", records[0]["chance"]["secret"])
    said = played(capfd, *files, *words, "--record-dir", tmp_path / "home")
    assert [game["rng_seed"] for game in said["games"]] == [each["rng_seed"] for each in records]
