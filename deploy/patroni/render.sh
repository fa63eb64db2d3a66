#!/bin/sh
# Writes the configuration of one machine from the templates.
#
#   render.sh SETTINGS MACHINE FOLDER [SECRETS]
#
# SETTINGS  a copy of settings.example.env with the lines that differ; what it leaves out has the example's value
# MACHINE   1, 2 or 3 (patroni.yml, etcd.yml, create-database.sh), or balancer (haproxy.cfg, pgbouncer.ini, userlist.txt,
#           keepalived.conf)
# FOLDER    where to
# SECRETS   where make-secrets.sh has put the passwords here; without it SECRETS_FOLDER of the settings
set -eu
umask 077

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 3 ]; then
  sed -n '2,11p' "$here/render.sh" >&2
  exit 2
fi
settings=$1 machine=$2 folder=$3
# A name without a slash is looked for in PATH.
case $settings in */*) ;; *) settings=./$settings ;; esac

set -a
# shellcheck source=/dev/null
. "$here/settings.example.env"
# shellcheck source=/dev/null
. "$settings"
set +a
secrets=${4:-$SECRETS_FOLDER}

# One line of a file. Only what needs no quoting in YAML, INI and psql.
read_password() {
  file="$secrets/$1"
  [ -r "$file" ] || { echo "render.sh: $file cannot be read" >&2; exit 1; }
  password=$(cat "$file")
  case $password in
    '' | *[!A-Za-z0-9_-]*) echo "render.sh: $file must be letters, digits, _ and -" >&2; exit 1 ;;
  esac
  printf %s "$password"
}

# Replaces the placeholders of the settings and of the passwords, and nothing else: envsubst is told their names.
names=$(sed -n 's/^\([A-Z][A-Z0-9_]*\)=.*/$\1/p' "$here/settings.example.env")
# shellcheck disable=SC2016
names="$names"' $NODE_NAME $NODE_ADDRESS $SUPERUSER_PASSWORD $REPLICATION_PASSWORD $REWIND_PASSWORD $PATRONI_REST_PASSWORD'
render() {
  envsubst "$names" <"$here/templates/$1" >"$folder/$1"
  # shellcheck disable=SC2016
  if grep -n '\${' "$folder/$1" >&2; then
    echo "render.sh: $1 has placeholders that no setting names" >&2
    exit 1
  fi
}

mkdir -p "$folder"
# shellcheck disable=SC2153
case $machine in
  1) NODE_NAME=$NODE_1_NAME NODE_ADDRESS=$NODE_1_ADDRESS ;;
  2) NODE_NAME=$NODE_2_NAME NODE_ADDRESS=$NODE_2_ADDRESS ;;
  3) NODE_NAME=$NODE_3_NAME NODE_ADDRESS=$NODE_3_ADDRESS ;;
  balancer) NODE_NAME='' NODE_ADDRESS='' ;;
  *) echo "render.sh: MACHINE is 1, 2, 3 or balancer" >&2; exit 2 ;;
esac
export NODE_NAME NODE_ADDRESS

if [ "$machine" = balancer ]; then
  render haproxy.cfg
  render pgbouncer.ini
  render keepalived.conf
  {
    printf '"meridian" "%s"\n' "$(read_password database-owner-password)"
    printf '"meridian_app" "%s"\n' "$(read_password database-app-password)"
    printf '"pgbouncer_admin" "%s"\n' "$(read_password pgbouncer-admin-password)"
  } >"$folder/userlist.txt"
else
  SUPERUSER_PASSWORD=$(read_password postgres-superuser-password)
  REPLICATION_PASSWORD=$(read_password postgres-replication-password)
  REWIND_PASSWORD=$(read_password postgres-rewind-password)
  PATRONI_REST_PASSWORD=$(read_password patroni-rest-password)
  export SUPERUSER_PASSWORD REPLICATION_PASSWORD REWIND_PASSWORD PATRONI_REST_PASSWORD
  render patroni.yml
  render etcd.yml
  install -m 0755 "$here/../postgres/create-database.sh" "$folder/create-database.sh"
fi
echo "render.sh: $machine is in $folder"
