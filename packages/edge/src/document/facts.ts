/** What the box is, as far as a document has to know: the pure side asks nobody else. */
export interface Facts {
  /** `WAN1`, `LAN1`, … → the kernel's device, from ports.json. */
  ports: Readonly<Record<string, string>>;
  abilities: Abilities;
  folders: Folders;
}

/** What kernel and tools can do; probed at start. */
export interface Abilities {
  /** Devices for tagged VLANs. */
  vlan: boolean;
  /** htb classes. */
  shaping: boolean;
  /** An ifb device and a redirect to it: needed to limit what comes in over a line. */
  ifb: boolean;
  /** fq_codel as the queue of a class; a short fifo otherwise. */
  fqCodel: boolean;
  /** A DHCP client for lines that get their address. */
  dhcpClient: boolean;
  /** dnsmasq. */
  dnsmasq: boolean;
}

/** Where files lie. Absolute paths of plain characters, without a slash at the end. */
export interface Folders {
  /** Gone after a restart of the box: `/run/yunxun-edge`. */
  run: string;
  /** Kept: `/var/lib/yunxun-edge`. */
  state: string;
}
