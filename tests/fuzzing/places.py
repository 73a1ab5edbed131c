"""Real ids for generated requests: places of addresses, and words of bodies."""

import re
from collections import defaultdict

from django.urls import resolve

from arena.models import ApiToken, Match, Pairing, Tournament, VersionTrial
from tests.world import addresses

API = "/api/v1/"
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


class Places:
    """What stands in the places of each address, and what bodies may name."""

    def __init__(self):
        self.of_path: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
        for address in [*addresses.api(), *_of_the_owner()]:
            found = resolve(address.partition("?")[0])
            places = {name: str(value) for name, value in found.kwargs.items()}
            if places not in self.of_path[described(found.route)]:
                self.of_path[described(found.route)].append(places)
        self.words = _words()


def described(route):
    """Return a route as the schema writes it: `/api/v1/bots/{owner}/{slug}`."""
    return "/" + PLACE.sub(r"{\1}", route)


def _of_the_owner():
    """Return addresses of rows that only one user may change."""
    tokens = ApiToken.objects.values_list("public_id", flat=True)
    yield from (f"{API}tokens/{each}" for each in tokens)
    for trial in VersionTrial.objects.values_list("public_id", flat=True):
        yield f"{API}trials/{trial}/cancel"
    for slug in Tournament.objects.values_list("slug", flat=True):
        yield from (f"{API}tournaments/{slug}/{stage}" for stage in addresses.STAGES)
        yield from (f"{API}tournaments/{slug}/{step}" for step in ("take-top", "take-list", "acts"))
        yield f"{API}tournaments/{slug}/organizers"
        yield f"{API}tournaments/{slug}/entrants/owner/alpha"


def _words():
    """Return what the fields of bodies name, by the name of the field."""
    bots = ["owner/alpha", "owner/siege-owner", "other/beta", "other/delta", "owner/paused"]
    matches = Match.objects.order_by("pk").values_list("public_id", flat=True)
    pairings = Pairing.objects.order_by("pk").values_list("public_id", flat=True)
    return {
        "bot": bots,
        "entrant": [*bots, None],
        "opponents": [["other/beta"], ["other/delta"], ["other/siege-other"]],
        "ladder": ["classic", "general", "siege", "siege-3"],
        "match": [*matches[:5], *matches.reverse()[:5]],
        "pairing": [*pairings[:5], *pairings.reverse()[:5]],
        "username": ["owner", "organizer", "other", "nobody"],
        "version": [1, 3, 4, None],
        "against": [1, 3, 4],
        "text": ["bot\nother/delta\n", "bot,version,seed\nother/delta,1,1\n"],
    }
