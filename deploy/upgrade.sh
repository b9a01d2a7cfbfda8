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
# "RELEASE ID HEALTH" of each container of a service. A repeated upgrade also finds containers of the next release. An upgrade
# that starts before the previous one has ended finds workers of two former releases.
list() { docker compose ps --format '{{.Image}} {{.ID}} {{.Health}}' "$1" | sed 's/^.*://'; }
former() { list "$1" | sed "/^$NEXT /d"; }
count() { list "$1" | grep -c "^$2" || true; }
# Starts as many containers of the next release as the current release has, beside all others.
start_beside() {
  COUNT=$(count "$1" "$CURRENT ")
  [ "$COUNT" -gt "$(count "$1" "$NEXT ")" ] || COUNT=$(count "$1" "$NEXT ")
  [ "$COUNT" -gt 0 ] || COUNT=1
  next up -d --no-deps --no-recreate --scale "$1=$(($(former "$1" | wc -l) + COUNT))" "$1"
}

# Sends new requests to the APIs of one release. Otherwise Caddy also tries APIs that are starting or stopping, and can't repeat a
# request whose body it has begun to send. A restart of Caddy undoes this.
send_to() {
  docker compose exec -T -e "API_HOST=api-$1" caddy caddy reload --config /etc/caddy/Caddyfile ||
    echo "Caddy does not run, or refuses its new configuration. Requests can fail while the APIs are replaced."
}

RELEASES=$(former worker | cut -d ' ' -f 1 | sort -u)
WORKERS=$(former worker | cut -d ' ' -f 2)

if [ "$CURRENT" != "$NEXT" ]; then
  # A build would give the image of a former release the code of this folder.
  docker image inspect "conversation-analysis-service:$NEXT" > /dev/null 2>&1 || next build migrate
  # 1. Upgrade the schema. The former release also works on the new schema.
  next run --rm migrate
  # 2. Start the workers of the next release. Then make the release current.
  start_beside worker
  next run --rm --no-deps release
  # 3. Start the APIs of the next release, send new requests to them only, and stop the former ones, which finish their requests.
  send_to "$CURRENT"
  start_beside api
  WAIT_S=120
  until [ "$(count api "$NEXT .* healthy")" -ge "$COUNT" ]; do
    WAIT_S=$((WAIT_S - 2))
    [ "$WAIT_S" -gt 0 ] || { echo "The APIs of $NEXT do not start: docker compose logs api. The former ones keep running."; exit 1; }
    sleep 2
  done
  send_to "$NEXT"
  for API in $(former api | cut -d ' ' -f 2); do
    docker stop "$API"
    docker rm "$API"
  done
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
