/**
 * The program that a service manager starts: POSIX sh, put in place once and never part of an upgrade, so that a broken
 * version cannot take it along. `program/current` and `program/previous` name versions; `program/trial` is there while
 * the current one has not yet been online: its first line says how many seconds a start has for that, each start adds a
 * line. A version that lets its time pass, or ends for the third time, gives way to the previous one.
 *
 * Versions are written by the service's own user, so nobody else runs them: root that starts the launcher becomes whoever
 * the state folder belongs to, before anything in it is read. What needs root afterwards is done here.
 */
export const launcherScript = String.raw`#!/bin/sh
state=$YUNXUN_EDGE_ROOT\${YUNXUN_EDGE_STATE:-/var/lib/yunxun-edge}
program=$state/program
node=\${YUNXUN_EDGE_NODE:-node}
flags='--max-old-space-size=64 --max-semi-space-size=1 --v8-pool-size=1 --no-warnings'
starts=3

owner=$([ -d "$state" ] && ls -ndL "$state" | awk '{ print $3, $4; exit }')
: "\${owner:=0 0}"
as_owner() { # a program and its arguments, with $caps of root's and nothing else of it
  exec $apart setpriv --reuid "\${owner% *}" --regid "\${owner#* }" --clear-groups --no-new-privs \
    --inh-caps "$caps" --ambient-caps "$caps" --bounding-set "$caps" \
    env -i PATH="$PATH" YUNXUN_EDGE_ROOT="$YUNXUN_EDGE_ROOT" YUNXUN_EDGE_STATE="$YUNXUN_EDGE_STATE" \
    YUNXUN_EDGE_NODE="$node" "$@"
}
if [ "$(id -u)" = 0 ] && [ "\${owner% *}" != 0 ]; then
  caps=-all,+net_admin,+net_raw,+net_bind_service
  apart=
  [ "\${1:-run}" = run ] && as_owner "$0" "$@"
  # a session of its own: who is not root puts nothing into root's terminal
  apart='setsid -w'
  if [ "$1" = dry-run ]; then
    # the file may be one that only root reads; what the kernel can do is tried out with the service's rights
    [ "\${2:--}" = - ] || exec <"$2"
    set -- dry-run -
  else
    caps=-all
  fi
  (as_owner "$0" "$@")
  code=$?
  [ "$1" = enroll ] && [ $code = 0 ] && [ -z "$YUNXUN_EDGE_ROOT" ] && [ -d /run/systemd/system ] &&
    systemctl restart yunxun-edge.service && echo 'The agent runs; the console shows it in a moment.'
  exit $code
fi

say() { printf 'yunxun-edge: %s\n' "$*" >&2; }
first_line() { [ -f "$1" ] && head -n 1 "$1" | tr -cd 'A-Za-z0-9.+-'; }
put() { printf '%s\n' "$2" >"$1.new" && sync && mv "$1.new" "$1"; }
bundle() { printf '%s/versions/%s/yunxun-edge.mjs' "$program" "$1"; }

give_way() {
  failed=$(first_line "$program/current")
  before=$(first_line "$program/previous")
  if [ -z "$before" ] || [ ! -f "$(bundle "$before")" ]; then
    say "version $failed did not report, and there is none before it"
  else
    say "version $failed did not report; back to $before"
    put "$program/returned" "$failed" && put "$program/current" "$before"
  fi
  rm -f "$program/trial"
}

on_trial() { # runs the version until it ends or its time is over
  seconds=$(first_line "$program/trial" | tr -cd 0-9)
  echo start >>"$program/trial"
  # shellcheck disable=SC2086
  "$node" $flags "$(bundle "$current")" "$@" &
  child=$!
  trap 'kill -TERM $child 2>/dev/null' TERM INT
  (
    waited=0
    while [ "$waited" -lt "\${seconds:-300}" ]; do
      sleep 1
      [ -f "$program/trial" ] || exit 0
      kill -0 $child 2>/dev/null || exit 0
      waited=$((waited + 1))
    done
    give_way
    kill -KILL $child
  ) &
  # a signal that was passed on ends the first wait; what it ends may have something to put back
  wait $child
  code=$?
  while kill -0 $child 2>/dev/null; do
    wait $child
    code=$?
  done
  exit $code
}

[ "\${1:-run}" = run ] && [ -f "$program/trial" ] && [ "$(wc -l <"$program/trial")" -gt "$starts" ] && give_way
current=$(first_line "$program/current")
[ -n "$current" ] && [ -f "$(bundle "$current")" ] || current=$(first_line "$program/previous")
[ -n "$current" ] || { say "no version of the agent in $program"; exit 1; }
[ $# -gt 0 ] || set -- run
[ "$1" = run ] && [ -f "$program/trial" ] && on_trial "$@"
# shellcheck disable=SC2086
exec "$node" $flags "$(bundle "$current")" "$@"
`.replaceAll('\\${', '${');
