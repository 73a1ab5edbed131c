#!/usr/bin/env bash
# Writes to .env the digests of the images that compose.yaml takes from a registry, in place of their tags, so that a
# later `docker compose up` starts the same bytes. Needs a registry that answers; otherwise .env stays as it is.
set -eu
cd "$(dirname "$0")/.."
[ -e .env ] || { echo "pin: there is no .env; run 'make env' first" >&2; exit 1; }
pinned=$(mktemp)
trap 'rm -f "$pinned"' EXIT
images='s/.*\$\{(DRAPEAU_(PYTHON|POSTGRES|BROKER)_IMAGE):-([^}]*)\}.*/\1 \3/p'
while read -r name tag; do
  wanted=$(sed -n "s/^$name=//p" .env | tail -n 1)
  wanted=${wanted:-$tag}
  if ! said=$(docker pull --quiet "${wanted%@*}" 2>&1); then
    echo "pin: no registry gave ${wanted%@*}: $said" >&2
    echo "pin: .env is unchanged. Look at the network and at the name of the image, and run this again." >&2
    exit 1
  fi
  digest=$(docker image inspect --format '{{index .RepoDigests 0}}' "${wanted%@*}")
  # The tag stays for people and for the next run; the engine goes by the digest.
  echo "$name=${wanted%@*}@${digest#*@}" >>"$pinned"
done < <(sed -nE "$images" compose.yaml)
umask 077
new=.env.new
grep -vE '^DRAPEAU_(PYTHON|POSTGRES|BROKER)_IMAGE=' .env >"$new" || true
cat "$pinned" >>"$new"
mv "$new" .env
sed 's/^/pin: /' "$pinned"
