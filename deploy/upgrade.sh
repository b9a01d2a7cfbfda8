#!/bin/sh
# Brings a Compose installation to another release, or back: `deploy/upgrade.sh 1.3.0`. The release's image is built from
# this folder unless it is there. Sessions and deliveries that have begun end on the workers that began them. It may be
# interrupted, and run again to go on.
set -eu

NEXT=${1:?usage: deploy/upgrade.sh RELEASE}
# A delivery lives 12.5 minutes, and Temporal takes a while to call a release drained.
DRAIN_S=${DRAIN_S:-1200}
CURRENT=$(sed -n 's/^RELEASE=//p' .env)

next() { RELEASE=$NEXT docker compose "$@"; }
# "RELEASE ID" of each worker of another release. An upgrade that is begun again finds some of the next one too, and one
# that was begun before another had ended those of two.
RUNNING=$(docker compose ps --format '{{.Image}} {{.ID}}' worker)
FORMER=$(echo "$RUNNING" | sed -n "s/^.*://; /^$NEXT /!p")
RELEASES=$(echo "$FORMER" | cut -d ' ' -f 1 | sort -u)
WORKERS=$(echo "$FORMER" | cut -d ' ' -f 2)

if [ "$CURRENT" != "$NEXT" ]; then
  next build migrate
  # 1. The schema, which the former release works on as well.
  next run --rm migrate
  # 2. As many workers of the next release as the current one has, beside all others; then new runs go to them.
  COUNT=$(echo "$FORMER" | grep -c "^$CURRENT ") || COUNT=1
  next up -d --no-deps --no-recreate --scale worker="$(($(echo "$WORKERS" | wc -w) + COUNT))" worker
  next run --rm --no-deps release
  # 3. The APIs, one after the other's health.
  next up -d --no-deps api
  sed -i "s/^RELEASE=.*/RELEASE=$NEXT/" .env
fi
[ -n "$WORKERS" ] || { echo "$NEXT runs, and no other."; exit 0; }

are_drained() {
  STATUS=$(next run --rm --no-deps release node worker/run-release.ts --status)
  # The count alone may be some seconds old; Temporal calls nothing drained so soon.
  for EACH in $RELEASES; do echo "$STATUS" | grep -Eq "^$EACH: (drained|inactive|created), 0 runs open" || return 1; done
}

echo "Waiting up to $DRAIN_S s until no run of" $RELEASES "is open."
until are_drained; do
  DRAIN_S=$((DRAIN_S - 15))
  [ "$DRAIN_S" -gt 0 ] || { echo "Some are still open, and their workers go on; run this again later."; exit 1; }
  sleep 15
done
docker stop $WORKERS
docker rm $WORKERS
echo "$NEXT runs, and no other: what waited for" $RELEASES "is done."
