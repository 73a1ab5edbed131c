"""What matches are played for."""

from dataclasses import dataclass
from typing import Any

from arena.models import MatchKind, Pairing, Release, User, VersionTrial


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a match is played for, who asked for it, and the trial or pairing that it belongs to.

    `leg` is its number in the pairing.
    """

    kind: MatchKind = MatchKind.LADDER
    requested_by: User | None = None
    trial: VersionTrial | None = None
    pairing: Pairing | None = None
    leg: int | None = None

    @property
    def columns(self) -> dict[str, Any]:
        """What a match has of it; one of a pairing is seen by whoever sees the round."""
        return {
            "kind": self.kind,
            "requested_by": self.requested_by,
            "trial": self.trial,
            "pairing": self.pairing,
            "leg": self.leg,
            "release": self.pairing.round.release if self.pairing else Release.PUBLIC,
        }


RATED = Purpose()
