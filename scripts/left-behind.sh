#!/usr/bin/env bash
# Names what the tests left in their namespaces (scripts/own-namespaces.sh): processes, network namespaces, interfaces,
# temporary folders, database clusters. Exit 1 if there is any. Elsewhere it cannot tell tests from other programs.
set -uo pipefail
shopt -s nullglob
if [ -z "${TESTS_OWN_NAMESPACES:-}" ]; then
  echo 'Not checked: the run has no namespaces of its own.'
  exit 0
fi
left=
note() { left+="  $1: $2"$'\n'; }

list=$(mktemp /run/left-behind-XXXXXX)
ps -eo pid=,ppid=,stat=,args= > "$list"
while read -r pid parent state args; do
  case $state in Z*) continue ;; esac
  if [ "$pid" != 1 ] && [ "$pid" != $$ ] && [ "$parent" != $$ ]; then note process "$pid $args"; fi
done < "$list"
rm -f "$list"
for name in /run/netns/*; do note 'network namespace' "${name##*/}"; done
while read -r name _; do
  [ "$name" = lo ] || note interface "$name"
done < <(ip -brief link)
for path in /tmp/* /var/lib/yunxun/*; do
  case $path in
    # caches of the tools, and what a red run shows
    /tmp/tsx-*|/tmp/node-compile-cache|/tmp/yunxun-e2e-failures) ;;
    *) case $PWD/ in "$path"/*) ;; *) note path "$path" ;; esac ;;
  esac
done
if [ -n "$left" ]; then
  printf 'Left behind:\n%s' "$left"
  exit 1
fi
