import { mac, setOf } from './encode.ts';
import { devicesOf, rule } from './firewall.ts';
import type { Lan } from './wiring.ts';

const set = 'blocked';

/** Drops before connection tracking, open connections too. List changes only fill the set (`blockedElements`). */
export function blockChain(lans: readonly Lan[]): string[] {
  if (lans.length === 0) return [];
  return [
    `set ${set} {`,
    '\ttype ether_addr',
    '}',
    'chain blocking {',
    '\ttype filter hook prerouting priority raw; policy accept;',
    ...rule(devicesOf(lans), (from) => `iifname ${from} ether saddr @${set} drop`),
    '}',
  ];
}

export function blockedElements(macs: readonly string[]): string {
  return macs.length === 0 ? '' : `add element inet yunxun ${set} ${setOf(macs.map(mac))}\n`;
}

export function blockedAnew(macs: readonly string[]): string {
  return `flush set inet yunxun ${set}\n${blockedElements(macs)}`;
}
