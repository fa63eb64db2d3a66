#!/bin/sh
# Makes every secret that an installation needs, once: a file that exists is never changed, so that it can be run again
# after an update.
#
#   make-secrets.sh [FOLDER]        default: secrets/ beside this script
#
# DATABASE_HOST, DATABASE_POOLER_HOST, REDIS_HOST (host:port) say where the addresses lead to; the defaults are those of
# compose.yaml, whose programs share one machine and need no TLS. DATABASE_SSLMODE and DATABASE_POOLER_SSLMODE (verify-ca,
# verify-full) are added to the addresses elsewhere. DATABASE_READ (host:port/database) is where standbys are read. Keep a copy of data-key apart from the backups of the database: neither can be read without the other.
set -eu
umask 077

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-$here/secrets}
database_host=${DATABASE_HOST:-postgres:5432}
pooler_host=${DATABASE_POOLER_HOST:-pgbouncer:6432}
redis_host=${REDIS_HOST:-redis:6379}
database_tls=${DATABASE_SSLMODE:+?sslmode=$DATABASE_SSLMODE}
pooler_tls=${DATABASE_POOLER_SSLMODE:+?sslmode=$DATABASE_POOLER_SSLMODE}
# The group that the containers of compose.yaml read them as.
group=10001

command -v openssl >/dev/null || { echo "make-secrets.sh: openssl is missing" >&2; exit 1; }
mkdir -p "$folder"
chmod 0750 "$folder"

# Writes standard input to a file that does not exist yet.
keep() {
  file=$folder/$1
  if [ -e "$file" ]; then cat >/dev/null; return; fi
  cat >"$file.new"
  mv "$file.new" "$file"
  echo "made $1"
}
# 32 random bytes in hexadecimal: no character that an address, YAML or SQL reads differently.
random() { printf %s "$(openssl rand -hex 32)"; }
content() { cat "$folder/$1"; }

for name in jwt-secret auth-secret data-key \
  postgres-superuser-password postgres-replication-password postgres-rewind-password patroni-rest-password \
  database-owner-password database-app-password pgbouncer-admin-password redis-password grafana-password; do
  random | keep "$name"
done

app=$(content database-app-password) owner=$(content database-owner-password)
printf %s "postgresql://meridian_app:$app@$pooler_host/meridian$pooler_tls" | keep database-url
printf %s "postgresql://meridian_app:$app@$database_host/meridian$database_tls" | keep database-direct-url
printf %s "postgresql://meridian:$owner@$database_host/meridian$database_tls" | keep database-owner-url
printf %s "redis://meridian:$(content redis-password)@$redis_host/0" | keep redis-url
if [ -n "${DATABASE_READ:-}" ]; then
  printf %s "postgresql://meridian_app:$app@$DATABASE_READ" | keep database-read-url
fi
{
  printf '"meridian_app" "%s"\n' "$app"
  printf '"meridian" "%s"\n' "$owner"
  printf '"pgbouncer_admin" "%s"\n' "$(content pgbouncer-admin-password)"
} | keep pgbouncer-users
{
  echo 'user default off'
  printf 'user meridian on #%s ~* &* +@all -@admin\n' "$(printf %s "$(content redis-password)" | openssl dgst -sha256 -r | cut -d' ' -f1)"
} | keep redis-users

# Yours to fill in; empty until then.
for name in alert-channels wechat-app-secret wechat-pay-api-v3-key wechat-merchant-key wechat-platform-key \
  wechat-virtual-app-key wechat-push-token wechat-push-aes-key smtp-password oncall-token; do
  : | keep "$name"
done

# A file of Compose is mounted as it lies here, owner and mode included.
if chgrp -R "$group" "$folder" 2>/dev/null; then
  chmod 0440 "$folder"/*
else
  chmod 0700 "$folder"
  chmod 0444 "$folder"/*
  echo "make-secrets.sh: not root, so group $group cannot own the files; the folder is closed to others instead" >&2
fi
