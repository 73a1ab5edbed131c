"""The rows of the site: fields, constraints, selections and URLs."""

from arena.models.abuse_report import AbuseDecision, AbuseReason, AbuseReport
from arena.models.api_token import ApiToken, Scope
from arena.models.append_only import AppendOnly
from arena.models.bot import PEOPLE_OWNER, REHEARSAL_OWNER, SITE_OWNERS, Bot, BotQuerySet
from arena.models.game import Game, GameEvidence, GameLog, GameRecord, GameStatus
from arena.models.isolated import HOME
from arena.models.ladder import Entrant, EntrantQuerySet, Ladder
from arena.models.leased import Leased, LeasedQuerySet
from arena.models.match import Match, MatchEntrant, MatchKind, MatchQuerySet, MatchStatus
from arena.models.online_bot import OnlineBot
from arena.models.outgoing_mail import OutgoingMail
from arena.models.person_seat import ANSWER_MAX_CHARS, PersonSeat
from arena.models.public_ids import new_game_id
from arena.models.queue import QueueAlarm, QueueShare, RunnerFigures, RunnerReport
from arena.models.rating import Annulment, RatingEvent, Season, SeasonStanding
from arena.models.record_file import RecordFile
from arena.models.record_key import RecordKey
from arena.models.surprise_report import SurpriseReport
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
    entries_of,
)
from arena.models.trial import TrialStatus, VersionTrial
from arena.models.user import (
    ANYBODY,
    IdempotencyKey,
    MailPreference,
    Notice,
    NoticeKind,
    StaffAction,
    User,
    Viewer,
    is_staff,
    not_banned,
    sees_unannounced,
)
from arena.models.version import (
    REMOTE,
    CheckState,
    CheckStep,
    Version,
    VersionArchive,
    VersionBuild,
    VersionCheck,
    VersionStatus,
)
from arena.models.webhook import (
    DeliveryProblem,
    DeliveryStatus,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
