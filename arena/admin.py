# mypy: disable-error-code="type-arg"
# Django's admin classes take parameters for the type checker only, not when they run.
"""The operators' side. What must not be edited by hand is shown and not editable.

Everything that is done here is written down by `arena.admin_site`.
"""

from collections.abc import Iterable

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.accounts import permissions
from arena.domain.bots import bots
from arena.domain.ladders import ladders
from arena.domain.tournaments import stages
from arena.models import (
    Annulment,
    ApiToken,
    Bot,
    Entrant,
    Game,
    Ladder,
    Match,
    MatchEntrant,
    Notice,
    RatingAdjustment,
    RatingEvent,
    Season,
    StaffAction,
    Tournament,
    TournamentEntrant,
    TournamentLogEntry,
    TournamentStatus,
    User,
    Version,
    VersionBuild,
    VersionCheck,
    VersionTrial,
)

admin.site.site_header = "Drapeau"
admin.site.site_title = "Drapeau"
admin.site.register(User, UserAdmin)


class Unchangeable:
    """Mixin: rows can be looked at, neither added, changed nor deleted."""

    def has_add_permission(self, _request: HttpRequest, _parent: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Refuse."""
        return False


class OnlyWhatWasChanged(admin.ModelAdmin):
    """A change writes the fields that were changed in the form, and no others.

    The row was read before, and what the site has counted in it since would be undone.
    """

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Save a new row whole, and of one that was there what was changed."""
        if change:
            obj.save(update_fields=form.changed_data)
        else:
            super().save_model(request, obj, form, change)


@admin.register(ApiToken)
class ApiTokenAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["public_id", "user", "name", "scopes", "created", "last_used", "expiry"]
    fields = ["public_id", "user", "name", "scopes", "created", "last_used", "expiry"]
    search_fields = ["user__username", "name"]

    def has_delete_permission(self, request: HttpRequest, _row: Model | None = None) -> bool:
        """Let operators revoke a token."""
        return permissions.may_revoke_tokens(request.user)


@admin.register(Bot)
class BotAdmin(OnlyWhatWasChanged):
    list_display = ["__str__", "name", "active_version", "is_paused", "created_at"]
    list_filter = ["is_paused"]
    list_select_related = ["owner", "active_version__bot__owner"]
    search_fields = ["slug", "name", "owner__username"]
    readonly_fields = ["owner", "slug", "active_version", "is_paused", "created_at"]
    actions = ["pause", "resume"]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Refuse: bots come from their owners."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Refuse: matches and ratings refer to bots."""
        return False

    @admin.action(description=gettext_lazy("Pause: no more rated matches"), permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        for bot in queryset:
            bots.pause(bot=bot)
        _say_how_many(self, request, queryset)

    @admin.action(description=gettext_lazy("Resume"), permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        for bot in queryset:
            bots.resume(bot=bot)
        _say_how_many(self, request, queryset)


class VersionCheckInline(Unchangeable, admin.TabularInline):
    model = VersionCheck
    fields = ["step", "state", "message", "took_ms"]  # whoever reads a log is noted: not here
    extra = 0


class VersionBuildInline(Unchangeable, admin.TabularInline):
    model = VersionBuild
    fields = ["image", "digest"]
    extra = 0


@admin.register(Version)
class VersionAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["__str__", "status", "reason", "waiting_reason", "attempt", "created_at"]
    list_filter = ["status"]
    list_select_related = ["bot__owner"]
    search_fields = ["bot__slug", "bot__owner__username", "digest"]
    inlines = [VersionCheckInline, VersionBuildInline]


@admin.register(Ladder)
class LadderAdmin(OnlyWhatWasChanged):
    list_display = [
        "name", "slug", "variant", "entrants_per_match", "is_open", "next_finish_number",
    ]  # fmt: skip
    readonly_fields = ["next_finish_number", "created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | None = None) -> list[str]:
        """Fix what is played once matches have been rated or a tournament was published.

        While a tournament is under way its clock is fixed as well.
        """
        fields = [str(name) for name in super().get_readonly_fields(request, obj)]
        if obj is None:
            return fields
        held = obj.tournaments.exclude(status=TournamentStatus.DRAFT)
        if obj.next_finish_number > 1 or held.exists():
            fields += ["slug", "variant", "options", "entrants_per_match"]
        if held.filter(status__in=stages.UNDER_WAY).exists():
            fields += ["startup_ms", "bank_ms", "increment_ms", "action_ms"]
        return fields

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Let those in who were ready before the ladder was made or opened."""
        super().save_model(request, obj, form, change)
        ladders.admit_ready()


@admin.register(Entrant)
class EntrantAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["bot", "ladder", "version", "rating", "games", "active"]
    list_filter = ["ladder", "active"]
    list_select_related = ["bot__owner", "ladder", "version__bot__owner"]


class MatchEntrantInline(Unchangeable, admin.TabularInline):
    model = MatchEntrant
    extra = 0


class GameInline(Unchangeable, admin.TabularInline):
    model = Game
    extra = 0


@admin.register(Match)
class MatchAdmin(Unchangeable, admin.ModelAdmin):
    list_display = [
        "public_id", "ladder", "status", "finish_number", "attempt", "waiting_reason", "failure",
        "created_at", "finished_at",
    ]  # fmt: skip
    list_filter = ["ladder", "status"]
    list_select_related = ["ladder"]
    search_fields = ["public_id", "entrants__version__bot__slug"]
    inlines = [MatchEntrantInline, GameInline]


@admin.register(RatingEvent)
class RatingEventAdmin(Unchangeable, admin.ModelAdmin):
    list_display = [
        "ladder", "finish_number", "version", "before", "after", "expected", "score", "k", "match",
    ]  # fmt: skip
    list_filter = ["ladder"]
    list_select_related = ["ladder", "version__bot__owner", "match"]


@admin.register(RatingAdjustment)
class RatingAdjustmentAdmin(Unchangeable, admin.ModelAdmin):
    list_display = [
        "ladder", "finish_number", "version", "before", "after", "annulment", "season",
    ]  # fmt: skip
    list_filter = ["ladder"]
    list_select_related = ["ladder", "version__bot__owner", "annulment__ladder", "season__ladder"]


@admin.register(Annulment)
class AnnulmentAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["ladder", "finish_number", "by", "reason", "created_at"]
    list_filter = ["ladder"]
    list_select_related = ["ladder", "by"]


@admin.register(Season)
class SeasonAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["ladder", "number", "began_at", "ended_at", "ended_by"]
    list_filter = ["ladder"]
    list_select_related = ["ladder", "ended_by"]


@admin.register(VersionTrial)
class VersionTrialAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["version", "against", "ladder", "status", "games", "llr", "ended_at"]
    list_filter = ["ladder", "status"]
    list_select_related = ["ladder", "version__bot__owner", "against__bot__owner"]


class TournamentEntrantInline(Unchangeable, admin.TabularInline):
    model = TournamentEntrant
    extra = 0


@admin.register(Tournament)
class TournamentAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["name", "ladder", "format", "status", "status_reason", "created_by"]
    list_filter = ["status", "format", "ladder"]
    list_select_related = ["ladder", "created_by"]
    search_fields = ["name", "slug"]
    inlines = [TournamentEntrantInline]


@admin.register(TournamentLogEntry)
class TournamentLogEntryAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["at", "tournament", "round_number", "by", "action", "reason"]
    list_filter = ["action"]
    list_select_related = ["by", "tournament"]


@admin.register(Notice)
class NoticeAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["user", "text", "created_at", "read_at"]
    list_select_related = ["user"]
    search_fields = ["user__username"]


@admin.register(StaffAction)
class StaffActionAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["at", "by", "action", "target", "reason"]
    list_filter = ["action"]
    list_select_related = ["by"]
    search_fields = ["target", "reason", "by__username"]


def _say_how_many(page: admin.ModelAdmin, request: HttpRequest, rows: Iterable[Model]) -> None:
    count = len(list(rows))
    page.message_user(
        request, ngettext("%(count)d row done.", "%(count)d rows done.", count) % {"count": count}
    )
