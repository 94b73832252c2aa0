import type { PeripheralType } from '../peripherals.ts';

/** Private LANs; one scan at a time, kept until the next. */
export type EdgeScanParams = { tool: 'scan'; act: 'start' | 'read' | 'stop'; id: string };

/** Sends a Wake-on-LAN packet on each LAN. */
export type EdgeWakeParams = { tool: 'wake'; mac: string };

/** `status.tool.scan` of the reply. */
export interface EdgeScanResult {
  id: string;
  state: 'running' | 'done' | 'stopped';
  /** Sent, and expected so far. */
  done: number;
  total: number;
  subnets: readonly string[];
  hosts: readonly EdgeScanHost[];
}

export interface EdgeScanHost {
  address: string;
  mac: string | null;
  hostname: string | null;
  /** Open TCP ports. */
  ports: readonly number[];
  /** Absent from older agents. */
  findings?: readonly EdgeScanFinding[];
}

/** Most telling first. */
export const edgeFindingSources = ['onvif', 'ipp', 'mdns', 'snmp', 'ssdp'] as const;

export interface EdgeScanFinding {
  by: (typeof edgeFindingSources)[number];
  type: PeripheralType | null;
  name: string | null;
  model: string | null;
}

/** Probes per second; addresses (beyond, known neighbours only); hosts with port probes; characters of a name. */
export const edgeScanLimits = { perSecond: 50, addresses: 1024, hosts: 256, text: 64 } as const;

/** Of cameras, printers, servers, network devices. */
export const edgeScanPorts = [
  22, 23, 80, 139, 443, 445, 515, 554, 631, 3389, 5900, 8000, 8080, 8443, 9100, 37_777,
] as const;
