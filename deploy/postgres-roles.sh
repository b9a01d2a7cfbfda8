#!/bin/sh
# Creates the roles and databases of the service and of Temporal. Neither role can access the other's data. The PostgreSQL
# image runs this script once, in an empty cluster. Passwords can contain any character.
set -eu

make_role() {
  psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres -v name="$1" -v password="$2" <<'SQL'
create role :"name" login password :'password';
SQL
}

make_database() {
  psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres -v name="$1" -v owner="$2" <<'SQL'
create database :"name" owner :"owner";
revoke all on database :"name" from public;
SQL
}

make_role app "$DATABASE_PASSWORD"
make_role temporal "$TEMPORAL_DATABASE_PASSWORD"
make_database app app
make_database temporal temporal
make_database temporal_visibility temporal
