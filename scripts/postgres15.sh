#!/usr/bin/env bash
# Runs a command on a throw-away Debian PostgreSQL 15, whose owner (as on a hosted server) is no superuser, but may end
# the sessions of a test's database to drop it:
#   bash scripts/postgres15.sh npx vitest run packages/server
# The command finds the server in YUNXUN_TEST_DATABASE_URL. As root, the package is installed when it is missing.
set -euo pipefail

bin=/usr/lib/postgresql/15/bin
if [ $# -eq 0 ]; then
  sed -n '2,5s/^# //p' "$0" >&2
  exit 2
fi

if [ ! -x "$bin/postgres" ]; then
  if [ "$(id -u)" -ne 0 ]; then
    echo "PostgreSQL 15 is not installed: run 'apt-get install postgresql-15' as root first." >&2
    exit 1
  fi
  # the package would otherwise make and start a cluster of its own
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold postgresql-15 >&2
fi

dir=$(mktemp -d /tmp/yunxun-postgres15-XXXXXX)
as_postgres=()
if [ "$(id -u)" -eq 0 ]; then
  chown postgres: "$dir"
  as_postgres=(setpriv --reuid postgres --regid postgres --clear-groups)
fi
server=
stop() {
  if [ -n "$server" ] && kill -INT "$server" 2>/dev/null; then
    wait "$server" || true
  fi
  rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
cd /
(umask 077; echo "$password" > "$dir/password")
[ ${#as_postgres[@]} -eq 0 ] || chown postgres: "$dir/password"
"${as_postgres[@]}" "$bin/initdb" -D "$dir/cluster" -U postgres --pwfile="$dir/password" \
  --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync > "$dir/initdb.log" || { cat "$dir/initdb.log" >&2; exit 1; }

for attempt in 1 2 3 4 5; do
  port=$((20000 + RANDOM % 20000))
  "${as_postgres[@]}" "$bin/postgres" -D "$dir/cluster" -p "$port" -c listen_addresses=127.0.0.1 \
    -c unix_socket_directories="$dir" -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c jit=off \
    -c autovacuum=off -c max_connections=200 \
    2> "$dir/server.log" &
  server=$!
  until [ "$(sed -n 8p "$dir/cluster/postmaster.pid" 2>/dev/null | tr -d ' ')" = ready ]; do
    kill -0 "$server" 2>/dev/null || { server=; break; }
    sleep 0.1
  done
  [ -z "$server" ] || break
  if [ "$attempt" -eq 5 ] || ! grep -q 'could not bind' "$dir/server.log"; then
    cat "$dir/server.log" >&2
    exit 1
  fi
done

PGPASSWORD=$password "$bin/psql" -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres -d postgres \
  -c "create role yunxun_owner login createdb createrole password '$password'" \
  -c 'grant pg_signal_backend to yunxun_owner' \
  -c 'create database yunxun owner yunxun_owner'

cd "$OLDPWD"
export YUNXUN_TEST_DATABASE_URL="postgresql://yunxun_owner:$password@127.0.0.1:$port/yunxun"
"$@" &
command=$!
# the command is told before its database goes
trap 'kill -TERM "$command" 2>/dev/null; wait "$command"; exit 143' TERM INT
wait "$command"
