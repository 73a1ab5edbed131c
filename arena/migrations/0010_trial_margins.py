from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models


def judge_running_trials_in_normalized_elo(apps: Apps, _schema_editor: object) -> None:
    """Set the margin of running trials. Those that have ended keep the verdict in plain Elo."""
    running = apps.get_model("arena", "VersionTrial").objects.filter(status="running")
    running.update(margin=settings.TRIAL_MARGIN)


class Migration(migrations.Migration):
    dependencies = [("arena", "0009_record_keys")]

    operations = [
        migrations.AddField(
            "VersionTrial",
            "margin",
            models.FloatField(editable=False, null=True, verbose_name="margin in normalized Elo"),
        ),
        migrations.RunPython(judge_running_trials_in_normalized_elo, migrations.RunPython.noop),
    ]
