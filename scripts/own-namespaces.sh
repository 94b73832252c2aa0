#!/usr/bin/env bash
# Runs a command as root in PID, network and mount namespaces of its own, with its own /tmp, /var/lib/yunxun and
# /run/netns: two runs on one machine do not meet, and nothing survives the command. As an ordinary user, or where the
# kernel refuses, it runs the command as it is.
#   bash scripts/own-namespaces.sh npm test
# Pictures of failed browser tests are copied to the outer /tmp/yunxun-e2e-failures.
set -euo pipefail
if [ "$(id -u)" != 0 ] || ! unshare --pid --mount --net --fork --mount-proc true 2>/dev/null; then
  exec "$@"
fi

parent=/var/tmp
# rooms of runs that were killed: their lock is free
for old in "$parent"/yunxun-run-*; do
  [ -e "$old/lock" ] || continue
  (flock -n 9 && rm -rf "$old") 9> "$old/lock" || true
done
room=$(mktemp -d "$parent/yunxun-run-XXXXXX")
exec 9> "$room/lock"
flock 9
chmod 755 "$room"
mkdir -m 1777 "$room/tmp"
mkdir "$room/lib"

child=
leave() {
  # unshare ignores SIGTERM; with it ends its PID namespace
  if [ -n "$child" ] && kill -KILL "$child" 2>/dev/null; then wait "$child" || true; fi
  if [ -d "$room/tmp/yunxun-e2e-failures" ]; then cp -r "$room/tmp/yunxun-e2e-failures" /tmp/; fi
  rm -rf "$room"
}
trap leave EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

unshare --pid --mount --net --fork --kill-child --mount-proc bash -euo pipefail -c '
  room=$1; shift
  # a checkout below /tmp stays visible
  case $PWD in /tmp/*)
    mkdir -p "$room/tmp/${PWD#/tmp/}"
    mount --bind "$PWD" "$room/tmp/${PWD#/tmp/}" ;;
  esac
  mount --rbind "$room/tmp" /tmp
  mkdir -p /var/lib/yunxun /run/netns
  mount --bind "$room/lib" /var/lib/yunxun
  mount -t tmpfs tmpfs /run/netns
  mount --make-shared /run/netns
  ip link set lo up
  export TESTS_OWN_NAMESPACES=1
  cd "$PWD"
  exec "$@"
' own-namespaces "$room" "$@" 9>&- &
child=$!
status=0
wait "$child" || status=$?
child=
exit "$status"
