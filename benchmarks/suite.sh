#!/usr/bin/env bash
# Runs the engine's tests against the compiled wheel: `make bench-suite`. Takes what pytest takes.
# The wheel is unpacked into a folder of its own; the tests and their data, which no wheel holds, are laid beside it.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
wheel=$(PYTHONPATH=$root .venv-bench/bin/python -P -m benchmarks.compiled)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cp -r "$wheel"/. "$folder"
cp -rn engine bots "$folder"
cp -r tests pyproject.toml "$folder"

cd "$folder"
"$root/.venv/bin/python" -c '
import engine.duel.play as played
assert played.__file__.endswith(".so"), played.__file__
print("bench-suite: testing", played.__file__)'
"$root/.venv/bin/python" -m pytest -q -p no:cacheprovider -m "not soak" \
  tests/unit/engine engine/variants "$@"
