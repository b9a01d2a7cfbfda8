#!/bin/sh
# Upgrades a Compose installation to another release, or back: `deploy/upgrade.sh 1.3.0`. Builds the release's image from this
# folder if the image does not exist. Workflows finish on the workers that started them. If the script is interrupted, run it
# again.
set -eu

NEXT=${1:?usage: deploy/upgrade.sh RELEASE}
# A delivery takes up to 12.5 minutes, and Temporal reports a release as drained some minutes later.
DRAIN_S=${DRAIN_S:-1200}
CURRENT=$(sed -n 's/^RELEASE=//p' .env)

next() { RELEASE=$NEXT docker compose "$@"; }
# "RELEASE ID" of each worker container of another release. A repeated upgrade also finds workers of the next release. An
# upgrade that starts before the previous one has ended finds workers of two former releases.
RUNNING=$(docker compose ps --format '{{.Image}} {{.ID}}' worker)
FORMER=$(echo "$RUNNING" | sed -n "s/^.*://; /^$NEXT /!p")
RELEASES=$(echo "$FORMER" | cut -d ' ' -f 1 | sort -u)
WORKERS=$(echo "$FORMER" | cut -d ' ' -f 2)

if [ "$CURRENT" != "$NEXT" ]; then
  next build migrate
  # 1. Upgrade the schema. The former release also works on the new schema.
  next run --rm migrate
  # 2. Start as many workers of the next release as the current release has, beside all others. Then make the release current.
  COUNT=$(echo "$FORMER" | grep -c "^$CURRENT ") || COUNT=1
  next up -d --no-deps --no-recreate --scale worker="$(($(echo "$WORKERS" | wc -w) + COUNT))" worker
  next run --rm --no-deps release
  # 3. Replace the APIs.
  next up -d --no-deps api
  sed -i "s/^RELEASE=.*/RELEASE=$NEXT/" .env
fi
[ -n "$WORKERS" ] || { echo "$NEXT is the only running release."; exit 0; }

are_drained() {
  STATUS=$(next run --rm --no-deps release node worker/run-release.ts --status)
  # Checks the status too, because the count can be some seconds old.
  for EACH in $RELEASES; do echo "$STATUS" | grep -Eq "^$EACH: (drained|inactive|created), 0 runs open" || return 1; done
}

echo "Waiting up to $DRAIN_S s for the open workflows of" $RELEASES
until are_drained; do
  DRAIN_S=$((DRAIN_S - 15))
  [ "$DRAIN_S" -gt 0 ] || { echo "Some workflows are still open. Their workers keep running. Run this again later."; exit 1; }
  sleep 15
done
docker stop $WORKERS
docker rm $WORKERS
echo "$NEXT is the only running release. All workflows of" $RELEASES "have ended."
