import { dotted, isHost, readAddress, type Subnet } from '@yunxun/contract/ipv4';
import { type Clock, wait } from '../clock.ts';
import { type Finding, joinFindings } from './finding.ts';
import { askIpp, ippPort } from './ipp.ts';
import { mdnsQuery, readMdns } from './mdns.ts';
import { readSnmp, snmpGet } from './snmp.ts';
import { readSsdp, ssdpGroup, ssdpSearch } from './ssdp.ts';
import { openUdp, type UdpSocket } from './udp.ts';
import { onvifProbe, readProbeMatch } from './ws-discovery.ts';

interface Protocol {
  by: Finding['by'];
  port: number;
  group: string | null;
  packet: () => Buffer;
  read: (packet: Buffer) => Finding | null;
}

const protocols: readonly Protocol[] = [
  { by: 'mdns', port: 5353, group: '224.0.0.251', packet: () => mdnsQuery, read: readMdns },
  { by: 'ssdp', port: 1900, group: ssdpGroup, packet: () => ssdpSearch, read: readSsdp },
  { by: 'onvif', port: 3702, group: ssdpGroup, packet: onvifProbe, read: readProbeMatch },
  { by: 'snmp', port: 161, group: null, packet: () => snmpGet, read: readSnmp },
];

/** Milliseconds for answers to a group (MX is 2 s), for the last answers, for all. */
const [groupMs, lastMs, allMs] = [2500, 1500, 45_000];
/** Per protocol and LAN. */
const [maxPackets, maxBytes] = [512, 8192];
const [maxLans, maxPrinters] = [8, 64];

export interface IdentifyOptions {
  clock: Clock;
  lans: readonly Subnet[];
  hosts: readonly { address: string; ports: readonly number[] }[];
  /** False: stopped. */
  pace(): Promise<boolean>;
  open?: (own: string, heard: (packet: Buffer, from: string) => void) => Promise<UdpSocket>;
  ipp?: (address: string) => Promise<Finding | null>;
}

/** Upper bound. */
export const packetsFor = (lans: number, hosts: number): number =>
  Math.min(lans, maxLans) * protocols.filter(({ group }) => group !== null).length + hosts * protocols.length;

/** Asks groups, then silent hosts: the filter of VLAN networks drops answers to groups. @returns findings by address */
export async function identify(options: IdentifyOptions): Promise<ReadonlyMap<string, Finding[]>> {
  const { clock, hosts, pace, open = openUdp, ipp = askIpp } = options;
  const lans = options.lans.slice(0, maxLans);
  const found = new Map(hosts.map(({ address }) => [address, new Map<Finding['by'], Finding>()]));
  const until = clock.now() + allMs;
  const take = (address: string, finding: Finding | null) => {
    const known = found.get(address);
    if (finding !== null && known) known.set(finding.by, joinFindings(known.get(finding.by), finding));
  };
  const ends: { lan: Subnet; protocol: Protocol; socket: UdpSocket }[] = [];
  for (const lan of lans)
    for (const protocol of protocols) {
      let left = maxPackets;
      const heard = (packet: Buffer, from: string) => {
        const address = readAddress(from);
        left -= 1;
        if (left < 0 || packet.length > maxBytes || address === null || !isHost(lan, address)) return;
        take(dotted(address), protocol.read(packet));
      };
      const socket = await open(dotted(lan.address), heard).catch(() => null);
      if (socket) ends.push({ lan, protocol, socket });
    }
  const goesOn = async () => clock.now() < until && (await pace());
  try {
    for (const { protocol, socket } of ends) {
      if (protocol.group === null) continue;
      socket.send(protocol.packet(), protocol.port, protocol.group);
      if (!(await goesOn())) return settled(found);
    }
    const printers = hosts.filter(({ ports }) => ports.includes(ippPort)).slice(0, maxPrinters);
    const asked = printers.map(async ({ address }) => take(address, await ipp(address)));
    await Promise.all([wait(clock, groupMs), ...asked]);
    for (const { address } of hosts)
      for (const { lan, protocol, socket } of ends) {
        if (!isHost(lan, readAddress(address) ?? 0) || found.get(address)?.has(protocol.by)) continue;
        socket.send(protocol.packet(), protocol.port, address);
        if (!(await goesOn())) return settled(found);
      }
    await wait(clock, lastMs);
    return settled(found);
  } finally {
    for (const { socket } of ends) socket.close();
  }
}

function settled(found: ReadonlyMap<string, ReadonlyMap<Finding['by'], Finding>>): Map<string, Finding[]> {
  return new Map([...found].flatMap(([address, all]) => (all.size === 0 ? [] : [[address, [...all.values()]]])));
}
