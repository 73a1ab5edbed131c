"""What a linter finds in migrations that old processes cannot bear, or that lock large tables."""

import pytest
from django_migration_linter import MigrationLinter
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements

FIRST = "0001_initial"  # makes everything, so nothing runs beside it
# Person seats: a row for each game of a person or from home, so its indexes are made at once.
SHORT_LOCKS = {
    "0005_remote_ladders": {"ADD_UNIQUE", "CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE", "DROP_INDEX"}
}
STYLE = {"RUNPYTHON_ARGS_NAMING_CONVENTION"}  # an underscore says that an argument is not used


@pytest.mark.django_db(transaction=True)  # some migrations refuse to be in one
def test_no_migration_breaks_what_runs_beside_it():
    linter = MigrationLinter(include_apps=["arena"], no_cache=True, no_output=True)
    found = {}
    for (app, name), migration in linter.migration_loader.disk_migrations.items():
        if app == "arena" and name > FIRST:
            sql = linter.get_sql(app, name)
            issues = (
                *analyse_sql_statements(linter.sql_analyser_class, sql, []),
                *linter.analyse_data_migration(migration),
            )
            found[name] = {issue.code for each in issues for issue in each} - STYLE

    assert {name: codes for name, codes in found.items() if codes} == SHORT_LOCKS
