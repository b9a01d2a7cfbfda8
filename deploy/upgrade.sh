#!/bin/sh
# Brings a Compose installation to another release, or back: `deploy/upgrade.sh 1.3.0`. The release's image is built from
# this folder unless it is there. Sessions and deliveries that have begun end on the workers that began them.
set -eu

NEXT=${1:?usage: deploy/upgrade.sh RELEASE}
# A delivery lives 12.5 minutes, and Temporal takes a while to call a release drained.
DRAIN_S=${DRAIN_S:-1200}
FORMER=$(sed -n 's/^RELEASE=//p' .env)
[ "$FORMER" != "$NEXT" ] || { echo "$NEXT runs already."; exit 0; }

next() { RELEASE=$NEXT docker compose "$@"; }
# By their release: where an upgrade is begun again, workers of the next one run as well, and must not be stopped.
FORMER_WORKERS=$(docker compose ps --format '{{.Image}} {{.ID}}' worker | sed -n "s/^.*:$FORMER //p")

next build migrate
# 1. The schema, which the former release works on as well.
next run --rm migrate
# 2. The next release's workers beside the former ones; then new runs go to them.
next up -d --no-deps --no-recreate --scale worker="$(($(echo "$FORMER_WORKERS" | wc -w) * 2))" worker
next run --rm --no-deps release
# 3. The APIs, one after the other's health.
next up -d --no-deps api
sed -i "s/^RELEASE=.*/RELEASE=$NEXT/" .env

echo "Waiting up to $DRAIN_S s until no run of $FORMER is open. It is safe to interrupt this and run it by hand later:"
echo "  docker compose run --rm --no-deps release node worker/run-release.ts --status"
until next run --rm --no-deps release node worker/run-release.ts --status | grep -q "^$FORMER: .* 0 runs open"; do
  DRAIN_S=$((DRAIN_S - 15))
  [ "$DRAIN_S" -gt 0 ] || { echo "Runs of $FORMER are still open; its workers go on."; exit 1; }
  sleep 15
done
docker stop $FORMER_WORKERS
docker rm $FORMER_WORKERS
echo "$NEXT runs; $FORMER is drained."
