/** Scans the gateway's own private LANs. A gateway runs one scan at a time and keeps its result until the next. */
export type EdgeScanParams = { tool: 'scan'; act: 'start' | 'read' | 'stop'; id: string };

/** Sends a Wake-on-LAN packet on each LAN. */
export type EdgeWakeParams = { tool: 'wake'; mac: string };

/** `status.tool.scan` of the reply. */
export interface EdgeScanResult {
  id: string;
  state: 'running' | 'done' | 'stopped';
  /** Probes sent, and expected as far as known. */
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
}

/** Probes per second; addresses that are looked for, of larger LANs only known neighbours; hosts whose ports are tried. */
export const edgeScanLimits = { perSecond: 50, addresses: 1024, hosts: 256 } as const;

/** Ports by which cameras, printers, servers and network devices are recognized. */
export const edgeScanPorts = [
  ...([22, 23, 80, 139, 443, 445, 515, 554, 631, 3389, 5900, 8000, 8080, 8443, 9100, 37_777] as const),
] as const;
