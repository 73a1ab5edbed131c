"""The stations of a tournament: which are behind it, where it is, and what is still to come."""

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
    """A station: its status, whether it is done, here or ahead, and when.

    `at` is when it was reached, or will be where that is agreed; None where nobody knows. `status`
    is that of the tournament where it is paused or cancelled there, and `at` since when it is.
    """

    status: TournamentStatus
    state: str
    at: datetime | None = None

    @property
    def label(self) -> str:
        """The station in a word."""
        return str(self.status.label)

    @property
    def is_odd(self) -> bool:
        """Whether the tournament left the way here, for a time or for ever."""
        return self.status in (TournamentStatus.PAUSED, TournamentStatus.CANCELLED)


def steps(
    tournament: Tournament, *, opened: datetime | None = None, since: datetime | None = None
) -> list[StatusStep]:
    """Return the stations in order.

    A tournament that is paused stands at the station where it was running. One that was cancelled
    has the stations that it reached, and that. `opened` is when registration was, and `since` when
    it was paused or cancelled; None where it was not.
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
    """Return when each station was reached, or else is to be."""
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
