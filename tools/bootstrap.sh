#!/usr/bin/env bash
# Makes the project's own virtual environments and brings them to what a lock file says.
# Usage: tools/bootstrap.sh run|dev|bench  (run: what the site needs; dev: that plus what the tests need;
#                                           bench: a second environment with what `make bench` measures against)
# A repeat run with an unchanged lock file does nothing; two runs at once wait for each other.
set -eu

want=${1:?run, dev or bench}
cd "$(dirname "$0")/.."
venv=.venv
[ "$want" != bench ] || venv=.venv-bench
uv_version=0.13.8
stamps=$venv/stamps

say() { printf 'bootstrap: %s\n' "$*"; }
die() { printf 'bootstrap: %s\n' "$*" >&2; exit 1; }

# A stamp holds the checksum of the lock file it was made from, so that switching branches is noticed too.
# The dev environment holds everything the run environment does.
sum_of() { cksum <"requirements/$1.lock"; }
is_current() { [ -f "$stamps/$1" ] && [ "$(cat "$stamps/$1")" = "$(sum_of "$1")" ]; }
is_done() { is_current "$want" || { [ "$want" = run ] && is_current dev; }; }

is_done && exit 0

# Distributions build Python with more optimization than tools that compile it on the spot: the tests
# take a sixth less time. So the distribution's Python comes before another of the same version.
find_python() {
  local name python
  for name in "${PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3; do
    [ -n "$name" ] || continue
    for python in "/usr/bin/$name" "$name"; do
      "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' 2>/dev/null || continue
      command -v "$python"
      return
    done
  done
  return 1
}

# Debian splits ensurepip off into python3-venv.
ensure_venv_module() {
  "$1" -c 'import ensurepip, venv' 2>/dev/null && return
  local package
  package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "installing $package"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package"; } \
      >/tmp/drapeau-apt.$$ 2>&1 || { cat /tmp/drapeau-apt.$$ >&2; rm -f /tmp/drapeau-apt.$$; die "apt-get failed"; }
    rm -f /tmp/drapeau-apt.$$
  else
    die "$1 cannot make virtual environments. Install the missing part, on Debian: sudo apt-get install $package"
  fi
}

bring_up_to_date() {
  local python
  if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    python=$(find_python) || die "Python 3.11 to 3.14 is needed and none was found; on Debian 12: sudo apt-get install python3 python3-venv"
    ensure_venv_module "$python"
    say "making $venv with $python"
    "$python" -m venv --clear "$venv"
  fi
  mkdir -p "$stamps"
  if [ "$("$venv/bin/uv" --version 2>/dev/null | cut -d' ' -f2)" != "$uv_version" ]; then
    say "installing uv $uv_version"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$uv_version"
  fi
  say "installing what requirements/$want.lock names"
  rm -f "$stamps"/*
  # The machine's own certificates where it has some: a company's proxy is known there.
  [ ! -s /etc/ssl/certs/ca-certificates.crt ] || export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-1}"
  # Compiled ahead, so that the first start of the site is as quick as the second. Of the packages for tests, each is
  # compiled when it is first imported: many never are.
  compile=--compile-bytecode
  [ "$want" != dev ] || compile=
  VIRTUAL_ENV=$PWD/$venv "$venv/bin/uv" pip sync --quiet $compile --require-hashes "requirements/$want.lock"
  sum_of "$want" >"$stamps/$want"
}

command -v flock >/dev/null || die "flock is needed (package util-linux)"
mkdir -p var
exec 9>var/bootstrap.lock
flock -n 9 || { say "waiting for another run"; flock 9; }
is_done && exit 0
started=$(date +%s)
bring_up_to_date
say "ready in $(($(date +%s) - started)) s"
