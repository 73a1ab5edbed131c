from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("arena", "0016_remarks")]

    operations = [
        migrations.CreateModel(
            name="RunnerReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("languages", models.JSONField(default=list)),
                ("takes_uploads", models.BooleanField(default=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=Q(pk=1), name="runner_report_single")
                ],
            },
        ),
    ]
