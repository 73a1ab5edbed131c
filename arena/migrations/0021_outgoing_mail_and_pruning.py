from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0020_runner_figures")]

    operations = [
        migrations.CreateModel(
            name="OutgoingMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("content", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("not_before", models.DateTimeField(auto_now_add=True, db_index=True)),
            ],
        ),
    ]
