import { requestUnits } from './request-units.ts';

/**
 * Offers the WANs' DNS servers to other programs. The agent cannot write /etc/resolv.conf: it writes
 * /run/yunxun-edge/nameservers, and a root unit runs `resolverScript`, which accepts only these.
 */
export const resolverUnits = requestUnits({
  name: 'resolver',
  file: 'nameservers',
  description: 'DNS servers offered by the Yunxun edge agent',
  timeoutSeconds: 30,
});

/** /usr/lib/yunxun-edge/resolver, POSIX shell. `YUNXUN_EDGE_ROOT` prefixes its files (tests). */
export const resolverScript = String.raw`#!/bin/sh
# Gives this machine the DNS servers of its WANs. The Yunxun edge agent asks for it when none of /etc/resolv.conf works.
# systemd-resolved and resolvconf get them in their own way; else the file itself is written.
conf=$YUNXUN_EDGE_ROOT/etc/resolv.conf
run=$YUNXUN_EDGE_ROOT/run

servers=$(head -c 512 "$run/yunxun-edge/nameservers" | tr -cs '0-9.' '\n' |
  grep -E '^[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$' | head -n 3)
[ -n "$servers" ] || exit 0
first=$(printf '%s\n' "$servers" | head -n 1)
target=$(readlink "$conf" 2>/dev/null)

stub() { grep -Eqs '^nameserver[[:space:]]+127\.0\.0\.5[34]' "$conf"; }
case $target in *systemd/*) resolved=yes ;; *) stub && resolved=yes ;; esac
if [ -n "$resolved" ] && systemctl is-active --quiet systemd-resolved.service; then
  mkdir -p "$run/systemd/resolved.conf.d" &&
    printf '[Resolve]\nDNS=%s\nDomains=~.\n' "$(echo $servers)" >"$run/systemd/resolved.conf.d/60-yunxun-edge.conf" &&
    systemctl restart systemd-resolved.service
  exit
fi

lines=$(printf '%s\n' "$servers" | sed 's/^/nameserver /')
case $target in *resolvconf/*) managed=yes ;; *) grep -qs '^#.*resolvconf' "$conf" && managed=yes ;; esac
if [ -n "$managed" ] && command -v resolvconf >/dev/null; then
  printf '%s\n' "$lines" | resolvconf -a yunxun-edge
  grep -E '^nameserver' "$conf" 2>/dev/null | head -n 3 | grep -qF "nameserver $first" && exit 0
fi

# a link that leads nowhere, as systemd-resolved leaves behind
[ -L "$conf" ] && [ ! -e "$conf" ] && rm -f "$conf"
kept=$(grep -Ev '^[[:space:]]*(nameserver|[#;]|$)' "$conf" 2>/dev/null)
# in place: in a container the file is a mount
printf '# DNS servers of the WANs: Yunxun edge agent, as no other one worked\n%s\n%s\n' "$lines" "$kept" >"$conf"
`;
