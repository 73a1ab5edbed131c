"""The rows of the site: fields, constraints, addresses. What is done with them: `arena.domain`."""

from arena.models.api_token import ApiToken, Scope
from arena.models.bot import Bot
from arena.models.game import Game, GameEvidence, GameLog, GameRecord, GameStatus
from arena.models.ladder import Entrant, Ladder
from arena.models.leased import Leased
from arena.models.match import OPEN_STATUSES, Match, MatchEntrant, MatchStatus
from arena.models.rating_event import AppendOnly, RatingEvent
from arena.models.user import User
from arena.models.version import (
    CheckState,
    CheckStep,
    Version,
    VersionArchive,
    VersionBuild,
    VersionCheck,
    VersionStatus,
)

__all__ = [
    "OPEN_STATUSES",
    "ApiToken",
    "AppendOnly",
    "Bot",
    "CheckState",
    "CheckStep",
    "Entrant",
    "Game",
    "GameEvidence",
    "GameLog",
    "GameRecord",
    "GameStatus",
    "Ladder",
    "Leased",
    "Match",
    "MatchEntrant",
    "MatchStatus",
    "RatingEvent",
    "Scope",
    "User",
    "Version",
    "VersionArchive",
    "VersionBuild",
    "VersionCheck",
    "VersionStatus",
]
