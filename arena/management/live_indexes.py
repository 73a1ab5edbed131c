"""Indexes on tables that grow, added and dropped while the processes of the site write."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex, AlterField, RemoveIndex

if TYPE_CHECKING:
    from django.db.models import Field

# What says whether an index is complete. Without a row there is no index of that name.
_IS_COMPLETE = {
    "postgresql": "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)",
    "sqlite": "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = %s",
}


class AddLiveIndex(AddIndexConcurrently):
    """Add an index without a lock that stops writers; a migration with it has `atomic = False`.

    An index of that name that is there already stays. PostgreSQL keeps the index of a build that
    was interrupted as invalid: it is dropped and built again. SQLite has one writer at a time, so
    it gets the index in the usual way.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ANN401 - Django's signature
        to_state: Any,  # noqa: ANN401 - Django's signature
    ) -> None:
        """Create the index, unless it is there."""
        is_complete = None if schema_editor.collect_sql else self._is_complete(schema_editor)
        if is_complete:
            return
        if is_complete is False:
            name = schema_editor.quote_name(self.index.name)
            schema_editor.execute(f"DROP INDEX CONCURRENTLY {name}")
        add = _by_vendor(schema_editor).database_forwards
        add(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ANN401 - Django's signature
        to_state: Any,  # noqa: ANN401 - Django's signature
    ) -> None:
        """Drop the index."""
        drop = _by_vendor(schema_editor).database_backwards
        drop(self, app_label, schema_editor, from_state, to_state)

    def _is_complete(self, schema_editor: BaseDatabaseSchemaEditor) -> bool | None:
        """Return whether the index is complete, or None if there is none of its name."""
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            cursor.execute(_IS_COMPLETE[connection.vendor], [self.index.name])
            row = cursor.fetchone()
        return bool(row[0]) if row else None


class DropLiveIndex(RemoveIndex):
    """Drop an index likewise."""

    def database_forwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ANN401, ARG002 - Django's signature
        to_state: Any,  # noqa: ANN401, ARG002 - Django's signature
    ) -> None:
        """Drop the index, unless it is gone."""
        schema_editor.execute(f"DROP INDEX {_live(schema_editor)} IF EXISTS {self.name}")

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ANN401 - Django's signature
        to_state: Any,  # noqa: ANN401 - Django's signature
    ) -> None:
        """Create the index again, unless it is there."""
        index = to_state.models[app_label, self.model_name_lower].get_index_by_name(self.name)
        add = AddLiveIndex(self.model_name, index)
        add.database_forwards(app_label, schema_editor, from_state, to_state)


class DropForeignKeyIndex(AlterField):
    """Drop the index `index` of a foreign key, which another index begins with, likewise.

    `field` is the foreign key as it is afterwards, with `db_index=False`.
    """

    def __init__(self, model_name: str, name: str, field: "Field[Any, Any]", index: str) -> None:
        super().__init__(model_name, name, field)
        self.index = index

    def deconstruct(self) -> tuple[str, Sequence[Any], dict[str, Any]]:
        """Return the operation as it is written in a migration."""
        name, positional, named = super().deconstruct()
        return name, positional, {**named, "index": self.index}

    def database_forwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ANN401, ARG002 - Django's signature
        to_state: Any,  # noqa: ANN401, ARG002 - Django's signature
    ) -> None:
        """Drop the index, unless it is gone."""
        schema_editor.execute(f"DROP INDEX {_live(schema_editor)} IF EXISTS {self.index}")

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ANN401, ARG002 - Django's signature
        to_state: Any,  # noqa: ANN401 - Django's signature
    ) -> None:
        """Create the index again, unless it is there."""
        model = to_state.apps.get_model(app_label, self.model_name)
        options = model._meta  # noqa: SLF001 - Django's documented interface
        on = f"{options.db_table} ({options.get_field(self.name).column})"
        schema_editor.execute(
            f"CREATE INDEX {_live(schema_editor)} IF NOT EXISTS {self.index} ON {on}"
        )


def _live(schema_editor: BaseDatabaseSchemaEditor) -> str:
    return "CONCURRENTLY" if schema_editor.connection.vendor == "postgresql" else ""


def _by_vendor(schema_editor: BaseDatabaseSchemaEditor) -> type[AddIndex]:
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    return AddIndexConcurrently if is_postgresql else AddIndex
