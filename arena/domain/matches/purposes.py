"""The purposes of matches."""

from dataclasses import dataclass
from typing import Any

from arena.models import MatchKind, Pairing, Release, User, VersionTrial


@dataclass(frozen=True, slots=True)
class Purpose:
    """The kind of a match, the user who requested it, and its trial or pairing.

    `leg` is its number in the pairing, `trial_pair` that of its comparison in the trial.
    """

    kind: MatchKind = MatchKind.LADDER
    requested_by: User | None = None
    trial: VersionTrial | None = None
    pairing: Pairing | None = None
    leg: int | None = None
    trial_pair: int | None = None

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of the match. A match of a pairing has the release of its round."""
        return {
            "kind": self.kind,
            "requested_by": self.requested_by,
            "trial": self.trial,
            "trial_pair": self.trial_pair,
            "pairing": self.pairing,
            "leg": self.leg,
            "release": self.pairing.round.release if self.pairing else Release.PUBLIC,
        }


RATED = Purpose()
