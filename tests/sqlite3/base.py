"""SQLite as the site has it, that can be emptied between tests whatever its triggers keep."""

from typing import Any

from django.db.backends.sqlite3 import base, operations


class DatabaseOperations(operations.DatabaseOperations):
    def sql_flush(self, *args: Any, **options: Any) -> list[str]:
        """Take the triggers away while the tables are emptied; PostgreSQL truncates past them."""
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = dict(cursor.fetchall())
        dropped = [f"DROP TRIGGER {self.quote_name(name)}" for name in triggers]
        return [*dropped, *super().sql_flush(*args, **options), *triggers.values()]


class DatabaseWrapper(base.DatabaseWrapper):
    ops_class = DatabaseOperations
