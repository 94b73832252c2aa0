import type { EdgeShield } from '@yunxun/contract/device';
import { devicesOf, rule } from './firewall.ts';
import type { Lan } from './wiring.ts';

/** Redirects clients' DNS to the gateway and drops DNS over TLS, if asked. */
export function shieldChains(shield: EdgeShield | null, lans: readonly Lan[]): string[] {
  const served = devicesOf(lans.filter(({ subnet }) => subnet !== null));
  if (!shield?.redirect || served.length === 0) return [];
  return [
    'chain shield_names {',
    '\ttype nat hook prerouting priority dstnat; policy accept;',
    ...rule(served, (from) => `iifname ${from} meta nfproto ipv4 udp dport 53 redirect to :53`),
    ...rule(served, (from) => `iifname ${from} meta nfproto ipv4 tcp dport 53 redirect to :53`),
    '}',
    'chain shield_tls {',
    '\ttype filter hook forward priority filter; policy accept;',
    ...rule(served, (from) => `iifname ${from} tcp dport 853 drop`),
    ...rule(served, (from) => `iifname ${from} udp dport 853 drop`),
    '}',
  ];
}
