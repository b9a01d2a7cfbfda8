#!/bin/sh
# Creates or upgrades the tables of Temporal's two databases for the version of this image. Running it again has no effect.
set -eu

upgrade() {
  tool="temporal-sql-tool --plugin postgres12 --endpoint $POSTGRES_SEEDS --port $DB_PORT --user $POSTGRES_USER --database $1"
  $tool setup-schema -v 0.0
  $tool update-schema -d "${SCHEMAS:-/etc/temporal/schema}/postgresql/v12/$2/versioned"
}

upgrade temporal temporal
upgrade temporal_visibility visibility
