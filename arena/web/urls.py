from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from arena.web import event_streams
from arena.web.accounts import views as accounts
from arena.web.bots.views import bots, challenges, manual, person_games, points, versions, wheels
from arena.web.fairplay import moderation
from arena.web.fairplay import views as staff
from arena.web.ladders import views as ladders
from arena.web.matches.views import feeds, forensics, games, live, matches
from arena.web.overview.views import crawlers, head_to_head, health, home, search
from arena.web.queue import views as queue
from arena.web.tournaments.views import (
    console,
    entries,
    files,
    results,
    tournaments,
    wizard,
)
from arena.web.variants import views as variants
from arena.web.webhooks import views as webhooks

bot_urls = [
    path("", bots.bot, name="bot"),
    path("results.atom", feeds.bot_feed, name="bot-feed"),
    path("report/", moderation.report_bot, name="bot-report"),
    path("edit/", bots.edit, name="bot-edit"),
    path("pause/", bots.pause, name="bot-pause"),
    path("retire/", bots.retire, name="bot-retire"),
    path("delete/", bots.delete, name="bot-delete"),
    path("gate/", bots.gate, name="bot-gate"),
    path("challenge/", challenges.ask, name="challenge"),
    path("challenges/", challenges.willing, name="bot-challenges"),
    path("play/", person_games.ask, name="person-game-ask"),
    path("points/", points.points, name="bot-points"),
    path("vs/", head_to_head.pick, name="head-to-head-pick"),
    path("vs/<slug:other_owner>/<slug:other>/", head_to_head.compare, name="head-to-head"),
    path("versions/new/", bots.new_version, name="version-new"),
]

version_urls = [
    path("", versions.version, name="version"),
    path("record/", versions.record, name="version-record"),
    path("checklist/", versions.checklist, name="version-checklist"),
    path("activate/", versions.activate, name="version-activate"),
    path("retire/", versions.retire, name="version-retire"),
    path("resume/", versions.resume, name="version-resume"),
    path("try/", versions.start_trial, name="version-try"),
    path("trials/", versions.trial_list, name="version-trials"),
]

match_urls = [
    path("", matches.match, name="match"),
    path("live/", live.live, name="match-live"),
    path("changes/", event_streams.of_match, name="match-changes"),
    path("games/<int:number>/", games.game, name="game"),
    path("games/<int:number>/embed/", games.embed, name="game-embed"),
    path("games/<int:number>/replay/", games.replay, name="game-replay"),
    path("games/<int:number>/remarks/", games.remarks, name="game-remarks"),
    path("games/<int:number>/forensics/", forensics.game_forensics, name="game-forensics"),
]

tournament_urls = [
    path("", tournaments.tournament, name="tournament"),
    path("edit/", wizard.edit, name="tournament-edit"),
    path("report/", moderation.report_tournament, name="tournament-report"),
    path("changes/", event_streams.of_tournament, name="tournament-changes"),
    path("standings/", results.standings, name="tournament-standings"),
    path("rounds/", results.rounds, name="tournament-rounds"),
    path("rounds/<int:number>/", results.tournament_round, name="tournament-round"),
    path("crosstable/", results.cross, name="tournament-crosstable"),
    path("bracket/", results.bracket, name="tournament-bracket"),
    path("log/", results.log, name="tournament-log"),
    path("print/", results.printable, name="tournament-print"),
    path("embed/", results.embed, name="tournament-embed"),
    path("entrants/", results.entrants, name="tournament-entrants"),
    path("entrants/top/", entries.take_top, name="tournament-take-top"),
    path("entrants/list/", entries.take_list, name="tournament-take-list"),
    path("entrants/one/", entries.take_one, name="tournament-take-one"),
    path("enter/", entries.enter, name="tournament-enter"),
    path("leave/", entries.leave, name="tournament-leave"),
    path("version/", entries.version, name="tournament-version"),
    path("answer/", entries.answer, name="tournament-answer"),
    path("export.csv", files.export_csv, name="tournament-csv"),
    path("export.json", files.export_json, name="tournament-json"),
    path("calendar.ics", files.calendar, name="tournament-calendar"),
    path("results.atom", feeds.tournament_feed, name="tournament-feed"),
    path("manage/", console.manage, name="tournament-manage"),
    re_path(
        r"^manage/(?P<action>open|freeze|freeze-and-start|start|pause|resume|release|cancel)/$",
        console.stage,
        name="tournament-stage",
    ),
    path("manage/rounds/", console.release_round, name="tournament-release-round"),
    path("manage/organizers/add/", console.add_organizer, name="tournament-organizer-add"),
    path("manage/organizers/remove/", console.remove_organizer, name="tournament-organizer-remove"),
    path("manage/act/<slug:name>/", console.intervene, name="tournament-act"),
    path("rehearsal/", console.rehearsal, name="tournament-rehearsal"),
    path("rehearsal/discard/", console.discard, name="tournament-discard"),
]

webhook_urls = [
    path("", webhooks.webhook, name="webhook"),
    path("rotate/", webhooks.rotate, name="webhook-rotate"),
    path("switch/", webhooks.switch, name="webhook-switch"),
    path("test/", webhooks.test, name="webhook-test"),
    path("delete/", webhooks.delete, name="webhook-delete"),
    path("deliveries/", webhooks.deliveries, name="webhook-deliveries"),
    path("deliveries/<slug:delivery_id>/again/", webhooks.send_again, name="webhook-again"),
]

person_game_urls = [
    path("", person_games.game, name="person-game"),
    path("turn", person_games.turn, name="person-game-turn"),
    path("answer", person_games.answer, name="person-game-answer"),
    path("draft", person_games.draft, name="person-game-draft"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("search/", search.search, name="search"),
    path("ladders/", ladders.ladder_list, name="ladder-list"),
    path("ladders/<slug:slug>/", ladders.ladder, name="ladder"),
    path("ladders/<slug:slug>/leaderboard.csv", ladders.leaderboard_csv, name="ladder-csv"),
    path("ladders/<slug:slug>/records/", ladders.records, name="ladder-records"),
    path("ladders/<slug:slug>/results.atom", feeds.ladder_feed, name="ladder-feed"),
    path("ladders/<slug:slug>/seasons/<int:number>/", ladders.season, name="season"),
    path("bots/", bots.bot_list, name="bot-list"),
    path("bots/new/", bots.new_bot, name="bot-new"),
    path("bots/<slug:owner>/<slug:bot>/", include(bot_urls)),
    path("bots/<slug:owner>/<slug:bot>/versions/<int:number>/", include(version_urls)),
    path("trials/<slug:public_id>/cancel/", versions.cancel_trial, name="trial-cancel"),
    path("notices/", accounts.notice_list, name="notices"),
    path("notices/read/", accounts.mark_read, name="notices-read"),
    path("challenges/", challenges.challenge_list, name="challenge-list"),
    path("challenges/<slug:public_id>/cancel/", challenges.cancel, name="challenge-cancel"),
    path("play/", person_games.play, name="play"),
    path("play/<str:key>/", include(person_game_urls)),
    path("matches/", matches.match_list, name="match-list"),
    path("matches/changes/", event_streams.of_matches, name="matches-changes"),
    path("matches/<slug:public_id>/", include(match_urls)),
    path("tournaments.ics", files.all_dates, name="tournament-dates"),
    path("tournaments/", tournaments.tournament_list, name="tournament-list"),
    path("tournaments/new/", wizard.new, name="tournament-new"),
    path("tournaments/<slug:slug>/", include(tournament_urls)),
    path("@<slug:username>/", accounts.user, name="user"),
    path("@<slug:username>/report/", moderation.report_user, name="user-report"),
    path("queue/", queue.queue, name="queue"),
    path("queue/changes/", event_streams.of_queue, name="queue-changes"),
    path("staff/", staff.overview, name="staff"),
    path("staff/log/", staff.log, name="staff-log"),
    path("staff/surprises/", staff.surprise_list, name="staff-surprises"),
    path("staff/surprises.csv", staff.surprises_csv, name="staff-surprises-csv"),
    path("staff/reports/", moderation.report_list, name="staff-reports"),
    path("staff/reports/<int:pk>/", moderation.report, name="staff-report"),
    path("staff/users/<slug:username>/", moderation.user, name="staff-user"),
    re_path(
        r"^staff/users/(?P<username>[-\w]+)/(?P<action>ban|lift|rename)/$",
        moderation.act_on_user,
        name="staff-user-act",
    ),
    path("staff/bots/<slug:owner>/<slug:bot>/", moderation.bot, name="staff-bot"),
    re_path(
        r"^staff/bots/(?P<owner>[-\w]+)/(?P<bot>[-\w]+)/(?P<action>rename|clear)/$",
        moderation.act_on_bot,
        name="staff-bot-act",
    ),
    path("staff/tournaments/<slug:slug>/", moderation.tournament, name="staff-tournament"),
    re_path(
        r"^staff/tournaments/(?P<slug>[-\w]+)/(?P<action>rename|clear)/$",
        moderation.act_on_tournament,
        name="staff-tournament-act",
    ),
    path("staff/annul/", staff.annul, name="staff-annul"),
    path("staff/ladders/<slug:slug>/season/", staff.season, name="staff-season"),
    path("staff/matches/<slug:public_id>/", staff.match, name="staff-match"),
    re_path(
        r"^staff/matches/(?P<public_id>[-\w]+)/(?P<action>void|cancel|rerun)/$",
        staff.act,
        name="staff-act",
    ),
    path("docs/", manual.index, name="docs"),
    path("docs/sdk/", manual.sdk, name="sdk"),
    path("docs/starters/", manual.starter_list, name="starters"),
    path("docs/starters/<slug:game>/<slug:lang>.zip", manual.starter, name="starter"),
    path("docs/<slug:kind>/<slug:name>/", manual.page, name="docs-page"),
    path("protocol/", manual.protocol, name="protocol"),
    # It needs no token, so that pages of visitors need no cookie. A language is all it changes.
    path("language/", csrf_exempt(set_language), name="set-language"),
    path("variants/", variants.variant_list, name="variant-list"),
    path("variants/<slug:slug>/", variants.variant, name="variant"),
    path("variants/<slug:slug>/ledger/", variants.ledger, name="variant-ledger"),
    path("variants/<slug:slug>/<slug:language>/", variants.variant_in, name="variant-in"),
    path("kit/", wheels.index, name="wheels"),
    path("kit/<str:name>", wheels.download, name="wheel"),
    path("account/data/", accounts.own_data, name="own-data"),
    path("account/data.json", accounts.own_data_file, name="own-data-file"),
    path("account/close/", accounts.close, name="account-close"),
    path("account/keep/", accounts.keep, name="account-keep"),
    path("account/mail/", accounts.mail_preferences, name="mail-preferences"),
    path("account/mail/stop/<str:token>/", accounts.mail_stop, name="mail-stop"),
    path("account/tokens/", accounts.tokens, name="tokens"),
    path("account/tokens/<slug:public_id>/revoke/", accounts.revoke, name="token-revoke"),
    path("account/webhooks/", webhooks.webhook_list, name="webhooks"),
    path("account/webhooks/<slug:public_id>/", include(webhook_urls)),
    path("status/", health.status, name="status"),
    path("robots.txt", crawlers.robots, name="robots"),
    path("sitemap.xml", crawlers.sitemap, name="sitemap"),
    path("sitemap-<slug:section>.xml", crawlers.sitemap_section, name="sitemap-section"),
    path("favicon.ico", crawlers.icon, name="icon"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
