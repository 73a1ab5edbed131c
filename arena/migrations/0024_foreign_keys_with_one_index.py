from django.db import migrations, models

from arena.management.live_indexes import DropForeignKeyIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0023_scale")]

    operations = [
        DropForeignKeyIndex(
            "match",
            "ladder",
            models.ForeignKey(
                "arena.ladder", on_delete=models.PROTECT, related_name="matches", db_index=False
            ),
            index="arena_match_ladder_id_25723ddd",
        ),
        DropForeignKeyIndex(
            "matchentrant",
            "match",
            models.ForeignKey(
                "arena.match", on_delete=models.CASCADE, related_name="entrants", db_index=False
            ),
            index="arena_matchentrant_match_id_5d24c7ee",
        ),
        DropForeignKeyIndex(
            "matchentrant",
            "version",
            models.ForeignKey(
                "arena.version", on_delete=models.PROTECT, related_name="match_entries", db_index=False
            ),
            index="arena_matchentrant_version_id_62aa3521",
        ),
        DropForeignKeyIndex(
            "game",
            "match",
            models.ForeignKey(
                "arena.match", on_delete=models.CASCADE, related_name="games", db_index=False
            ),
            index="arena_game_match_id_7735bb70",
        ),
        DropForeignKeyIndex(
            "gamelog",
            "game",
            models.ForeignKey(
                "arena.game", on_delete=models.CASCADE, related_name="logs", db_index=False
            ),
            index="arena_gamelog_game_id_c8faffc9",
        ),
        DropForeignKeyIndex(
            "gameevidence",
            "game",
            models.ForeignKey(
                "arena.game", on_delete=models.CASCADE, related_name="evidence", db_index=False
            ),
            index="arena_gameevidence_game_id_8d786076",
        ),
        DropForeignKeyIndex(
            "ratingevent",
            "ladder",
            models.ForeignKey(
                "arena.ladder", on_delete=models.PROTECT, related_name="rating_events", db_index=False
            ),
            index="arena_ratingevent_ladder_id_023f5a44",
        ),
        DropForeignKeyIndex(
            "ratingevent",
            "match",
            models.ForeignKey(
                "arena.match", on_delete=models.PROTECT, related_name="rating_events", db_index=False
            ),
            index="arena_ratingevent_match_id_142444e0",
        ),
    ]
