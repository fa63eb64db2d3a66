#!/bin/sh
# Stops Patroni, and PostgreSQL with it, on a machine whose disk is about to be full, and keeps it stopped until there is
# room again. Patroni itself never gives up such a leader: it starts PostgreSQL again each time it ends for want of room.
# A standby has every acknowledged commit and takes over within seconds.
#
#   guard-disk.sh FOLDER MEGABYTES STOP START
#
# FOLDER     where PostgreSQL's data lie, e.g. /var/lib/postgresql/18/meridian
# MEGABYTES  fewest that must be free; more than one segment of the log (16) and what a second writes
# STOP START commands, e.g. "systemctl stop patroni" "systemctl start patroni"
set -u
folder=$1 megabytes=$2 stop=$3 start=$4

has_room() {
  free=$(df --output=avail --block-size=1M "$folder" | tail -n 1)
  [ "$free" -ge "$megabytes" ]
}

stopped=no
while :; do
  if [ "$stopped" = no ] && ! has_room; then
    echo "guard-disk.sh: less than $megabytes MB are free in $folder: Patroni is stopped" >&2
    $stop
    stopped=yes
  elif [ "$stopped" = yes ] && has_room; then
    echo "guard-disk.sh: there is room again in $folder: Patroni is started" >&2
    $start
    stopped=no
  fi
  sleep 1
done
