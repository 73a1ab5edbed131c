from django.apps.registry import Apps
from django.db import migrations, models
from django.db.models import F


def forget_fits(apps: Apps, _schema_editor: object) -> None:
    """Clear the stored ratings, which are those of another model, so that ladders are fitted."""
    apps.get_model("arena", "Ladder").objects.update(fitted_at=None, fitted_finish_number=0)
    apps.get_model("arena", "Entrant").objects.update(
        rating=None, rating_low=None, rating_high=None, tie_band=None
    )


class Migration(migrations.Migration):
    dependencies = [("arena", "0007_names")]

    operations = [
        migrations.AddField(
            "Ladder", "fitted_in_s", models.FloatField(default=0.0, editable=False)
        ),
        migrations.RemoveIndex("entrant", "entrant_standing"),
        migrations.RenameField("Entrant", "rating", "elo"),
        migrations.RenameField("Entrant", "estimate", "rating"),
        migrations.RenameField("Entrant", "estimate_low", "rating_low"),
        migrations.RenameField("Entrant", "estimate_high", "rating_high"),
        migrations.AddField(
            "Entrant",
            "opponents",
            models.PositiveIntegerField(default=0, verbose_name="opponents"),
        ),
        migrations.AlterModelOptions(
            "entrant", {"ordering": ["ladder", F("rating").desc(nulls_last=True), "pk"]}
        ),
        migrations.AlterField(
            "Entrant", "elo", models.FloatField(default=1500.0, verbose_name="Elo")
        ),
        migrations.AlterField(
            "Entrant", "rating", models.FloatField(blank=True, null=True, verbose_name="rating")
        ),
        migrations.AddIndex(
            "entrant",
            models.Index(fields=["ladder", "active", "-rating"], name="entrant_standing"),
        ),
        migrations.RenameField("SeasonStanding", "rating", "elo"),
        migrations.RenameField("SeasonStanding", "estimate", "rating"),
        migrations.RenameField("SeasonStanding", "estimate_low", "rating_low"),
        migrations.RenameField("SeasonStanding", "estimate_high", "rating_high"),
        migrations.AddField(
            "SeasonStanding",
            "opponents",
            models.PositiveIntegerField(default=0, verbose_name="opponents"),
        ),
        migrations.AlterField("SeasonStanding", "elo", models.FloatField(verbose_name="Elo")),
        migrations.AlterField(
            "SeasonStanding",
            "rating",
            models.FloatField(blank=True, null=True, verbose_name="rating"),
        ),
        # Seasons that have ended were rated by the first model.
        migrations.AddField(
            "Season",
            "rating_model",
            models.PositiveSmallIntegerField(default=1),
            preserve_default=False,
        ),
        migrations.RunPython(forget_fits, migrations.RunPython.noop),
    ]
