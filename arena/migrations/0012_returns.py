from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0011_queue_times")]

    operations = [
        migrations.AddField(
            "RatingEvent",
            "returned",
            models.BooleanField(default=False, db_default=False, editable=False),
        ),
        migrations.AddIndex(
            "RatingEvent",
            models.Index(
                condition=models.Q(returned=True),
                fields=["ladder", "-finish_number"],
                name="event_return",
            ),
        ),
    ]
