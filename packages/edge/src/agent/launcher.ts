/**
 * POSIX shell. Only root upgrades it (root-upgrade.ts): a bad version cannot break it. `program/current` and
 * `program/previous` name versions. `program/trial` exists until the current one was online: a start's limit in
 * seconds, then a line per start. A version beyond the limit, or at its third end, is replaced by the previous one. The
 * service user writes the versions, so root drops to the state folder's owner before it reads them; the launcher itself
 * does root's later work.
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
  if [ "$1" = enroll ] && [ $code = 0 ] && [ -z "$YUNXUN_EDGE_ROOT" ] && [ -d /run/systemd/system ]; then
    echo 'Starting the agent ...'
    systemctl restart yunxun-edge.service && (as_owner "$0" wait-online)
    code=$?
    if [ $code != 0 ] && ! systemctl --quiet is-active yunxun-edge.service || [ $code = 5 ]; then
      echo 'The service says:' >&2
      journalctl -u yunxun-edge.service -n 12 --no-pager -o cat >&2
    fi
    [ $code = 0 ] || code=4
  fi
  exit $code
fi
if [ ! -r "$state" ] && [ "$(id -u)" != 0 ] && [ "$1" != --help ]; then
  echo 'yunxun-edge: only root may do this: sudo yunxun-edge ...' >&2
  exit 1
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

if [ "$1" = give-way ]; then # root returns with the unit and the launcher of before
  [ ! -f "$program/trial" ] || give_way
  exit 0
fi
[ "\${1:-run}" = run ] && [ -f "$program/trial" ] && [ "$(wc -l <"$program/trial")" -gt "$starts" ] && give_way
current=$(first_line "$program/current")
[ -n "$current" ] && [ -f "$(bundle "$current")" ] || current=$(first_line "$program/previous")
[ -n "$current" ] || { say "no version of the agent in $program"; exit 1; }
[ $# -gt 0 ] || set -- run
# a version from before Type=notify does not say that it is ready
if [ "$1" = run ] && [ -n "$NOTIFY_SOCKET" ] && ! grep -q NOTIFY_SOCKET "$(bundle "$current")"; then
  systemd-notify --ready || say 'systemd cannot be told that the agent is ready'
fi
[ "$1" = run ] && [ -f "$program/trial" ] && on_trial "$@"
# shellcheck disable=SC2086
exec "$node" $flags "$(bundle "$current")" "$@"
`.replaceAll('\\${', '${');
