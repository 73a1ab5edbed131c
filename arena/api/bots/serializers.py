from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.api.fields import BotNameField, NamedChoiceField, shown
from arena.api.strict import StrictSerializer
from arena.domain.bots import languages, remote_bots, trials
from arena.domain.ladders import leaderboards
from arena.domain.ladders.idle_reasons import Idle
from arena.domain.ladders.leaderboards import VersionRecord
from arena.models import (
    ANSWER_MAX_CHARS,
    Bot,
    CheckState,
    CheckStep,
    Entrant,
    MatchStatus,
    PersonSeat,
    TrialStatus,
    Version,
    VersionCheck,
    VersionStatus,
    VersionTrial,
)
from arena.models.bot import check_name
from botkit.sprt import SprtResult

IdleSerializer = shown(
    Idle,
    doc="Why a bot has no match waiting on a ladder.",
    reason="A description in words.",
    until="Null: unknown.",
)


class EntrySerializer(serializers.Serializer[Entrant]):
    """The entry of a bot in a ladder."""

    ladder = serializers.CharField(source="ladder.slug")
    version = serializers.IntegerField(source="version.number")
    rating = serializers.FloatField(
        allow_null=True, help_text="From all rated games, in Elo; null until the first fit."
    )
    provisional = serializers.SerializerMethodField(
        help_text="The version has played too few rated games for a rank."
    )
    games = serializers.IntegerField(help_text="Rated games of this version here.")
    wins = serializers.IntegerField()
    draws = serializers.IntegerField()
    losses = serializers.IntegerField()
    active = serializers.BooleanField()
    idle = serializers.SerializerMethodField(
        help_text="Null for its owner: a match of the bot is waiting here. Others learn only what "
        "prevents a match; null for them: nothing does."
    )

    @extend_schema_field(IdleSerializer(allow_null=True))
    def get_idle(self, entrant: Entrant) -> dict[str, Any] | None:
        idle = self.context["idle"].get(entrant.ladder_id)
        return dict(IdleSerializer(idle).data) if idle else None

    def get_provisional(self, entrant: Entrant) -> bool:
        return leaderboards.is_provisional(row=entrant)


class VersionSerializer(serializers.Serializer[Version]):
    bot = serializers.CharField(source="bot.__str__", help_text="`owner/bot`.")
    number = serializers.IntegerField()
    status = NamedChoiceField(of=VersionStatus)
    is_active = serializers.SerializerMethodField(help_text="Whether it is the active version.")
    paused_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when it plays no rated matches because of its forfeits."
    )
    pause_reason = serializers.CharField(help_text="Why it is paused; otherwise empty.")
    reason = serializers.CharField(help_text="Why it was rejected; otherwise empty.")
    waiting_reason = serializers.CharField(help_text="Why it is waiting; otherwise empty.")
    digest = serializers.CharField(
        help_text="SHA-256 over paths and contents; empty until scanned."
    )
    filename = serializers.CharField()
    size_bytes = serializers.IntegerField()
    language = serializers.CharField(help_text="Such as `python` or `cpp`; empty until scanned.")
    variants = serializers.ListField(
        child=serializers.CharField(),
        help_text="The variants that it plays. If the upload names none, these are the ones whose "
        "checks it passes, and the list is empty until then.",
    )
    isolation = serializers.CharField(
        help_text="The isolation of its checks, such as `docker (runsc)`; empty until they ran."
    )
    is_unsafe = serializers.BooleanField(help_text="Whether it ran without a container.")
    created_at = serializers.DateTimeField()
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the version.")

    def get_is_active(self, version: Version) -> bool:
        return version.bot.active_version_id == version.pk


class CheckSerializer(serializers.Serializer[VersionCheck]):
    """A step of the checklist."""

    step = NamedChoiceField(of=CheckStep)
    state = NamedChoiceField(of=CheckState)
    message = serializers.CharField()
    took_ms = serializers.IntegerField(allow_null=True)
    log_url = serializers.SerializerMethodField()

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_log_url(self, check: VersionCheck) -> str | None:
        """Return the address of the log, only for the owner and only if the step has a log."""
        return self.context["log_url"] if self.context["log_url"] and check.log else None


class CheckedVersionSerializer(VersionSerializer):
    checklist = CheckSerializer(source="checks", many=True)


class StepLogSerializer(serializers.Serializer[VersionCheck]):
    step = NamedChoiceField(of=CheckStep)
    log = serializers.CharField()


class BotSerializer(serializers.Serializer[Bot]):
    owner = serializers.CharField(source="owner.username")
    slug = serializers.CharField()
    name = serializers.CharField()
    description = serializers.CharField()
    is_paused = serializers.BooleanField()
    accepts_challenges = serializers.BooleanField(help_text="Whether other users may challenge it.")
    tries_versions_first = serializers.BooleanField(
        source="gate_new_versions",
        help_text="Whether a new version plays only after a trial showed that it is better.",
    )
    active_version = serializers.IntegerField(source="active_version.number", allow_null=True)
    created_at = serializers.DateTimeField()
    url = serializers.CharField(source="get_absolute_url", help_text="The page of the bot.")


class BotDetailSerializer(BotSerializer):
    entries = EntrySerializer(many=True)
    versions = VersionSerializer(
        source="newest_versions", many=True, help_text="The newest ones; `…/versions` lists all."
    )


class BotFilterSerializer(serializers.Serializer[dict[str, Any]]):
    owner = serializers.CharField(required=False, max_length=150, help_text="Name of a user.")


class NewBotSerializer(StrictSerializer):
    name = serializers.CharField(max_length=60, validators=[check_name])
    slug = serializers.CharField(
        max_length=40,
        required=False,
        default="",
        allow_blank=True,
        help_text="Its part of the address. Default: made from the name.",
    )
    description = serializers.CharField(
        max_length=2000, required=False, default="", allow_blank=True
    )


class BotChangesSerializer(StrictSerializer):
    """What the owner of a bot may change; omitted fields stay as they are."""

    name = serializers.CharField(
        max_length=60,
        required=False,
        validators=[check_name],
        help_text="The name that is shown. Its address stays.",
    )
    description = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    accepts_challenges = serializers.BooleanField(
        required=False, help_text="Whether other users may challenge it."
    )
    tries_versions_first = serializers.BooleanField(
        source="gate_new_versions",
        required=False,
        help_text="Whether a new version plays only after a trial showed that it is better.",
    )


class UploadSerializer(StrictSerializer):
    """A multipart form."""

    file = serializers.FileField(
        allow_empty_file=True,
        help_text="One source file, or a .zip with a drapeau.toml; at most 5 MiB. The name ends in "
        f"one of {', '.join(languages.EXTENSIONS)}.",
    )
    variants = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        default=list,
        help_text="Slugs, repeated or with commas. Default: those of the manifest, otherwise those "
        "whose checks the version passes.",
    )

    def validate_variants(self, given: list[str]) -> list[str]:
        """Split values with commas, such as `classic,general`."""
        return [slug.strip() for row in given for slug in row.split(",") if slug.strip()]


class NewChallengeSerializer(StrictSerializer):
    bot = BotNameField(help_text="One of your bots, as `owner/bot`.")
    version = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=2**31 - 1,
        help_text="One of its ready versions. Default: the active one.",
    )
    opponents = serializers.ListField(
        child=BotNameField(),
        max_length=8,
        allow_empty=False,
        help_text="The opponents, as `owner/bot`: one, or two in a match of three.",
    )
    ladder = serializers.CharField(
        max_length=40, help_text="Slug of the ladder whose rules and clock are used; unrated."
    )


class NewSeatSerializer(StrictSerializer):
    bot = BotNameField(help_text="The opponent, as `owner/bot`.")
    ladder = serializers.CharField(
        max_length=40, help_text="Slug of the ladder whose game is played; unrated."
    )
    side = serializers.CharField(
        max_length=16, help_text="The side that your program plays, such as `red` or `besiegers`."
    )


class SeatSerializer(serializers.Serializer[PersonSeat]):
    """The seat of a program at home in a match that is not over."""

    match = serializers.CharField(
        source="match.public_id", help_text="The id of the match, as in the address of the seat."
    )
    ladder = serializers.CharField(source="match.ladder.slug")
    bot = serializers.CharField(
        allow_null=True, help_text="Your remote bot, as `owner/bot`; null: you asked for the game."
    )
    side = serializers.CharField(
        help_text="Empty for a remote bot: it has another one in each game of the match."
    )
    status = NamedChoiceField(of=MatchStatus, source="match.status")
    created_at = serializers.DateTimeField(source="match.created_at")
    url = serializers.CharField(source="match.get_absolute_url", help_text="The page of the match.")


class SeatListSerializer(serializers.Serializer[dict[str, Any]]):
    limit = serializers.IntegerField(
        help_text="How many you may ask for and have open; those of remote bots do not count."
    )
    results = SeatSerializer(many=True, help_text="The newest first.")


class SeatStreamSerializer(serializers.Serializer[dict[str, Any]]):
    bot = BotNameField(help_text="Your remote bot, as `owner/bot`.")
    games = serializers.IntegerField(
        default=1,
        min_value=1,
        max_value=remote_bots.MOST_GAMES,
        help_text="How many matches your program plays at the same time.",
    )


class NewRemoteVersionSerializer(StrictSerializer):
    variants = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        default=list,
        help_text="Short names of the variants that it plays. Default: all.",
    )


class SeatAnswerSerializer(StrictSerializer):
    number = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="The number of the question."
    )
    action = serializers.CharField(
        max_length=ANSWER_MAX_CHARS,
        help_text="One of the `legal` actions, a set-up where one is asked for, or `resign`.",
    )


class NewTrialSerializer(StrictSerializer):
    """The opponent and the ladder of a trial; all fields are optional."""

    against = serializers.IntegerField(
        required=False,
        min_value=1,
        help_text="Number of another version. Default: the active one, or the previous one.",
    )
    ladder = serializers.CharField(
        required=False, max_length=40, help_text="Default: the one on which the bot plays most."
    )
    activate = serializers.BooleanField(
        default=False, help_text="Whether to activate the version if it is better."
    )


class JudgementSerializer(serializers.Serializer[SprtResult]):
    """Log-likelihood ratios against “no difference”, and the bounds for a decision."""

    better = serializers.FloatField(source="llr_better")
    worse = serializers.FloatField(source="llr_worse")
    lower = serializers.FloatField(
        source="design.lower", help_text="Both ratios at or below it: no difference."
    )
    upper = serializers.FloatField(
        source="design.upper", help_text="One ratio at or above it: a difference."
    )
    margin = serializers.FloatField(
        source="design.nelo1", help_text="The difference that is tested for, in normalized Elo."
    )


class TrialSerializer(serializers.Serializer[VersionTrial]):
    """A test whether a version is better than another version of the same bot."""

    id = serializers.CharField(source="public_id")
    bot = serializers.CharField(source="version.bot.__str__", help_text="`owner/bot`.")
    version = serializers.IntegerField(source="version.number")
    against = serializers.IntegerField(source="against.number")
    ladder = serializers.CharField(source="ladder.slug")
    status = NamedChoiceField(of=TrialStatus)
    detail = serializers.CharField(help_text="More about how it ended; may be empty.")
    activates = serializers.BooleanField(
        help_text="Whether the version is activated if it is better."
    )
    games = serializers.IntegerField(help_text="The games that count so far.")
    head = serializers.ListField(
        source="counts.head",
        child=serializers.IntegerField(),
        help_text="Pairs against the other version, by points of this version: 0, ½, 1, 1½, 2.",
    )
    panel = serializers.ListField(
        source="counts.panel",
        child=serializers.IntegerField(),
        help_text="Pairs of both versions against a third bot, by difference of points: -2 to 2.",
    )
    judgement = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    activated_at = serializers.DateTimeField(allow_null=True)
    url = serializers.CharField(
        source="version.get_absolute_url", help_text="The page of the version."
    )

    @extend_schema_field(
        JudgementSerializer(
            allow_null=True, help_text="Null for old trials, which were judged in plain Elo."
        )
    )
    def get_judgement(self, trial: VersionTrial) -> dict[str, float] | None:
        result = trials.sprt_result(trial=trial)
        return None if result is None else dict(JudgementSerializer(result).data)


VersionRecordSerializer = shown(
    VersionRecord,
    doc="The results of a version on a ladder, over all seasons.",
    ladder=serializers.CharField(source="ladder.slug"),
    lowest="Its lowest Elo after a match; null until a fit has one.",
    first="Its Elo before its first match; null: it had none.",
    last="Its Elo after its latest match.",
)
