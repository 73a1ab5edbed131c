"""Matches of more than two entrants, and variants with sides of several seats."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

CHECKED_UNTIL_NOW = ["classic", "general"]
UNCHECKED = ("uploaded", "scanning", "checking", "smoke")


def name_seats_of_logs(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now every entrant held one seat, so that its position says which."""
    GameLog = apps.get_model("arena", "GameLog")
    for log in GameLog.objects.select_related("game").iterator(chunk_size=500):
        log.seat = next(s for s, position in log.game.seats.items() if position == log.position)
        log.save(update_fields=["seat"])


def name_what_was_checked(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Set the variants of versions for "all variants": nobody has checked them for a new one."""
    Version = apps.get_model("arena", "Version")
    checked = Version.objects.filter(variants=[]).exclude(status__in=UNCHECKED)
    checked.update(variants=CHECKED_UNTIL_NOW)


class Migration(migrations.Migration):

    dependencies = [("arena", "0002_ladders")]

    operations = [
        migrations.AddField(
            model_name="ladder",
            name="entrants_per_match",
            field=models.PositiveSmallIntegerField(default=2, verbose_name="entrants in a match"),
        ),
        migrations.AddConstraint(
            model_name="ladder",
            constraint=models.CheckConstraint(
                condition=models.Q(("entrants_per_match__gte", 2)),
                name="ladder_matches_are_between_some",
            ),
        ),
        migrations.AddField(
            model_name="gamelog",
            name="seat",
            field=models.CharField(default="", max_length=16, verbose_name="seat"),
            preserve_default=False,
        ),
        migrations.RunPython(name_seats_of_logs, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="gamelog", name="log_position_once"),
        migrations.AddConstraint(
            model_name="gamelog",
            constraint=models.UniqueConstraint(fields=("game", "seat"), name="log_seat_once"),
        ),
        migrations.RunPython(name_what_was_checked, migrations.RunPython.noop),
    ]
