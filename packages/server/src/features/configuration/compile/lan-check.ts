import type { gateway } from '@yunxun/contract';
import { networkText, readSubnet, type Subnet } from '@yunxun/contract/ipv4';
import { linesOver, subnetCollisions } from '@yunxun/contract/subnet-collisions';
import type { Findings } from './findings.ts';
import type { GatewayReport } from './intent.ts';

/**
 * Refuses LANs that overlap a WAN's subnet: the host would lose the console. A LAN that already runs passes, so that
 * other changes reach it. Waits without a current report.
 */
export function checkNetworkLans(
  settings: gateway.GatewaySettings,
  report: GatewayReport | undefined,
  findings: Findings,
): void {
  if (!report) return;
  const { lines: wans, networks } = settings;
  if (!report.current) {
    if (wans.some(({ addressing }) => addressing === 'dynamic')) findings.wrong('addresses_unknown', 'lines');
    return;
  }
  for (const { line, network, subnet } of subnetCollisions(settings, report.subnets)) {
    const { name, address } = networks[network]!;
    if (runs(report, readSubnet(address)!)) continue;
    findings.wrong('subnets_collide', `networks.${network}.address`, { name, line: wans[line]!.name, subnet });
  }
}

/** Checks hosts without gateway settings, whose WANs are all dynamic. */
export function checkHostLan(lan: Subnet, report: GatewayReport | undefined, findings: Findings): void {
  if (!report) return;
  if (!report.current) findings.wrong('addresses_unknown', 'lan_address');
  else if (!runs(report, lan)) {
    const [line] = linesOver(lan, report.subnets);
    if (line) findings.wrong('subnets_collide', 'lan_address', { name: 'LAN', ...line });
  }
}

function runs({ lans }: GatewayReport, lan: Subnet): boolean {
  return lans.some(({ subnet }) => {
    const own = readSubnet(subnet);
    return own !== null && networkText(own) === networkText(lan);
  });
}
