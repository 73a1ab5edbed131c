from django.core.validators import RegexValidator
from django.db import migrations, models

VISIBLE = RegexValidator(
    r"\A[^\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0]*\Z",
    "A name has no invisible characters. Type it anew.",
)


class Migration(migrations.Migration):
    dependencies = [("arena", "0018_record_files")]

    operations = [
        migrations.AlterField(
            "bot",
            "name",
            models.CharField(max_length=60, validators=[VISIBLE], verbose_name="name"),
        ),
    ]
