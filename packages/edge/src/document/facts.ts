import type { MtuRange } from '@yunxun/contract/device';

/** Host facts for the pure reading and rendering. */
export interface Facts {
  ports: Readonly<Record<string, string>>;
  /** Supported MTUs by port name; a missing port is unknown. */
  mtus?: Readonly<Record<string, MtuRange>>;
  abilities: Abilities;
  folders: Folders;
}

export interface Abilities {
  vlan: boolean;
  shaping: boolean;
  ifb: boolean;
  /** Queue of a class; otherwise a short FIFO. */
  fqCodel: boolean;
  dhcpClient: boolean;
  dnsmasq: boolean;
  nftset?: boolean;
  /** nftables limits frames to a MAC, at the egress hook (Linux 5.16). */
  captiveRates?: boolean;
  captiveBridge?: boolean;
  /** By the kernel (`kernelTunnels`) or wireguard-go. */
  sdwan?: boolean;
  kernelTunnels?: boolean;
  iperf?: boolean;
}

export interface Folders {
  run: string;
  state: string;
}
