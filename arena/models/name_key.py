"""Names that are found by how they begin. An index leads to them, however many names there are."""

from typing import Any, TypeVar

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import CharField, Func, QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler

Rows = TypeVar("Rows", bound=QuerySet[Any])

LAST_CHARACTER = "\U0010ffff"


class NameKey(Func):
    """A name in small letters, compared byte by byte, so that equal beginnings stand together.

    The collation of the database would put names with signs between others.
    """

    function = "LOWER"
    template = '%(function)s(%(expressions)s) COLLATE "C"'
    arity = 1
    output_field = CharField()

    def as_sqlite(
        self,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        **extra_context: Any,  # noqa: ANN401 - Django's signature
    ) -> tuple[str, Any]:
        """Return the SQL for SQLite, which compares byte by byte anyway."""
        return self.as_sql(
            compiler, connection, template="%(function)s(%(expressions)s)", **extra_context
        )


def beginning_with(rows: Rows, column: str, text: str) -> Rows:
    """Return the rows whose column begins with a text, in the order of their keys.

    Capital and small letters are equal; in SQLite only those without accents.
    """
    keyed = rows.alias(name_key=NameKey(column))
    named = keyed.filter(
        name_key__gte=NameKey(Value(text)), name_key__lt=NameKey(Value(text + LAST_CHARACTER))
    )
    return named.order_by("name_key", "pk")
