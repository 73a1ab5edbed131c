"""A tournament with a round that not everybody sees, and a walk through the whole site for it."""

import re
from dataclasses import dataclass
from html import unescape
from itertools import product

from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from arena.domain.matches import leases, lifecycle
from arena.domain.matches.purposes import Purpose
from arena.models import (
    Game,
    Match,
    MatchKind,
    Pairing,
    PairingEntrant,
    Release,
    Tournament,
    TournamentEntrant,
    TournamentRound,
    TournamentStatus,
    User,
    Version,
)
from tests.factories import claim, get_ladder, make_bot, make_evidence, make_user, write_ready
from tests.integration.web.played import SECRET, play_random_games, refused_record

LADDER = "general"
DAY = "2026-03-01"  # of the clock of the tests
STARS = ("aldebaran", "betelgeuse", "capella", "deneb", "elnath", "fomalhaut")
# Staff's own view of the rows; allauth knows no match; the others are written, and have no row.
SKIPPED = re.compile(r"^(admin|accounts|api/v1/schema|docs|kit)/")
# They count all matches.
COUNTED = re.compile(r"^/(api/v1/)?(queue|status|metrics|tournaments/\w+/estimate)\b")
# Metrics that know no match, and change with the time and with what else this machine does.
OF_THE_PROCESS = re.compile(r"^(process|python|drapeau_(http|disk|database))_.*\n", re.MULTILINE)
SAYS_THAT = re.compile(r"^/tournaments/")  # pages of a tournament say that a round is not shown


def may_see(match, viewer):
    """Return whether a viewer may see a match."""
    return Match.objects.visible_to(viewer).filter(pk=match.pk).exists()


def open_the_door(monkeypatch):
    """Show every match and game to everybody."""
    for model in (Match, Game):
        monkeypatch.setattr(type(model.objects.all()), "visible_to", lambda rows, _viewer: rows)


@dataclass
class World:
    """Three pairings of one round: one played, one running, one waiting."""

    tournament: Tournament
    versions: list[Version]
    organizer: User
    owner: User  # of the first bot
    stranger: User
    round: TournamentRound | None = None
    operator: User | None = None

    @property
    def played(self):
        return self.matches[0]

    @property
    def matches(self):
        rows = Match.objects.filter(kind=MatchKind.TOURNAMENT).order_by("pk")
        return list(rows)

    @property
    def secrets(self):
        """What tells of the round wherever it is found."""
        pairings = Pairing.objects.filter(round=self.round).values_list("public_id", flat=True)
        chance = {word for match in self.matches for word in (match.secret, match.commitment)}
        ids = {match.public_id for match in self.matches}
        return {*ids, *chance, *pairings, SECRET, "the view of red"}


def make_world():
    """Make a tournament that runs, no round of it drawn yet."""
    owners = [make_user(f"owner-of-{star}") for star in STARS]
    versions = write_ready(
        [make_bot(owner, star) for owner, star in zip(owners, STARS, strict=True)]
    )
    organizer = make_user("organizer")
    tournament = Tournament.objects.create(
        slug="stars",
        name="Stars",
        ladder=get_ladder(LADDER),
        created_by=organizer,
        format="round_robin",
        status=TournamentStatus.RUNNING,
        frozen_at=timezone.now(),
    )
    tournament.organizers.add(organizer)
    for seed, version in enumerate(versions, start=1):
        TournamentEntrant.objects.create(
            tournament=tournament,
            bot=version.bot,
            version=version,
            digest=version.digest,
            seed=seed,
        )
    return World(tournament, versions, organizer, owners[0], make_user("stranger"))


def make_rehearsal(world):
    """Make a rehearsal of the tournament, by the same organizer."""
    rehearsal = Tournament.objects.create(
        slug="stars-rehearsal",
        name="Stars, rehearsed",
        ladder=world.tournament.ladder,
        created_by=world.organizer,
        format="round_robin",
        status=TournamentStatus.RUNNING,
        rehearsal_of=world.tournament,
    )
    rehearsal.organizers.add(world.organizer)
    return rehearsal


def draw_round(world, release=Release.HIDDEN, order="seed"):
    """Draw the first round, and play of it as far as `World` says."""
    world.round = TournamentRound.objects.create(
        tournament=world.tournament, number=1, release=release
    )
    entrants = list(world.tournament.entrants.order_by(order))
    for number in (1, 2, 3):
        _pair(world, number, entrants[2 * number - 2 : 2 * number])
    played, running, _waiting = world.matches
    play_random_games(played, record_of=refused_record)
    make_evidence(played.games.get(number=1), "red")
    lease = claim(running)
    leases.renew(lease=lease, status="running")
    return world


def walk(client, world, *, under, only=("",)):
    """Return the answers to every address under a prefix, by address; `client` asks.

    With `only`, to those that have one of these in them, or for which it is true.
    """
    wanted = only if callable(only) else lambda address: any(part in address for part in only)
    found = {}
    for address in filter(wanted, addresses(world, under)):
        response = client.get(address)
        content = getattr(response, "content", b"").decode(errors="replace")
        found[address] = (response.status_code, unescape(content))
    return found


def addresses(world, under):
    """Return an address of every view below a prefix, and one for each match of the round."""
    found = []
    matches = [match.public_id for match in world.matches]
    for route, pattern in _routes(get_resolver().url_patterns):
        if SKIPPED.match(route) or not pattern.name or route.startswith("api/v1/") != bool(under):
            continue
        found += [f"/{path}" for path in _filled(route, world, matches)]
    first, second = (version.bot for version in world.versions[:2])
    pair = f"bot={first}&opponent={second}"
    second_bot = [world.versions[1].bot.get_absolute_url()]
    page = "/api/v1/matches" if under else "/matches/"
    found += [f"{page}?{pair}", f"{page}?kind=tournament", f"{page}?termination=illegal_deployment"]
    found += [f"{page}?ladder={LADDER}", f"{page}?bot={first}", *([] if under else second_bot)]
    found += [f"{page}?before={match}" for match in matches[:1] if not under]
    replays = [address for address in found if address.endswith(("/replay", "/replay/"))]
    return [*found, *(f"{address}?view=full" for address in replays)]


def leaks(answers, world):
    """Return the addresses whose answers tell of the round, each with what they tell."""
    secrets = world.secrets
    told = {
        address: sorted(secret for secret in secrets if secret in text.replace(address, ""))
        for address, (_status, text) in answers.items()
    }
    return {address: said for address, said in told.items() if said}


def of_round(world, asked):
    """Return those of the addresses that name a match of the round itself."""
    matches = [match.public_id for match in world.matches]
    return {address for address in asked if any(match in address for match in matches)}


def stays(address):
    """Return whether an answer stays the same: it neither counts all work nor tells of a round."""
    return not SAYS_THAT.match(address) and not COUNTED.match(address)


def differences(before, after):
    """Return the addresses whose answers changed, except those that need not stay the same."""
    both = [address for address in before if address in after and stays(address)]
    assert len(both) > 40, "the walk went nowhere"
    return [address for address in both if steady(before[address]) != steady(after[address])]


def retold(ask, world):
    """Return the tournament's own addresses whose answers say who meets whom in the hidden round.

    It is drawn twice, the second time with others in it: nobody may notice.
    """
    told = []
    for order in ("seed", "-seed"):
        point = transaction.savepoint()
        draw_round(world, order=order)
        answers = ask(["/tournaments/"])
        others = answers.keys() - of_round(world, answers)
        told.append({address: steady(answers[address]) for address in others})
        transaction.savepoint_rollback(point)
    first, second = told
    assert len(first) > 10, "the walk went nowhere"
    return sorted(address for address in first if first[address] != second[address])


def _pair(world, number, entrants):
    pairing = Pairing.objects.create(round=world.round, number=number)
    for position, entrant in enumerate(entrants):
        PairingEntrant.objects.create(pairing=pairing, position=position, entrant=entrant)
    lifecycle.create_match(
        ladder=world.tournament.ladder,
        versions=[entrant.version for entrant in entrants],
        purpose=Purpose(kind=MatchKind.TOURNAMENT, pairing=pairing, leg=1),
    )


def _routes(patterns, before=""):
    for pattern in patterns:
        route = before + str(pattern.pattern).lstrip("^").rstrip("$")
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route, pattern


def _filled(route, world, matches):
    """Put plausible words into a route: the owner's bot, and its opponent where there is one.

    Of games it names those of the match that was played: of the others nothing is stored.
    """
    names = re.findall(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>", route)
    choices = [_words(route, one or other, world, matches) for one, other in names]
    for words in product(*choices):
        path = route
        for word in words:
            path = re.sub(r"<[^<>]+>|\(\?P<\w+>[^()]*\)", word, path, count=1)
        yield path


def _words(route, name, world, matches):
    """Return the words that may stand in a place of a route; a new place wants a line here."""
    first, second = STARS[:2]
    matches = matches or ["m_none"]
    matches = matches[:1] if "games/" in route else matches
    if name == "slug":
        if "bots/" in route:
            return [first]
        return [world.tournament.slug if "tournaments/" in route else LADDER]
    if name == "public_id":
        return matches if "matches/" in route else ["none"]
    return {
        "owner": [f"owner-of-{first}"],
        "username": [f"owner-of-{first}"],
        "bot": [first],
        "other_owner": [f"owner-of-{second}"],
        "other": [second],
        "number": ["1"],
        "day": [DAY],
        "match_id": matches,
        "kind": ["reference"],
        "game": ["general"],
        "lang": ["python"],
        "language": ["en"],
        "action": ["void"],
        "name": ["void"],
        "pk": ["1"],
        "token": ["none"],
        "token_id": ["none"],
        "webhook_id": ["none"],
        "delivery_id": ["none"],
        "key": ["none"],
        "trial_id": ["none"],
        "section": ["bots", "tournaments"],
    }[name]


def steady(answer):
    """Leave out what differs each time an address is asked."""
    status, text = answer
    text = re.sub(r'(csrfmiddlewaretoken" value|nonce)="[^"]*"', "", text)
    text = re.sub(r"As of [^<]* UTC", "", text)  # a minute may pass between two answers
    text = OF_THE_PROCESS.sub("", text)
    return status, text
