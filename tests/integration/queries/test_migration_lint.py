"""What a linter finds in migrations that old processes cannot bear, or that lock large tables."""

import pytest
from django_migration_linter import MigrationLinter
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements

RELEASED = "0005_ladder_promises"  # the last one of release 0.4, the oldest that is kept
STYLE = {"RUNPYTHON_ARGS_NAMING_CONVENTION"}  # an underscore says that an argument is not used
# Up to 0013: from before the promise that old processes go on. Upgrades from then stop the site.
KNOWN = {
    "0006_tournaments": {"ADD_UNIQUE", "CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE"},
    "0007_names": {"RENAME_COLUMN", "RENAME_TABLE"},
    "0008_ratings": {
        "CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE", "DROP_INDEX", "NOT_NULL", "RENAME_COLUMN",
    },
    "0011_queue_times": {"CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE"},
    "0012_returns": {"CREATE_INDEX", "CREATE_INDEX_EXCLUSIVE"},
    "0013_secrets": {"DROP_COLUMN", "NOT_NULL"},
    # A text may be longer now: no row changes, and old processes write shorter ones.
    "0015_isolation": {"ALTER_COLUMN"},
}  # fmt: skip


@pytest.mark.django_db(transaction=True)  # some migrations refuse to be in one
def test_no_migration_breaks_what_runs_beside_it():
    linter = MigrationLinter(include_apps=["arena"], no_cache=True, no_output=True)
    found = {}
    for (app, name), migration in linter.migration_loader.disk_migrations.items():
        if app == "arena" and name > RELEASED:
            sql = linter.get_sql(app, name)
            issues = (
                *analyse_sql_statements(linter.sql_analyser_class, sql, []),
                *linter.analyse_data_migration(migration),
            )
            found[name] = {issue.code for each in issues for issue in each} - STYLE

    assert {name: codes for name, codes in found.items() if codes} == KNOWN
