import { networkText, overlap, readSubnet, type Subnet } from './ipv4.ts';
import { socketOf, uplinkName } from './uplink-names.ts';

/** Address with prefix length that a gateway reports on an interface (`up0v0`, `down1v0`). */
export interface ReportedSubnet {
  interface: string;
  subnet: string;
}

/** A LAN that overlaps the subnet of a line; both by index. */
export interface SubnetCollision {
  line: number;
  network: number;
  /** Subnet of the line, without host bits. */
  subnet: string;
}

interface Settings {
  lines: readonly { port: string; vlan?: number | null | undefined; addressing: 'dynamic' | 'static' }[];
  networks: readonly { address: string }[];
}

/** Compares dynamic WANs only: static subnets are settings. */
export function subnetCollisions(
  { lines, networks }: Settings,
  reported: readonly ReportedSubnet[],
): SubnetCollision[] {
  return lines.flatMap(({ port, vlan, addressing }, line) => {
    if (addressing === 'static') return [];
    const name = uplinkName(port, vlan ?? 0);
    const subnets = reported.flatMap((one) => (one.interface === name ? (readSubnet(one.subnet) ?? []) : []));
    return networks.flatMap(({ address }, network) => {
      const lan = readSubnet(address);
      const own = lan && subnets.find((subnet) => overlap(subnet, lan));
      return own ? [{ line, network, subnet: networkText(own) }] : [];
    });
  });
}

/** Returns each port (`WAN1`) with a line whose reported subnet overlaps the LAN; needs no settings. */
export function linesOver(lan: Subnet, reported: readonly ReportedSubnet[]): { line: string; subnet: string }[] {
  const found = new Map<string, { line: string; subnet: string }>();
  for (const { interface: name, subnet: text } of reported) {
    const subnet = name.startsWith('up') ? readSubnet(text) : null;
    const line = socketOf(name) ?? name;
    if (subnet && overlap(subnet, lan) && !found.has(line)) found.set(line, { line, subnet: networkText(subnet) });
  }
  return [...found.values()];
}
