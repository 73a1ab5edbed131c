from django.db import migrations, models
from django.db.models import Q

from arena.management.live_indexes import AddLiveIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0022_live_indexes")]

    operations = [
        AddLiveIndex("bot", models.Index(fields=["-created_at", "-id"], name="bot_newest")),
        AddLiveIndex(
            "entrant",
            models.Index(
                fields=["ladder", "-rating", "bot", "last_match_at", "entered_at", "id"],
                condition=Q(active=True),
                name="entrant_best_first",
            ),
        ),
        AddLiveIndex(
            "entrant",
            models.Index(
                fields=["ladder", "deferred_until_s"],
                condition=Q(deferred_until_s__gt=0),
                name="entrant_deferred",
            ),
        ),
        AddLiveIndex(
            "matchentrant",
            models.Index(fields=["version", "-match"], name="entrant_latest_matches"),
        ),
        AddLiveIndex(
            "seasonstanding",
            models.Index(fields=["season", "rank", "id"], name="season_standing_rank"),
        ),
    ]
