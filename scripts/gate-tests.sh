#!/usr/bin/env bash
# The tests of the gate, after installation: cheap ones first. Prints at the end what failed, and how long each took.
set -uo pipefail
rm -rf .build/runs
begun=$(date +%s)
stage() {
  local name=$1 from=$(date +%s)
  shift
  printf '\n== %s\n' "$name"
  if ! "$@"; then failed=$name; fi
  times+="  $name: $(($(date +%s) - from)) s"$'\n'
}
failed= times=
stage 'types, lint, units and server (PostgreSQL 15)' bash scripts/postgres15.sh npm test
[ -n "$failed" ] || stage 'built-in PostgreSQL' npx vitest run packages/server/src/platform/database \
  packages/server/test/isolation.test.ts packages/server/test/database.test.ts
[ -n "$failed" ] || stage 'pages and labs' npm run test:system
bash scripts/left-behind.sh || true
node scripts/summary.mjs
printf 'Stages:\n%s  all: %s s\n' "$times" "$(($(date +%s) - begun))"
[ -z "$failed" ] || { printf 'Failed: %s\n' "$failed"; exit 1; }
