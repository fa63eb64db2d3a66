# Everything that runs on one database machine, started again when it ends, as systemd does it.
keep() { while :; do "$@"; sleep 1; done; }
# Patroni as a unit that can be stopped and started.
patroni() {
  while :; do
    if [ ! -e @disk@/patroni.stopped ]; then
      @patroni@ @disk@/patroni.yml &
      echo $! > @disk@/patroni.pid
      wait $!
    fi
    sleep 1
  done
}
case ${1:-all} in
  stop)
    touch @disk@/patroni.stopped
    kill "$(cat @disk@/patroni.pid)"
    ;;
  start) rm -f @disk@/patroni.stopped ;;
  all)
    rm -f @disk@/patroni.stopped
    keep @etcd@ --config-file @disk@/etcd.yml &
    patroni &
    keep sh @guard@ @disk@ 64 'bash @disk@/start.sh stop' 'bash @disk@/start.sh start' &
    wait
    ;;
esac
