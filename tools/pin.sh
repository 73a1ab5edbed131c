#!/usr/bin/env bash
# Writes to .env the digests of the images that compose.yaml takes from a registry, in place of their tags, so that a
# later `docker compose up` starts the same bytes. Needs a running Docker engine and a registry that answers; otherwise
# .env stays as it is.
set -eu
cd "$(dirname "$0")/.."
[ -e .env ] || { echo "pin: there is no .env; run 'make env' first" >&2; exit 1; }
if ! said=$(docker version --format '{{.Server.Version}}' 2>&1); then
  echo "pin: this needs a running Docker engine, and none answers: ${said##*$'\n'}" >&2
  echo "pin: .env is unchanged. Start Docker, or name its address in DOCKER_HOST, and run this again." >&2
  exit 1
fi
umask 077
pinned=$(mktemp)
new=.env.new  # beside .env, so that it replaces it in one step
trap 'rm -f "$pinned" "$new"' EXIT
# The engine shortens docker.io/library/postgres to postgres, whichever of the names was used.
full_name() { local name=${1#docker.io/}; echo "${name#library/}"; }
images='s/.*\$\{(DRAPEAU_(PYTHON|POSTGRES|BROKER)_IMAGE):-([^}]*)\}.*/\1 \3/p'
while read -r name tag; do
  wanted=$(sed -n "s/^$name=//p" .env | tail -n 1)
  wanted=${wanted:-$tag}
  if ! said=$(docker pull --quiet "${wanted%@*}" 2>&1); then
    echo "pin: no registry gave ${wanted%@*}: $said" >&2
    echo "pin: .env is unchanged. Look at the network and at the name of the image, and run this again." >&2
    exit 1
  fi
  # An image that was also pulled or pushed elsewhere has a digest of each repository.
  repository=${wanted%@*}
  [[ ${repository##*/} = *:* ]] && repository=${repository%:*}
  digest=
  while read -r each; do
    [ "$(full_name "${each%@*}")" != "$(full_name "$repository")" ] || digest=$each
  done < <(docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "${wanted%@*}")
  if [ -z "$digest" ]; then
    echo "pin: the engine knows no digest of ${wanted%@*} in $repository; .env is unchanged." >&2
    exit 1
  fi
  # The tag stays for people and for the next run; the engine goes by the digest.
  echo "$name=${wanted%@*}@${digest#*@}" >>"$pinned"
done < <(sed -nE "$images" compose.yaml)
grep -vE '^DRAPEAU_(PYTHON|POSTGRES|BROKER)_IMAGE=' .env >"$new" || true
cat "$pinned" >>"$new"
mv "$new" .env
sed 's/^/pin: /' "$pinned"
