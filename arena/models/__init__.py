"""The rows of the site: fields, constraints, addresses. What is done with them: `arena.domain`."""

from arena.models.annulment import Annulment, RatingAdjustment
from arena.models.api_token import ApiToken, Scope
from arena.models.append_only import AppendOnly
from arena.models.bot import Bot
from arena.models.game import Game, GameEvidence, GameLog, GameRecord, GameStatus
from arena.models.idempotency_key import IdempotencyKey
from arena.models.ladder import Entrant, Ladder
from arena.models.leased import Leased, LeasedQuerySet
from arena.models.match import Match, MatchEntrant, MatchKind, MatchQuerySet, MatchStatus
from arena.models.notice import Notice
from arena.models.queue_alarm import QueueAlarm
from arena.models.queue_share import QueueShare
from arena.models.rating_event import RatingEvent
from arena.models.season import Season, SeasonStanding
from arena.models.staff_action import StaffAction
from arena.models.tournament import (
    EntryPolicy,
    Release,
    Tournament,
    TournamentEntrant,
    TournamentEntrantStatus,
    TournamentStatus,
)
from arena.models.tournament_round import (
    Pairing,
    PairingDecision,
    PairingEntrant,
    TournamentLogEntry,
    TournamentRound,
)
from arena.models.trial import TrialStatus, VersionTrial
from arena.models.user import ANYBODY, User, Viewer, is_staff
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
    "ANYBODY",
    "Annulment",
    "ApiToken",
    "AppendOnly",
    "Bot",
    "CheckState",
    "CheckStep",
    "Entrant",
    "EntryPolicy",
    "Game",
    "GameEvidence",
    "GameLog",
    "GameRecord",
    "GameStatus",
    "IdempotencyKey",
    "Ladder",
    "Leased",
    "LeasedQuerySet",
    "Match",
    "MatchEntrant",
    "MatchKind",
    "MatchQuerySet",
    "MatchStatus",
    "Notice",
    "Pairing",
    "PairingDecision",
    "PairingEntrant",
    "QueueAlarm",
    "QueueShare",
    "RatingAdjustment",
    "RatingEvent",
    "Release",
    "Scope",
    "Season",
    "SeasonStanding",
    "StaffAction",
    "Tournament",
    "TournamentEntrant",
    "TournamentEntrantStatus",
    "TournamentLogEntry",
    "TournamentRound",
    "TournamentStatus",
    "TrialStatus",
    "User",
    "Version",
    "VersionArchive",
    "VersionBuild",
    "VersionCheck",
    "VersionStatus",
    "VersionTrial",
    "Viewer",
    "is_staff",
]
