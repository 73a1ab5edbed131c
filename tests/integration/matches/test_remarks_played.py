"""A real bot speaks, a runner plays it with the rights of its role, and what it said is there."""

import pytest

from arena.domain.matches import remarks, replays
from arena.models import GameLog
from tests import factories

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("short_games_in_processes"),
]

CHOICE = '"action": random.choice(message["legal"])'
SAID = f"""
        view = message["view"]
        unknown = [piece["id"] for piece in view["pieces"] if piece["rank"] is None]
        belief = {{piece: {{"F": 0.5, "B": 0.25}} for piece in unknown}}
        more = {{"note": f"ply {{view['ply'] + 1}}", "belief": belief}}
        print(json.dumps({{{CHOICE}, **more}}), flush=True)
"""
SPEAKER = factories.RANDOM_BOT.replace(
    f"        print(json.dumps({{{CHOICE}}}), flush=True)\n", SAID.lstrip("\n")
)


def test_bot_remarks_are_kept_per_ply_and_scored():
    speaker = factories.make_ready_with(source=SPEAKER, variants=["general"])
    silent = factories.make_ready_with(variants=["general"])
    ladder = factories.get_ladder("general")
    match = factories.make_match(speaker, silent, ladder=ladder)

    assert factories.play_match(match_pk=match.pk) is True
    match.refresh_from_db()

    for game in match.games.all():
        seat = next(seat for seat, position in game.seats.items() if position == 0)
        log = GameLog.objects.get(game=game, seat=seat)
        (document,) = remarks.documents(logs=game.logs.all())
        steps = replays.replay(game=game, view="full")["steps"]
        plies = [step["ply"] for step in steps if step["seat"] == seat]
        assert document["seat"] == seat
        assert [(said["ply"], said["note"]) for said in document["remarks"]] == [
            (ply, f"ply {ply}") for ply in plies
        ]
        assert log.belief_pieces == sum(len(said["belief"]) for said in document["remarks"]) > 0
        assert log.belief_bits > log.belief_prior_bits > 0  # it believes in flags everywhere
    assert remarks.scores(version=silent, viewer=silent.bot.owner) == []
    (told,) = remarks.scores(version=speaker, viewer=speaker.bot.owner)
    assert told.ladder == ladder
