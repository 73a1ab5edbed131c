# mypy: disable-error-code="type-arg"
# Django's admin classes take parameters for the type checker only, not when they run.
"""The admin pages of operators. Rows that must not be edited by hand are read-only.

`arena.admin_site` logs every action here.
"""

from collections.abc import Iterable

from allauth.mfa import admin as mfa_admin
from allauth.socialaccount import admin as social_admin
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm
from django.db.models import Model, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext

from arena.domain.accounts import accounts, permissions
from arena.domain.bots import bots
from arena.domain.ladders import ladders
from arena.domain.tournaments import changes
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
admin.site.unregister(social_admin.SocialApp)  # its pages show the secrets at providers
admin.site.unregister(social_admin.SocialToken)  # likewise, and the site keeps none
admin.site.unregister(social_admin.SocialAccount)
admin.site.unregister(mfa_admin.Authenticator)  # its page shows the secrets of the apps


class Unchangeable:
    """Mixin: rows can be viewed, but not added, changed or deleted."""

    def has_add_permission(self, _request: HttpRequest, _parent: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _row: Model | None = None) -> bool:
        """Refuse."""
        return False


class SavesChangedFields(admin.ModelAdmin):
    """A page that writes only the fields that were changed in the form.

    The row was read earlier, so writing all fields would undo what the site has counted since.
    """

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Save a new row, or the changed fields of an existing row."""
        if change:
            obj.save(update_fields=form.changed_data)
        else:
            super().save_model(request, obj, form, change)


class PasswordForm(AdminPasswordChangeForm):
    """The form in which operators give a user a new password."""

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - Django's signature
        """Store the password, and end the access that the old one gave."""
        user: User = super().save(commit)
        accounts.end_old_access(user=user, end_tokens=True)
        return user


@admin.register(User)
class OwnUserAdmin(UserAdmin):
    # Closing an account clears it. To keep somebody out, ban the user: that also stops the bots.
    readonly_fields = ["is_active", "last_login", "date_joined"]
    change_password_form = PasswordForm


@admin.register(mfa_admin.Authenticator)
class SecondFactorAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["user", "type", "created_at", "last_used_at"]
    fields = ["user", "type", "created_at", "last_used_at"]
    search_fields = ["user__username"]

    def has_delete_permission(self, request: HttpRequest, _row: Model | None = None) -> bool:
        """Allow operators to help a user who has lost the factor and the recovery codes."""
        return permissions.may_revoke_tokens(request.user)


@admin.register(ApiToken)
class ApiTokenAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["public_id", "user", "name", "scopes", "created", "last_used", "expiry"]
    fields = ["public_id", "user", "name", "scopes", "created", "last_used", "expiry"]
    search_fields = ["user__username", "name"]

    def has_delete_permission(self, request: HttpRequest, _row: Model | None = None) -> bool:
        """Let operators revoke a token."""
        return permissions.may_revoke_tokens(request.user)


@admin.register(Bot)
class BotAdmin(Unchangeable, SavesChangedFields):
    list_display = ["__str__", "name", "active_version", "is_paused", "created_at"]
    list_filter = ["is_paused"]
    list_select_related = ["owner", "active_version__bot__owner"]
    search_fields = ["slug", "name", "owner__username"]
    readonly_fields = ["owner", "slug", "active_version", "is_paused", "created_at"]
    actions = ["pause", "resume"]

    def has_change_permission(self, request: HttpRequest, row: Model | None = None) -> bool:
        """Allow it to operators with the permission, also for the actions."""
        return SavesChangedFields.has_change_permission(self, request, row)

    @admin.action(description=gettext_lazy("Pause: no more rated matches"), permissions=["change"])
    def pause(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        for bot in queryset:
            bots.pause(bot=bot)
        _report_count(self, request, queryset)

    @admin.action(description=gettext_lazy("Resume"), permissions=["change"])
    def resume(self, request: HttpRequest, queryset: QuerySet[Bot]) -> None:
        for bot in queryset:
            bots.resume(bot=bot)
        _report_count(self, request, queryset)


class VersionCheckInline(Unchangeable, admin.TabularInline):
    model = VersionCheck
    fields = ["step", "state", "message", "took_ms"]  # no log: reading one must itself be logged
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
class LadderAdmin(SavesChangedFields):
    list_display = [
        "name", "slug", "variant", "entrants_per_match", "is_open", "is_remote",
        "next_finish_number",
    ]  # fmt: skip
    readonly_fields = ["next_finish_number", "created_at"]

    def get_readonly_fields(self, request: HttpRequest, obj: Ladder | None = None) -> list[str]:
        """Make the rules read-only once a match is rated or a tournament is published.

        While a tournament is under way, its clock is read-only too.
        """
        fields = [str(name) for name in super().get_readonly_fields(request, obj)]
        if obj is None:
            return fields
        published = obj.tournaments.exclude(status=TournamentStatus.DRAFT)
        if obj.next_finish_number > 1 or published.exists():
            fields += ["slug", "variant", "options", "entrants_per_match"]
        if obj.matches.exists() or obj.entrants.exists():
            fields += ["is_remote"]
        if published.filter(status__in=changes.UNDER_WAY).exists():
            fields += ["startup_ms", "bank_ms", "increment_ms", "action_ms"]
        return fields

    def save_model(self, request: HttpRequest, obj: Model, form: ModelForm, change: bool) -> None:  # noqa: FBT001 - Django's signature
        """Save the ladder, and enter the versions that were ready before."""
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
    exclude = ["detail"]  # staff see it when everybody does
    readonly_fields = ["told_detail"]
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
        "ladder", "finish_number", "version", "before", "after", "expected", "score", "match",
    ]  # fmt: skip
    list_filter = ["ladder"]
    list_select_related = ["ladder", "version__bot__owner", "match"]


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
    list_display = ["user", "kind", "text", "created_at", "read_at", "is_mailed"]
    list_select_related = ["user"]
    search_fields = ["user__username"]


@admin.register(StaffAction)
class StaffActionAdmin(Unchangeable, admin.ModelAdmin):
    list_display = ["at", "by", "action", "target", "reason"]
    list_filter = ["action"]
    list_select_related = ["by"]
    search_fields = ["target", "reason", "by__username"]


def _report_count(page: admin.ModelAdmin, request: HttpRequest, rows: Iterable[Model]) -> None:
    count = len(list(rows))
    message = ngettext("%(count)d row changed.", "%(count)d rows changed.", count)
    page.message_user(request, message % {"count": count})
