#!/bin/sh
# Brings the tables of Temporal's two databases to the version of this image. May be run again: it changes nothing then.
set -eu

bring() {
  tool="temporal-sql-tool --plugin postgres12 --endpoint $POSTGRES_SEEDS --port $DB_PORT --user $POSTGRES_USER --database $1"
  $tool setup-schema -v 0.0
  $tool update-schema -d "${SCHEMAS:-/etc/temporal/schema}/postgresql/v12/$2/versioned"
}

bring temporal temporal
bring temporal_visibility visibility
