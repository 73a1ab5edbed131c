#!/usr/bin/env bash
# Works requirements/*.lock out from pyproject.toml and requirements/bench.in. Takes what `uv pip compile` takes, such as --upgrade.
# The files hold hashes and no addresses: where packages come from is the machine's business.
set -eu
cd "$(dirname "$0")/.."
compile() { .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header "$@"; }
compile pyproject.toml --extra telemetry -o requirements/run.lock "$@"
compile pyproject.toml --extra telemetry --extra dev -c requirements/run.lock -o requirements/dev.lock "$@"
compile requirements/bench.in -c requirements/dev.lock -o requirements/bench.lock "$@"
