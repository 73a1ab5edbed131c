from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("arena", "0019_visible_names")]

    operations = [
        migrations.CreateModel(
            name="RunnerFigures",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("runner", models.CharField(max_length=255, unique=True)),
                ("reported_at", models.DateTimeField(db_index=True)),
                ("slots", models.PositiveIntegerField()),
                ("busy", models.PositiveIntegerField()),
                ("clock_skew_s", models.FloatField()),
                ("launcher", models.JSONField(null=True)),
                ("in_trouble", models.BooleanField(default=False)),
            ],
            options={"ordering": ["runner"]},
        ),
    ]
