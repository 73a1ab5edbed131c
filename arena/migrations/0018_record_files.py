import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0017_runner_report")]

    operations = [
        migrations.AddField(
            "ladder", "filed_until", models.DateField(null=True, blank=True, editable=False)
        ),
        migrations.CreateModel(
            name="RecordFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("day", models.DateField(verbose_name="day")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("revision", models.PositiveIntegerField(default=1, verbose_name="revision")),
                ("made_at", models.DateTimeField(auto_now=True, verbose_name="made at")),
                ("games", models.PositiveIntegerField(verbose_name="games")),
                ("size_bytes", models.PositiveBigIntegerField(verbose_name="size (bytes)")),
                ("digest", models.CharField(max_length=64, verbose_name="SHA-256")),
                ("blob", models.BinaryField()),
                (
                    "ladder",
                    models.ForeignKey(
                        to="arena.ladder",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="record_files",
                    ),
                ),
            ],
            options={
                "ordering": ["ladder", "day", "number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=["ladder", "day", "number"], name="record_file_number_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            "match",
            "record_file",
            models.ForeignKey(
                to="arena.recordfile",
                on_delete=django.db.models.deletion.PROTECT,
                null=True,
                blank=True,
                editable=False,
                related_name="matches",
            ),
        ),
    ]
