import type { EdgeCaptive } from '@yunxun/contract/device';
import { network, setOf, v4 } from './encode.ts';
import type { Lan } from './wiring.ts';

export function rangesOf({ ranges = [] }: Pick<EdgeCaptive, 'ranges'>, name: string): string[] {
  return ranges
    .filter((range) => range.interface === name)
    .map(({ first, last }) => (first === last ? v4(first) : `${v4(first)}-${v4(last)}`));
}

/**
 * IPv6 addresses say nothing about ranges, so IPv6 of a client passes for five minutes after IPv4 of its MAC from
 * outside of them.
 */
export const outsidersSet = [
  'set outsiders {',
  '\ttype ifname . ether_addr',
  '\tflags dynamic,timeout',
  '\ttimeout 5m',
  '\tsize 8192',
  '}',
];

/** Other addresses than those of the LAN are captured too. */
export function outsideRules(captive: EdgeCaptive, { name, subnet }: Lan, devices: readonly string[]): string[] {
  const ranges = rangesOf(captive, name);
  if (ranges.length === 0 || subnet === null || devices.length === 0) return [];
  const match = `iifname ${setOf(devices)} ip saddr ${network(subnet)} ip saddr != ${setOf(ranges)}`;
  // a full set fails the rule, and must not capture them
  return [`\t${match} update @outsiders { iifname . ether saddr }`, `\t${match} accept`];
}
