from django.urls import path

from arena.web.views import (
    bots,
    challenges,
    forensics,
    games,
    headtohead,
    health,
    home,
    ladders,
    matches,
    people,
    queue,
    tokens,
    uploads,
    variants,
    versions,
)

BOT = "bots/<slug:owner>/<slug:bot>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("ladders/", ladders.ladder_list, name="ladder-list"),
    path("ladders/<slug:slug>/", ladders.ladder, name="ladder"),
    path("ladders/<slug:slug>/seasons/<int:number>/", ladders.season, name="season"),
    path("bots/", bots.bot_list, name="bot-list"),
    path("bots/new/", uploads.new_bot, name="bot-new"),
    path(BOT, bots.bot, name="bot"),
    path(f"{BOT}pause/", bots.pause, name="bot-pause"),
    path(f"{BOT}challenge/", challenges.ask, name="challenge"),
    path(f"{BOT}challenges/", challenges.willing, name="bot-challenges"),
    path(f"{BOT}versions/new/", uploads.new_version, name="version-new"),
    path(f"{BOT}versions/<int:number>/", versions.version, name="version"),
    path(f"{BOT}versions/<int:number>/checklist/", versions.checklist, name="version-checklist"),
    path(f"{BOT}vs/", headtohead.pick, name="head-to-head-pick"),
    path(
        f"{BOT}vs/<slug:other_owner>/<slug:other>/", headtohead.head_to_head, name="head-to-head"
    ),
    path("challenges/", challenges.challenge_list, name="challenge-list"),
    path("challenges/<slug:public_id>/cancel/", challenges.cancel, name="challenge-cancel"),
    path("matches/", matches.match_list, name="match-list"),
    path("matches/<slug:public_id>/", matches.match, name="match"),
    path("matches/<slug:public_id>/games/<int:number>/", games.game, name="game"),
    path("matches/<slug:public_id>/games/<int:number>/replay/", games.replay, name="game-replay"),
    path(
        "matches/<slug:public_id>/games/<int:number>/forensics/",
        forensics.game_forensics,
        name="game-forensics",
    ),
    path("@<slug:username>/", people.user, name="user"),
    path("queue/", queue.queue, name="queue"),
    path("protocol/", variants.protocol, name="protocol"),
    path("variants/", variants.variant_list, name="variant-list"),
    path("variants/<slug:slug>/", variants.variant, name="variant"),
    path("variants/<slug:slug>/ledger/", variants.ledger, name="variant-ledger"),
    path("variants/<slug:slug>/<slug:language>/", variants.variant_in, name="variant-in"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/tokens/<slug:public_id>/revoke/", tokens.revoke, name="token-revoke"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
]
