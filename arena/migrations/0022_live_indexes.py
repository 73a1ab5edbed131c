from django.db import migrations, models
from django.db.models import Q

from arena.management.live_indexes import AddLiveIndex


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("arena", "0021_outgoing_mail_and_pruning")]

    operations = [
        AddLiveIndex(
            "match",
            models.Index(
                fields=["ladder", "finished_at"],
                condition=Q(
                    status="finished",
                    release="public",
                    annulment__isnull=True,
                    record_file__isnull=True,
                ),
                name="match_unfiled",
            ),
        ),
        AddLiveIndex(
            "match",
            models.Index(
                fields=["record_file"],
                condition=Q(record_file__isnull=False)
                & (~Q(release="public") | Q(annulment__isnull=False)),
                name="match_filed_but_withdrawn",
            ),
        ),
        AddLiveIndex(
            "gamelog",
            models.Index(
                fields=["game"], condition=~Q(stderr="") | ~Q(remarks=b""), name="log_written"
            ),
        ),
    ]
