from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0010_trial_margins")]

    operations = [
        migrations.AddField("QueueShare", "clock_s", models.FloatField(default=10.0, db_default=10.0)),
        migrations.AddField(
            "Match", "foreseen_on", models.DateTimeField(editable=False, null=True)
        ),
        migrations.AddField(
            "Match", "foreseen_at", models.DateTimeField(editable=False, null=True)
        ),
        migrations.AddIndex(
            "Match",
            models.Index(
                condition=models.Q(foreseen_on__isnull=False),
                fields=["-taken_at"],
                name="match_foreseen",
            ),
        ),
    ]
