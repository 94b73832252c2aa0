import { uplinkName } from '@yunxun/contract/uplink-names';
import type { Facts } from '../document/facts.ts';
import { address, hex, quotedDevice, setOf } from './encode.ts';
import { lineMark, lineMask, others } from './marks.ts';
import { mainTable, type PlanDhcpClient, type PlanLine, type PlanRule, rulePriorities } from './plan.ts';
import type { Lan, Line } from './wiring.ts';

export function resolvPath({ folders }: Facts): string {
  return `${folders.run}/resolv.conf`;
}

export function byPreference(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => a.metric - b.metric || a.number - b.number);
}

/** Assigns metrics 10, 20, … by preference. */
export function planLines(lines: readonly Line[]): PlanLine[] {
  const order = byPreference(lines);
  return lines.map((line) => ({
    name: line.name,
    interface: uplinkName(line.port.name, line.vlan),
    device: line.device,
    table: 200 + line.number,
    mark: { value: lineMark(line.number), mask: lineMask },
    rulePriority: rulePriorities.first + 30 + line.number,
    metric: 10 * (order.indexOf(line) + 1),
    fixed:
      line.addressing.kind === 'static'
        ? { address: address(line.addressing.subnet.address), gateway: address(line.addressing.gateway) }
        : null,
    dns: line.dns?.map(address) ?? null,
  }));
}

/**
 * Orders local networks and static routes, then the connection's WAN by mark. Source rules come from `lineEntries`; the
 * rest uses the best living WAN.
 */
export function lineRules(lines: readonly Line[]): PlanRule[] {
  if (lines.length === 0) return [];
  return [
    { priority: rulePriorities.first, from: null, mark: null, table: mainTable, suppressDefault: true },
    ...lines.map(
      ({ number }): PlanRule => ({
        priority: rulePriorities.first + 10 + number,
        from: null,
        mark: { value: lineMark(number), mask: lineMask },
        table: 200 + number,
        suppressDefault: false,
      }),
    ),
  ];
}

export function dhcpClients(lines: readonly Line[], hostName: string | null, facts: Facts): PlanDhcpClient[] {
  const untagged = new Map(lines.flatMap(({ port, mac }) => (port.tagged ? [] : [[port.device, mac] as const])));
  return lines.flatMap(({ device, addressing, dns, port, mac: own }) => {
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
export function lineChains(lines: readonly Line[], lans: readonly Lan[]): string[] {
  if (lines.length === 0) return [];
  const keep = hex(others(lineMask));
  const insides = lans.map(({ device }) => quotedDevice(device));
  const verdicts = lines.map(({ number }) => `${hex(lineMark(number))} : jump follow_${number}`);
  return [
    ...lines.flatMap(({ number }) => [
      `chain line_${number} {`,
      `\tct mark set ct mark and ${keep} or ${hex(lineMark(number))}`,
      '}',
      `chain follow_${number} {`,
      `\tmeta mark set meta mark and ${keep} or ${hex(lineMark(number))}`,
      '}',
    ]),
    'chain lines_in {',
    '\ttype filter hook prerouting priority mangle; policy accept;',
    ...lines.map(({ device, number }) => `\tiifname ${quotedDevice(device)} ct state new jump line_${number}`),
    ...(insides.length > 0 ? [`\tiifname ${setOf(insides)} ct mark and ${hex(lineMask)} vmap ${setOf(verdicts)}`] : []),
    '}',
    'chain lines_out {',
    '\ttype filter hook postrouting priority mangle; policy accept;',
    ...lines.map(({ device, number }) => `\toifname ${quotedDevice(device)} ct state new jump line_${number}`),
    '}',
  ];
}
