from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

from arena.management.live_indexes import AddLiveIndex, DropLiveIndex

# Django's second index of a unique text, for looking up its beginning, which nobody does.
LIKE = "arena_match_public_id_6d5e4ea7_like"


def drop_the_second_index(_apps: object, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {LIKE}")


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0024_foreign_keys_with_one_index")]

    operations = [
        AddLiveIndex(
            "match",
            models.Index(
                fields=["status", "-created_at"],
                condition=Q(
                    status__in=[
                        "created", "queued", "leased", "running", "retrying", "failed", "cancelled"
                    ]
                ),
                name="match_unfinished_newest",
            ),
        ),
        AddLiveIndex(
            "match",
            models.Index(
                fields=["kind", "-created_at"],
                condition=Q(kind__in=["challenge", "trial", "probe", "tournament"]),
                name="match_unrated_kind_newest",
            ),
        ),
        DropLiveIndex("match", "match_status_queued"),
        DropLiveIndex("match", "match_kind_newest"),
        DropLiveIndex("match", "match_ladder_finish"),
        migrations.RunPython(drop_the_second_index, migrations.RunPython.noop),
    ]
