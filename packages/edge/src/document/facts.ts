import type { MtuRange } from '@yunxun/contract/device';

/** Facts about the host that reading and rendering documents needs; both are pure. */
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
  /** An ifb device and a redirect to it: required to limit WAN ingress. */
  ifb: boolean;
  /** fq_codel as the queue of a class; otherwise a short FIFO. */
  fqCodel: boolean;
  dhcpClient: boolean;
  dnsmasq: boolean;
  /** dnsmasq puts addresses that it answers into nftables sets. */
  nftset?: boolean;
  /** WireGuard interfaces, by the kernel (`kernelTunnels`) or by wireguard-go. */
  sdwan?: boolean;
  kernelTunnels?: boolean;
}

export interface Folders {
  run: string;
  state: string;
}
