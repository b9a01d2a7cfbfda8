#!/bin/sh
# Prepares a Compose installation: `deploy/init.sh [DOMAIN]` writes `.env` with new secrets if it does not exist, lists missing
# settings, and prints what to do next.
set -eu
cd "$(dirname "$0")/.."

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }
value() { sed -n "s/^$1=//p" .env | tail -n 1; }

case ${1:-localhost} in *[!A-Za-z0-9.-]*) echo "DOMAIN must be a host name, such as calls.example.com"; exit 1 ;; esac

if [ ! -e .env ]; then
  RELEASE=$(git describe --always --tags 2>/dev/null || sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
  # Nobody else can read the secrets. `ln` does not replace a file that was created in the meantime.
  umask 077
  NEW=$(mktemp .env.XXXXXX)
  trap 'rm -f "$NEW"' EXIT
  sed -e "s/^RELEASE=.*/RELEASE=$RELEASE/" -e "s/^DOMAIN=.*/DOMAIN=${1:-localhost}/" \
    -e "s/^POSTGRES_PASSWORD=.*/POSTGRES_PASSWORD=$(random)/" \
    -e "s/^TEMPORAL_DATABASE_PASSWORD=.*/TEMPORAL_DATABASE_PASSWORD=$(random)/" \
    -e "s/^DATABASE_PASSWORD=.*/DATABASE_PASSWORD=$(random)/" \
    -e "s/^JWT_SECRETS=.*/JWT_SECRETS=$(random)/" \
    -e "s|^ENCRYPTION_KEYS=.*|ENCRYPTION_KEYS=$(head -c 32 /dev/urandom | base64)|" \
    -e "s/^REGISTRATION=.*/REGISTRATION=first/" .env.example > "$NEW"
  ln "$NEW" .env
  echo "Wrote .env with new secrets. Store a copy in a safe place: a restore needs ENCRYPTION_KEYS."
else
  echo ".env exists and was not changed."
fi

MISSING=
for NAME in RELEASE POSTGRES_PASSWORD TEMPORAL_DATABASE_PASSWORD DATABASE_PASSWORD JWT_SECRETS ENCRYPTION_KEYS; do
  [ -n "$(value $NAME)" ] || MISSING="$MISSING $NAME"
done
[ -z "$MISSING" ] || { echo "Set these in .env:$MISSING"; exit 1; }

DOMAIN=$(value DOMAIN)
HTTPS_PORT=$(value HTTPS_PORT)
ORIGIN="https://${DOMAIN:-localhost}${HTTPS_PORT:+:$HTTPS_PORT}"
[ "${DOMAIN:-localhost}" != localhost ] || echo "Set DOMAIN in .env to the public host name, unless only this machine uses the service."
grep -q '^[A-Z]*_API_KEY=.' .env || echo "Set the API key of a provider in .env, such as OPENAI_API_KEY."
echo "Start: docker compose up -d"
echo "Address: $ORIGIN/console"
if [ "$(value REGISTRATION)" = first ]; then
  echo "First account: $ORIGIN/console/register (for whoever opens it first; nobody can register afterwards)"
else
  echo "First account: docker compose exec api node api/account/manage-users.ts add EMAIL NAME"
fi
