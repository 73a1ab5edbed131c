"""Addresses of the API, under `/api/v1/`."""

from django.urls import URLPattern, URLResolver, path, re_path

from arena.api.accounts.views.accounts import MeView, TokensView, TokenView, UsersView
from arena.api.accounts.views.notices import NoticesReadView, NoticesView
from arena.api.base import NoSuchAddressView
from arena.api.bots.views.bots import (
    BotPauseView,
    BotResumeView,
    BotsView,
    BotView,
    VersionLogView,
    VersionsView,
    VersionView,
)
from arena.api.bots.views.challenges import ChallengesView, ChallengeView
from arena.api.bots.views.trials import TrialCancelView, TrialsView, TrialView
from arena.api.bots.views.versions import (
    VersionActivateView,
    VersionRecordView,
    VersionResumeView,
    VersionRetireView,
)
from arena.api.description import DocsView, SchemaView
from arena.api.fairplay.views import AnnulmentsView, SeasonEndView
from arena.api.ladders.views import EntriesView, LaddersView, SeasonsView, SeasonView
from arena.api.matches.views import (
    GameEvidenceView,
    GameLogView,
    GameRecordView,
    GameReplayView,
    MatchesView,
    MatchExplanationsView,
    MatchView,
)
from arena.api.queries.views import HeadToHeadView
from arena.api.queue.views import QueueView
from arena.api.tournaments.views.entrants import (
    TournamentAnswerView,
    TournamentEntrantsView,
    TournamentEntrantView,
    TournamentTakeListView,
    TournamentTakeTopView,
)
from arena.api.tournaments.views.interventions import TournamentActsView
from arena.api.tournaments.views.own_entries import TournamentMineView
from arena.api.tournaments.views.rounds import (
    TournamentBracketView,
    TournamentCrosstableView,
    TournamentLogView,
    TournamentRoundsView,
    TournamentRoundView,
    TournamentStandingsView,
)
from arena.api.tournaments.views.stages import (
    TournamentCancelView,
    TournamentFreezeView,
    TournamentOpenView,
    TournamentOrganizersView,
    TournamentOrganizerView,
    TournamentPauseView,
    TournamentRehearsalsView,
    TournamentRehearseView,
    TournamentReleaseView,
    TournamentResumeView,
    TournamentRoundReleaseView,
    TournamentStartView,
)
from arena.api.tournaments.views.tournaments import (
    TournamentEstimateView,
    TournamentExportView,
    TournamentPreviewView,
    TournamentsView,
    TournamentTemplatesView,
    TournamentView,
)
from arena.api.variants.views import VariantLedgerView, VariantSchemaView, VariantsView, VariantView

BOT = "bots/<slug:owner>/<slug:slug>"
VERSION = f"{BOT}/versions/<int:number>"
GAME = "games/<slug:match_id>/<int:number>"
TOURNAMENT = "tournaments/<slug:slug>"
ENTRANT = f"{TOURNAMENT}/entrants/<slug:owner>/<slug:bot>"
STAGES = {
    "open": TournamentOpenView,
    "freeze": TournamentFreezeView,
    "start": TournamentStartView,
    "pause": TournamentPauseView,
    "resume": TournamentResumeView,
    "release": TournamentReleaseView,
    "cancel": TournamentCancelView,
    "rehearse": TournamentRehearseView,
}
SHOWN = {
    "standings": TournamentStandingsView,
    "rounds": TournamentRoundsView,
    "crosstable": TournamentCrosstableView,
    "bracket": TournamentBracketView,
    "log": TournamentLogView,
    "estimate": TournamentEstimateView,
    "export": TournamentExportView,
    "rehearsals": TournamentRehearsalsView,
    "entrants": TournamentEntrantsView,
    "mine": TournamentMineView,
}

urlpatterns: list[URLPattern | URLResolver] = [
    path("users", UsersView.as_view(), name="api-users"),
    path("tokens", TokensView.as_view(), name="api-tokens"),
    path("tokens/<slug:token_id>", TokenView.as_view(), name="api-token"),
    path("me", MeView.as_view(), name="api-me"),
    path("bots", BotsView.as_view(), name="api-bots"),
    path(BOT, BotView.as_view(), name="api-bot"),
    path(f"{BOT}/pause", BotPauseView.as_view(), name="api-bot-pause"),
    path(f"{BOT}/resume", BotResumeView.as_view(), name="api-bot-resume"),
    path(f"{BOT}/versions", VersionsView.as_view(), name="api-versions"),
    path(f"{BOT}/versions/<int:number>", VersionView.as_view(), name="api-version"),
    path(f"{BOT}/versions/<int:number>/log", VersionLogView.as_view(), name="api-version-log"),
    path(
        f"{BOT}/vs/<slug:other_owner>/<slug:other>",
        HeadToHeadView.as_view(),
        name="api-head-to-head",
    ),
    path(f"{VERSION}/activate", VersionActivateView.as_view(), name="api-version-activate"),
    path(f"{VERSION}/retire", VersionRetireView.as_view(), name="api-version-retire"),
    path(f"{VERSION}/resume", VersionResumeView.as_view(), name="api-version-resume"),
    path(f"{VERSION}/record", VersionRecordView.as_view(), name="api-version-record"),
    path(f"{VERSION}/trials", TrialsView.as_view(), name="api-trials"),
    path("trials/<slug:trial_id>", TrialView.as_view(), name="api-trial"),
    path("trials/<slug:trial_id>/cancel", TrialCancelView.as_view(), name="api-trial-cancel"),
    path("notices", NoticesView.as_view(), name="api-notices"),
    path("notices/read", NoticesReadView.as_view(), name="api-notices-read"),
    path("challenges", ChallengesView.as_view(), name="api-challenges"),
    path("challenges/<slug:match_id>", ChallengeView.as_view(), name="api-challenge"),
    path("ladders", LaddersView.as_view(), name="api-ladders"),
    path("ladders/<slug:slug>/entries", EntriesView.as_view(), name="api-entries"),
    path("ladders/<slug:slug>/seasons", SeasonsView.as_view(), name="api-seasons"),
    path("ladders/<slug:slug>/seasons/<int:number>", SeasonView.as_view(), name="api-season"),
    path("queue", QueueView.as_view(), name="api-queue"),
    path("variants", VariantsView.as_view(), name="api-variants"),
    path("variants/<str:slug>", VariantView.as_view(), name="api-variant"),
    path("variants/<str:slug>/schema", VariantSchemaView.as_view(), name="api-variant-schema"),
    path("variants/<str:slug>/ledger", VariantLedgerView.as_view(), name="api-variant-ledger"),
    path("matches", MatchesView.as_view(), name="api-matches"),
    path("matches/<slug:match_id>", MatchView.as_view(), name="api-match"),
    path(
        "matches/<slug:match_id>/explanations",
        MatchExplanationsView.as_view(),
        name="api-match-explanations",
    ),
    path("tournaments", TournamentsView.as_view(), name="api-tournaments"),
    path(
        "tournament-templates",
        TournamentTemplatesView.as_view(),
        name="api-tournament-templates",
    ),
    path("tournament-preview", TournamentPreviewView.as_view(), name="api-tournament-preview"),
    path(TOURNAMENT, TournamentView.as_view(), name="api-tournament"),
    *(
        path(f"{TOURNAMENT}/{name}", view.as_view(), name=f"api-tournament-{name}")
        for name, view in (STAGES | SHOWN).items()
    ),
    path(
        f"{TOURNAMENT}/rounds/<int:number>",
        TournamentRoundView.as_view(),
        name="api-tournament-round",
    ),
    path(
        f"{TOURNAMENT}/rounds/<int:number>/release",
        TournamentRoundReleaseView.as_view(),
        name="api-tournament-round-release",
    ),
    path(
        f"{TOURNAMENT}/take-top",
        TournamentTakeTopView.as_view(),
        name="api-tournament-take-top",
    ),
    path(
        f"{TOURNAMENT}/take-list",
        TournamentTakeListView.as_view(),
        name="api-tournament-take-list",
    ),
    path(
        f"{TOURNAMENT}/organizers",
        TournamentOrganizersView.as_view(),
        name="api-tournament-organizers",
    ),
    path(
        f"{TOURNAMENT}/organizers/<slug:username>",
        TournamentOrganizerView.as_view(),
        name="api-tournament-organizer",
    ),
    path(ENTRANT, TournamentEntrantView.as_view(), name="api-tournament-entrant"),
    path(f"{ENTRANT}/answer", TournamentAnswerView.as_view(), name="api-tournament-answer"),
    path(f"{TOURNAMENT}/acts", TournamentActsView.as_view(), name="api-tournament-acts"),
    path("staff/annulments", AnnulmentsView.as_view(), name="api-annulments"),
    path("staff/ladders/<slug:slug>/season-end", SeasonEndView.as_view(), name="api-season-end"),
    path(f"{GAME}/replay", GameReplayView.as_view(), name="api-game-replay"),
    path(f"{GAME}/record", GameRecordView.as_view(), name="api-game-record"),
    path(f"{GAME}/log", GameLogView.as_view(), name="api-game-log"),
    path(f"{GAME}/evidence", GameEvidenceView.as_view(), name="api-game-evidence"),
    path("schema/", SchemaView.as_view(), name="api-schema"),
    path("docs/", DocsView.as_view(), name="api-docs"),
    re_path(r"", NoSuchAddressView.as_view()),
]
