"""What an act of an organizer is: plain values, as typed in a form or sent by a program.

`apply` does it to a tournament that the caller holds, and raises Refused where it cannot be done,
with what to do instead. It neither counts the change nor writes it down: `incidents` does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from arena.models import Tournament, TournamentStatus

PLAYED_IN = (TournamentStatus.RUNNING, TournamentStatus.PAUSED, TournamentStatus.COMPLETED)


@dataclass(frozen=True, slots=True)
class Done:
    """What an act did: the word and the data of its log entry, and what has to be known of it.

    `seen` names what it was decided upon, as it was before: matches, and which of them were over.
    """

    action: str
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seen: str = ""


class Act(Protocol):
    """Something an organizer does."""

    def apply(self, tournament: Tournament, reason: str) -> Done:
        """Do it to a tournament that is held. Raise Refused."""
