"""Compiled languages, what is kept of a forfeit, and the isolation of a version's checks."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

BUILT = "built"
AFTER_BUILT = ("protocol", "smoke", "ready")


def make_room_for_built(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Move the later lines of every checklist down: one of a waiting upload may get a new line."""
    VersionCheck = apps.get_model("arena", "VersionCheck")
    VersionCheck.objects.filter(step__in=AFTER_BUILT).update(position=F("position") + 1)


def close_the_gap(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take out the line that an earlier release does not know."""
    VersionCheck = apps.get_model("arena", "VersionCheck")
    VersionCheck.objects.filter(step=BUILT).delete()
    VersionCheck.objects.filter(step__in=AFTER_BUILT).update(position=F("position") - 1)


class Migration(migrations.Migration):

    dependencies = [("arena", "0003_entrants_per_match")]

    operations = [
        migrations.CreateModel(
            name="GameEvidence",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveSmallIntegerField()),
                ("seat", models.CharField(max_length=16, verbose_name="seat")),
                ("request", models.BinaryField(verbose_name="what it was sent")),
                ("received", models.BinaryField(verbose_name="what came back")),
                ("charged_ms", models.FloatField(verbose_name="charged (ms)")),
                ("allowance_ms", models.FloatField(verbose_name="allowed (ms)")),
                ("wall_ms", models.FloatField(verbose_name="wall time (ms)")),
                (
                    "cpu_ms",
                    models.FloatField(blank=True, null=True, verbose_name="CPU time in all (ms)"),
                ),
                (
                    "peak_memory_bytes",
                    models.PositiveBigIntegerField(
                        blank=True, null=True, verbose_name="peak memory"
                    ),
                ),
                (
                    "exit_status",
                    models.IntegerField(blank=True, null=True, verbose_name="exit status"),
                ),
                ("signal", models.IntegerField(blank=True, null=True, verbose_name="signal")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="evidence",
                        to="arena.game",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "game evidence",
                "constraints": [
                    models.UniqueConstraint(fields=("game", "seat"), name="evidence_seat_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="VersionBuild",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("image", models.CharField(max_length=200, verbose_name="image")),
                ("digest", models.CharField(max_length=64, verbose_name="digest")),
                ("artefact", models.BinaryField()),
                (
                    "version",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="build",
                        to="arena.version",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="version",
            name="isolation",
            field=models.CharField(
                blank=True, default="", max_length=20, verbose_name="isolation"
            ),
        ),
        migrations.AlterField(
            model_name="version",
            name="language",
            field=models.CharField(blank=True, default="", max_length=20, verbose_name="language"),
        ),
        migrations.RemoveConstraint(model_name="versioncheck", name="check_step_known"),
        migrations.AlterField(
            model_name="versioncheck",
            name="step",
            field=models.CharField(
                choices=[
                    ("received", "received"),
                    ("scanned", "scanned"),
                    ("built", "built"),
                    ("protocol", "protocol check"),
                    ("smoke", "smoke match"),
                    ("ready", "on the ladder"),
                ],
                max_length=16,
                verbose_name="step",
            ),
        ),
        migrations.RunPython(make_room_for_built, close_the_gap),
        migrations.AddConstraint(
            model_name="versioncheck",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("step__in", ["received", "scanned", "built", "protocol", "smoke", "ready"])
                ),
                name="check_step_known",
            ),
        ),
    ]
