"""Rating events: written in the transaction that finishes a match, and recomputed to check them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from arena.domain import elo, shares
from arena.domain.shares import Share
from arena.models import Entrant, Ladder, Match, MatchStatus, RatingEvent

WIN, DRAW = 1.0, 0.5
RESULTS = ("wins", "draws", "losses")


@dataclass(slots=True)
class Book:
    """A ladder after one of its matches: number of each bot, games and results of each version."""

    ratings: defaultdict[int, float] = field(default_factory=lambda: defaultdict(_start))
    games: defaultdict[int, int] = field(default_factory=lambda: defaultdict(int))
    results: Counter[tuple[int, str]] = field(default_factory=Counter)  # by version and word
    last: int = 0  # the finish number of that match


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a recomputation finds other than it is stored; `where` names the row."""

    where: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return f"{self.where}: stored {self.stored}, computed {self.computed}"


def apply(*, match: Match) -> list[RatingEvent]:
    """Write one event per entrant of a match just finished and update the entrants' caches.

    An entrant none of whose games is rated gets no event. The caller holds the lock on the ladder
    and the transaction. A second call for the same match fails on the unique constraint
    `rated_once`.
    """
    parts = shares.of_match(match=match)
    entrants = {share.bot_id: _entrant(match.ladder, share) for share in parts}
    book = Book()
    for share in parts:
        book.ratings[share.bot_id] = entrants[share.bot_id].rating
        book.games[share.version_id] = _games_of(match.ladder, share.version_id)
    events = _rate(book, match, parts)
    RatingEvent.objects.bulk_create(events)
    by_version = {event.version_id: event for event in events}
    for share in parts:
        _follow(entrants[share.bot_id], by_version.get(share.version_id), match)
    return events


def rerate(*, ladder: Ladder) -> list[Difference]:
    """Recompute the whole ladder from its matches; give every difference to what is stored.

    Matches may finish meanwhile: the lock is taken only for the last of them and for the entrants.
    """
    book = Book()
    found = list(_recompute(ladder, book))
    with transaction.atomic():
        Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        found.extend(_recompute(ladder, book))
        found.extend(_compare_entrants(ladder, book))
    return found


def _recompute(ladder: Ladder, book: Book) -> Iterator[Difference]:
    """Move the book on over all matches that have finished since, comparing their events."""
    finished = (
        Match.objects.filter(
            ladder=ladder, status=MatchStatus.FINISHED, finish_number__gt=book.last
        )
        .order_by("finish_number")
        .prefetch_related("entrants__version", "games", "rating_events")
    )
    for match in finished.iterator(chunk_size=500):
        match.ladder = ladder
        computed = _rate(book, match, shares.of_match(match=match))
        yield from _compare_events(match, computed)


def _start() -> float:
    return elo.START


def _rate(book: Book, match: Match, parts: Sequence[Share]) -> list[RatingEvent]:
    """Compute the events of a match and move the book on. All numbers are those before it."""
    before = {share.bot_id: book.ratings[share.bot_id] for share in parts}
    events = []
    for share in parts:
        if share.games:
            event = _event(book, match, share, before)
            events.append(event)
            book.ratings[share.bot_id] = event.after
            book.games[share.version_id] += event.games
            for word in RESULTS:
                book.results[share.version_id, word] += getattr(event, word)
    book.last = _finish_number(match)
    return events


def _finish_number(match: Match) -> int:
    if match.finish_number is None:
        raise ValueError(f"match {match} is not finished")
    return match.finish_number


def _event(book: Book, match: Match, share: Share, before: Mapping[int, float]) -> RatingEvent:
    expected, score = share.expected(before), share.score
    games_before = book.games[share.version_id]
    k = elo.k_factor(games_before)
    points = [game.points for game in share.games]
    wins, draws = points.count(WIN), points.count(DRAW)
    return RatingEvent(
        ladder=match.ladder,
        match=match,
        version_id=share.version_id,
        finish_number=_finish_number(match),
        before=before[share.bot_id],
        after=elo.updated(before[share.bot_id], expected=expected, score=score, k=k),
        expected=expected,
        score=score,
        k=k,
        games_before=games_before,
        wins=wins,
        draws=draws,
        losses=len(points) - wins - draws,
    )


def _entrant(ladder: Ladder, share: Share) -> Entrant:
    entrant, _made = Entrant.objects.get_or_create(
        ladder=ladder, bot_id=share.bot_id, defaults={"version_id": share.version_id}
    )
    return entrant


def _games_of(ladder: Ladder, version_id: int) -> int:
    last = (
        RatingEvent.objects.filter(ladder=ladder, version=version_id)
        .order_by("-finish_number")
        .first()
    )
    return last.games_before + last.games if last else 0


def _follow(entrant: Entrant, event: RatingEvent | None, match: Match) -> None:
    entrant.last_match_at = match.finished_at
    if event is not None:
        entrant.rating = event.after
    if event is not None and entrant.version_id == event.version_id:
        # A late match of an older version moves the number but is no game of the present one.
        entrant.games += event.games
        entrant.wins += event.wins
        entrant.draws += event.draws
        entrant.losses += event.losses
    entrant.save(update_fields=["rating", "last_match_at", "games", "wins", "draws", "losses"])


COMPARED = (
    "finish_number", "before", "after", "expected", "score", "k", "games_before",
    "wins", "draws", "losses",
)  # fmt: skip


def _compare_events(match: Match, computed: list[RatingEvent]) -> Iterator[Difference]:
    stored = {event.version_id: event for event in match.rating_events.all()}
    for event in computed:
        have = stored.pop(event.version_id, None)
        where = f"match {match.public_id}, version {event.version_id}"
        if have is None:
            yield Difference(where, "no event", f"{event.before} → {event.after}")
            continue
        for name in COMPARED:
            if getattr(have, name) != getattr(event, name):
                yield Difference(
                    f"{where}, {name}", str(getattr(have, name)), str(getattr(event, name))
                )
    for version_id in stored:
        yield Difference(f"match {match.public_id}, version {version_id}", "an event", "none")


def _compare_entrants(ladder: Ladder, book: Book) -> Iterator[Difference]:
    for entrant in Entrant.objects.filter(ladder=ladder).select_related("bot__owner"):
        computed: dict[str, float] = {"rating": book.ratings[entrant.bot_id]}
        computed |= {word: book.results[entrant.version_id, word] for word in RESULTS}
        for name, value in computed.items():
            if getattr(entrant, name) != value:
                yield Difference(
                    f"entrant {entrant.bot}, {name}", str(getattr(entrant, name)), str(value)
                )
