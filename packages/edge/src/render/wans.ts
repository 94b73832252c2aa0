import { uplinkName } from '@yunxun/contract/uplink-names';
import type { EdgeDocument } from '../document/document.ts';
import type { Facts } from '../document/facts.ts';
import { address, hex, network, quotedDevice, setOf } from './encode.ts';
import { others, wanMark, wanMask } from './marks.ts';
import { mainTable, type PlanDhcpClient, type PlanRule, type PlanWan, rulePriorities } from './plan.ts';
import type { Lan, Wan } from './wiring.ts';

export function resolvPath({ folders }: Facts): string {
  return `${folders.run}/resolv.conf`;
}

export function byPreference(wans: readonly Wan[]): Wan[] {
  return wans.toSorted((a, b) => a.metric - b.metric || a.number - b.number);
}

/** Assigns metrics 10, 20, … by preference. */
export function planWans(wans: readonly Wan[], routes: EdgeDocument['wanRoutes']): PlanWan[] {
  const order = byPreference(wans);
  return wans.map((wan) => ({
    name: wan.name,
    interface: uplinkName(wan.port.name, wan.vlan),
    device: wan.device,
    table: 200 + wan.number,
    mark: { value: wanMark(wan.number), mask: wanMask },
    rulePriority: rulePriorities.first + 30 + wan.number,
    metric: 10 * (order.indexOf(wan) + 1),
    fixed:
      wan.addressing.kind === 'static'
        ? { address: address(wan.addressing.subnet.address), gateway: address(wan.addressing.gateway) }
        : null,
    dns: wan.dns?.map(address) ?? null,
    routes: routes
      .filter(({ uplink }) => uplink === wan.name)
      .map(({ to }) => network(to))
      .toSorted(),
    ...(wan.metered && { metered: true as const }),
  }));
}

/**
 * Orders local networks and static routes, then the connection's WAN by mark. Source rules come from `wanEntries`; the
 * rest uses the best living WAN.
 */
export function wanRules(wans: readonly Wan[]): PlanRule[] {
  if (wans.length === 0) return [];
  return [
    { priority: rulePriorities.first, from: null, mark: null, table: mainTable, suppressDefault: true },
    ...wans.map(
      ({ number }): PlanRule => ({
        priority: rulePriorities.first + 10 + number,
        from: null,
        mark: { value: wanMark(number), mask: wanMask },
        table: 200 + number,
        suppressDefault: false,
      }),
    ),
  ];
}

export function dhcpClients(wans: readonly Wan[], hostName: string | null, facts: Facts): PlanDhcpClient[] {
  const untagged = new Map(wans.flatMap(({ port, mac }) => (port.tagged ? [] : [[port.device, mac] as const])));
  return wans.flatMap(({ device, addressing, dns, port, mac: own }) => {
    if (addressing.kind !== 'dynamic') return [];
    const mac = own ?? untagged.get(port.device) ?? null;
    return [
      {
        device,
        hostName: addressing.sendHostName ? hostName : null,
        resolv: dns === null ? resolvPath(facts) : null,
        ...(mac !== null && { mac }),
      },
    ];
  });
}

/** Keeps a connection on its first WAN: NAT bound it to that address. */
export function wanChains(wans: readonly Wan[], lans: readonly Lan[]): string[] {
  if (wans.length === 0) return [];
  const keep = hex(others(wanMask));
  const insides = lans.map(({ device }) => quotedDevice(device));
  const verdicts = wans.map(({ number }) => `${hex(wanMark(number))} : jump follow_${number}`);
  return [
    ...wans.flatMap(({ number }) => [
      `chain line_${number} {`,
      `\tct mark set ct mark and ${keep} or ${hex(wanMark(number))}`,
      '}',
      `chain follow_${number} {`,
      `\tmeta mark set meta mark and ${keep} or ${hex(wanMark(number))}`,
      '}',
    ]),
    'chain lines_in {',
    '\ttype filter hook prerouting priority mangle; policy accept;',
    ...wans.map(({ device, number }) => `\tiifname ${quotedDevice(device)} ct state new jump line_${number}`),
    ...(insides.length > 0 ? [`\tiifname ${setOf(insides)} ct mark and ${hex(wanMask)} vmap ${setOf(verdicts)}`] : []),
    '}',
    'chain lines_out {',
    '\ttype filter hook postrouting priority mangle; policy accept;',
    ...wans.map(({ device, number }) => `\toifname ${quotedDevice(device)} ct state new jump line_${number}`),
    '}',
  ];
}
