"""What is no answer to a visitor but has to stay as well: tables, commands, tasks."""

import io

from django.core.management import call_command, get_commands
from django.db import connection

from arena.celery_app import app


def answers():
    """Yield texts in the form of answers."""
    yield _answer("database schema", _schema())
    yield _answer("makemigrations --check --dry-run", _migrations())
    ours = sorted(name for name, of in get_commands().items() if of == "arena")
    yield _answer("commands of manage.py", "\n".join(ours))
    app.loader.import_default_modules()
    tasks = sorted(name for name in app.tasks if not name.startswith("celery."))
    yield _answer("tasks of the workers", "\n".join(tasks))


def _answer(key, text):
    return {
        "key": key,
        "status": 0,
        "headers": {},
        "queries": 0,
        "messages": [],
        "rows": [],
        "body": text,
    }


def _schema():
    """Return the tables, indexes and triggers, each column and constraint on a line."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name")
        return "\n\n".join(sql.replace(", ", ",\n  ") for (sql,) in cursor)


def _migrations():
    said = io.StringIO()
    try:
        call_command("makemigrations", check=True, dry_run=True, stdout=said, stderr=said)
    except SystemExit as ended:
        said.write(f"exit status {ended.code}\n")
    return said.getvalue()
