import { requestUnits } from './request-units.ts';

/**
 * Restarts the distribution's network, which the agent may not: it writes device names to /run/yunxun-edge/network, and
 * a root unit runs `networkScript`, which accepts only these.
 */
export const networkUnits = requestUnits({
  name: 'network',
  file: 'network',
  description: 'Network of the distribution, asked for by the Yunxun edge agent',
  timeoutSeconds: 120,
});

/** /usr/lib/yunxun-edge/network, POSIX shell. `YUNXUN_EDGE_ROOT` prefixes its files (tests). */
export const networkScript = String.raw`#!/bin/sh
# Starts the network of this machine's distribution anew on the devices that the Yunxun edge agent names. The agent asks
# for it when it has returned to a configuration without lines of its own and cannot reach its console.
root=$YUNXUN_EDGE_ROOT

active() { systemctl is-active --quiet "$1" 2>/dev/null; }
has() { command -v "$1" >/dev/null; }
renew() {
  if active NetworkManager.service && has nmcli &&
    ! nmcli -g GENERAL.STATE device show "$1" 2>/dev/null | grep -q unmanaged; then
    nmcli --wait 30 device connect "$1"
  elif active systemd-networkd.service && ! networkctl status "$1" 2>/dev/null | grep -q unmanaged; then
    networkctl reconfigure "$1"
  elif has ifup && grep -Eqrs "^[[:space:]]*iface[[:space:]]+$1[[:space:]]" "$root/etc/network"; then
    ifdown --force "$1"
    ifup --force "$1"
  elif [ -x "$root/sbin/procd" ] && [ -x "$root/etc/init.d/network" ]; then
    "$root/etc/init.d/network" restart
  elif has dhcpcd; then
    dhcpcd -4 -w -t 30 "$1"
  elif has dhclient; then
    dhclient -4 -1 "$1"
  fi
}

head -c 512 "$root/run/yunxun-edge/network" | tr -cs 'A-Za-z0-9._-' '\n' | grep -E '^[A-Za-z0-9]' | head -n 8 |
  while read -r device; do
    [ -d "$root/sys/class/net/$device" ] && renew "$device" </dev/null
  done
exit 0
`;
