import { type EdgeCaptive, edgeCaptiveLimits } from '@yunxun/contract/device';
import { outsideRules, outsidersSet } from './captive-ranges.ts';
import { hex, mac, quotedDevice, setOf, v4, v6 } from './encode.ts';
import { rule } from './firewall.ts';
import { betweenMark } from './marks.ts';
import { deviceOf, type Lan } from './wiring.ts';

/** Apart from `inet yunxun`, whose reload would drop granted clients; sets survive changed rules. */
export const captiveTable = 'inet yunxun_captive';
const bridgeTable = 'bridge yunxun_captive';
export const noCaptiveBridge = `table ${bridgeTable}\ndelete table ${bridgeTable}\n`;

/** RFC 4861: they make a client send through another. */
export const routerMessages = 'icmpv6 type { nd-router-advert, nd-redirect }';

/** Tables whose sets hold the clients that are in, with the words of their sets of families. */
export function setTables(bridged: boolean): { table: string; families: readonly string[] }[] {
  const routed = { table: captiveTable, families: ['ipv4', 'ipv6'] };
  return bridged ? [routed, { table: bridgeTable, families: ['ip', 'ip6'] }] : [routed];
}

const block = (head: string, lines: readonly string[]) => [`${head} {`, ...lines, '}'];

const portsOf = ({ ports, vlan }: Lan) =>
  ports.length > 1 ? ports.map((port) => quotedDevice(deviceOf(port, vlan))).toSorted() : [];

/**
 * Filters frames between the ports of a LAN, which no route sees: routers of guests, and IPv6 of clients that are not in
 * to such a router. Empty without LANs of several ports.
 */
export function bridgeText(captive: EdgeCaptive, captured: readonly Lan[]): string {
  const ports = captured.flatMap(portsOf);
  if (ports.length === 0) return '';
  const { exempt_macs: macs, exempt_addresses: addresses, exempt_ipv6: addresses6 = [] } = captive;
  const outside = captured.flatMap((lan) => outsideRules(captive, lan, portsOf(lan)).slice(0, 1));
  const isRanged = outside.length > 0;
  const sets = [
    ...block('set guests', ['\ttype ether_addr', '\tflags timeout', `\tsize ${2 * edgeCaptiveLimits.guests}`]),
    ...block('set away', ['\ttypeof meta protocol', '\tflags timeout']),
    ...(isRanged ? outsidersSet : []),
  ];
  const chains = [
    ...(isRanged
      ? block('chain outside', ['\ttype filter hook prerouting priority -300; policy accept;', ...outside])
      : []),
    ...block('chain gated', [
      ...rule(macs.map(mac), (set) => `ether saddr ${set} accept`),
      ...(isRanged ? ['\tiifname . ether saddr @outsiders accept'] : []),
      // hosts take frames with tags of VLAN 0, for which nft's own test of the Ethernet type fails
      '\tmeta protocol { 8021q, 8021ad } drop',
      `\tmeta protocol ip6 ${routerMessages} drop`,
      // answers of DHCPv6, from any port
      '\tmeta protocol ip6 udp dport 546 drop',
      '\tether saddr @guests accept',
      '\tmeta protocol @away accept',
      ...rule(addresses.map(v4), (set) => `ip saddr ${set} accept`),
      ...rule(addresses6.map(v6), (set) => `ip6 saddr ${set} accept`),
      '\tip6 daddr != { fe80::/10, ff00::/8 } drop',
      '\tmeta l4proto 41 drop',
    ]),
    ...block('chain between', [
      '\ttype filter hook forward priority -200; policy accept;',
      `\tiifname ${setOf(ports)} meta mark set meta mark or ${hex(betweenMark)}`,
      `\tiifname ${setOf(ports)} jump gated`,
    ]),
  ];
  return `${tableOf(sets)}flush table ${bridgeTable}\n${tableOf(chains)}`;
}

function tableOf(lines: readonly string[]): string {
  return `table ${bridgeTable} {\n${lines.map((line) => `\t${line}\n`).join('')}}\n`;
}
