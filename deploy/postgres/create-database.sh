#!/bin/sh
# Run once when the database server is made: the owner of the tables, who migrates, the user the programs run as, the role
# that reads the views for reporting, and the database. Called by Patroni (post_init) as `create-database.sh SECRETS_FOLDER ADDRESS`, and by the PostgreSQL image
# without arguments.
set -eu

export MERIDIAN_SECRETS="${1:-/run/secrets}"
server="${2:-postgresql:///postgres?user=${POSTGRES_USER:-postgres}}"

# Passwords are read by psql itself, so that no list of processes shows them.
exec psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$server" <<'SQL'
\set owner_password `cat "$MERIDIAN_SECRETS/database-owner-password"`
\set app_password `cat "$MERIDIAN_SECRETS/database-app-password"`
SET password_encryption = 'scram-sha-256';
CREATE ROLE meridian LOGIN PASSWORD :'owner_password';
CREATE ROLE meridian_runtime NOLOGIN;
CREATE ROLE meridian_reporting NOLOGIN;
CREATE ROLE meridian_app LOGIN PASSWORD :'app_password' IN ROLE meridian_runtime;
-- Through a pooler a session's own limits do not hold, those of its user do.
ALTER ROLE meridian_app SET statement_timeout = '60s';
ALTER ROLE meridian_app SET lock_timeout = '10s';
ALTER ROLE meridian_app SET idle_in_transaction_session_timeout = '60s';
CREATE DATABASE meridian OWNER meridian;
REVOKE CONNECT, TEMPORARY ON DATABASE meridian FROM PUBLIC;
GRANT CONNECT ON DATABASE meridian TO meridian_runtime, meridian_reporting;
ALTER DATABASE meridian SET timezone = 'UTC';
SQL
