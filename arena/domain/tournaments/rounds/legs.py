"""The matches of a pairing, its legs: created, and created again if the platform failed."""

from collections.abc import Sequence
from hashlib import sha256

from arena.domain.matches import lifecycle
from arena.domain.matches.lifecycle import SEED_BITS
from arena.domain.matches.purposes import Purpose
from arena.domain.tournaments.entry import admission
from arena.models import (
    Match,
    MatchKind,
    MatchStatus,
    Pairing,
    Tournament,
    TournamentEntrant,
    Version,
)

WITHOUT_RESULT = (MatchStatus.FAILED, MatchStatus.CANCELLED)
ATTEMPTS = 3  # failed matches of one leg, each with its own attempts, before organizers must act


def rng_seed_of(*, tournament: Tournament, pairing: Pairing, leg: int) -> int:
    """Return the `rng_seed` of a match: the first bits of SHA-256 of its place in the tournament.

    A tournament played again with the same `rng_seed` has the same seeds of matches.
    """
    place = f"{tournament.rng_seed}/round {pairing.round.number}/{pairing.number}/leg {leg}"
    return int.from_bytes(sha256(place.encode()).digest()) >> (256 - SEED_BITS)


def versions_of(
    *, tournament: Tournament, entrants: Sequence[TournamentEntrant]
) -> list[Version | None]:
    """Return the version of each entrant, or None for one that can no longer play."""
    return [
        entrant.version
        if admission.is_ready(tournament=tournament, version=entrant.version)
        else None
        for entrant in entrants
    ]


def make_missing(
    *,
    tournament: Tournament,
    pairing: Pairing,
    versions: Sequence[Version],
    present: Sequence[Match],
) -> list[Match]:
    """Create the legs that are wanted and missing. The caller has locked the tournament."""
    there = {match.leg for match in present}
    return [
        lifecycle.create_match(
            ladder=tournament.ladder,
            versions=versions,
            rng_seed=rng_seed_of(tournament=tournament, pairing=pairing, leg=leg),
            purpose=Purpose(MatchKind.TOURNAMENT, pairing=pairing, leg=leg),
        )
        for leg in range(1, pairing.matches_wanted + 1)
        if leg not in there
    ]


def play_again(*, match: Match, versions: Sequence[Version]) -> Match:
    """Queue a match that ended without a result again, with the same `rng_seed`.

    The caller has locked the tournament, and has checked that the match was not queued again yet.
    """
    return lifecycle.create_match(
        ladder=match.ladder,
        versions=versions,
        rng_seed=match.rng_seed,
        rerun_of=match,
        purpose=Purpose(MatchKind.TOURNAMENT, pairing=match.pairing, leg=match.leg),
    )


def failures(*, tournament: Tournament, match: Match) -> int:
    """Return how often the leg of a match has failed since an organizer resumed the tournament."""
    rows = Match.objects.filter(pairing=match.pairing_id, leg=match.leg, status=MatchStatus.FAILED)
    resumed = tournament.log.filter(action="resumed").order_by("-pk").first()
    return rows.filter(finished_at__gt=resumed.at).count() if resumed else rows.count()
