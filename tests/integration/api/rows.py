"""Users with tokens, and matches whose games have one record; the first bot is red first."""

from itertools import count

from arena.domain.accounts import accounts
from arena.domain.matches import lifecycle
from arena.models import Match
from tests import factories
from tests.integration.web import played

PASSWORD = "a long enough password"
SOURCE = b"print('a bot')\n"
numbers = count(1)


def user(name=None):
    return accounts.create_user(username=name or f"dev{next(numbers)}", password=PASSWORD)


def token(owner, *scopes):
    """Return the text of a new token; without scopes it may do everything."""
    return accounts.issue_token(user=owner, name="test", scopes=scopes or None)[1]


def match(red=None, blue=None):
    """Make a match in which `red` is red first, whatever the lot says."""
    made = played.waiting_match(
        *(each or factories.make_ready(variants=["general"]) for each in (red, blue))
    )
    for game in made.games.all():
        position = game.number - 1
        game.seats = {"red": position, "blue": 1 - position}
        game.save(update_fields=["seats"])
    return made


def half_played_match():
    """Return a match whose first game is finished and whose second one runs."""
    row = match()
    lease = factories.claim(row)
    first, second = row.games.order_by("number")
    played.play_game(lease, first, played_record())
    lifecycle.begin_game(lease=lease, game=second)
    return row


def finished_match(red=None, blue=None):
    row = match(red, blue)
    played.play_random_games(row, record_of=lambda *_: played_record())
    return Match.objects.get(pk=row.pk)


def played_record():
    """Return the record of every game here."""
    return played.random_record("general", 7)
