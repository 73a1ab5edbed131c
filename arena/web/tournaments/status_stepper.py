"""The steps of a tournament's life cycle: done, current and ahead."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from arena.models import Tournament, TournamentStatus

DONE, HERE, AHEAD = "done", "here", "ahead"
STATIONS = (
    TournamentStatus.DRAFT,
    TournamentStatus.REGISTRATION,
    TournamentStatus.FROZEN,
    TournamentStatus.RUNNING,
    TournamentStatus.COMPLETED,
    TournamentStatus.RELEASED,
)


@dataclass(frozen=True, slots=True)
class StatusStep:
    """A step: its status, whether it is done, here or ahead, and when.

    `at` is when it was reached, or its planned time; None if unknown. If the tournament is paused
    or cancelled at this step, `status` and `at` are those of the pause or cancellation.
    """

    status: TournamentStatus
    state: str
    at: datetime | None = None

    @property
    def label(self) -> str:
        """The name of the step."""
        return str(self.status.label)

    @property
    def is_odd(self) -> bool:
        """Whether the tournament left the normal course here, temporarily or permanently."""
        return self.status in (TournamentStatus.PAUSED, TournamentStatus.CANCELLED)


def steps(
    tournament: Tournament, *, opened: datetime | None = None, since: datetime | None = None
) -> list[StatusStep]:
    """Return the steps in order.

    A paused tournament stays at the step at which it was running. A cancelled one has the steps
    that it reached and the cancellation. `opened` is the time when registration opened, and
    `since` the time of the pause or cancellation; each is None if it did not happen.
    """
    status = TournamentStatus(tournament.status)
    times = _times(tournament, opened)
    if status == TournamentStatus.CANCELLED:
        reached = [station for station in STATIONS if _reached(tournament, station, opened)]
        return [
            *(StatusStep(station, DONE, times.get(station)) for station in reached),
            StatusStep(status, HERE, since),
        ]
    is_paused = status == TournamentStatus.PAUSED
    here = STATIONS.index(TournamentStatus.RUNNING if is_paused else status)
    return [
        StatusStep(
            status if is_paused and place == here else station,
            DONE if place < here else HERE if place == here else AHEAD,
            since if is_paused and place == here else times.get(station),
        )
        for place, station in enumerate(STATIONS)
    ]


def _times(
    tournament: Tournament, opened: datetime | None
) -> Mapping[TournamentStatus, datetime | None]:
    """Return when each step was reached, or its planned time."""
    return {
        TournamentStatus.DRAFT: tournament.created_at,
        TournamentStatus.REGISTRATION: opened or tournament.opens_at,
        TournamentStatus.FROZEN: tournament.frozen_at or tournament.freezes_at,
        TournamentStatus.RUNNING: tournament.started_at or tournament.starts_at,
        TournamentStatus.COMPLETED: tournament.completed_at,
        TournamentStatus.RELEASED: tournament.released_at,
    }


def _reached(tournament: Tournament, station: TournamentStatus, opened: datetime | None) -> bool:
    return {
        TournamentStatus.DRAFT: True,
        TournamentStatus.REGISTRATION: bool(opened or tournament.frozen_at),
        TournamentStatus.FROZEN: tournament.frozen_at is not None,
        TournamentStatus.RUNNING: tournament.started_at is not None,
        TournamentStatus.COMPLETED: tournament.completed_at is not None,
        TournamentStatus.RELEASED: tournament.released_at is not None,
    }[station]
