"""The two ladders that every installation has from the start."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

LADDERS = [
    {"slug": "classic", "name": "Classic", "variant": "classic@1"},
    {"slug": "general", "name": "General", "variant": "general@1"},
]


def add_ladders(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    Ladder = apps.get_model("arena", "Ladder")
    for ladder in LADDERS:
        Ladder.objects.get_or_create(slug=ladder["slug"], defaults=ladder)


class Migration(migrations.Migration):

    dependencies = [("arena", "0001_first")]

    operations = [migrations.RunPython(add_ladders, migrations.RunPython.noop)]
