import type { Clock } from '../clock.ts';
import type { EdgeDocument } from '../document/document.ts';

/** A service that an interface may open. */
export interface Service {
  /** Port that a WAN and a VLAN network admit. An untagged network admits all. */
  opens(document: Pick<EdgeDocument, 'sshPort'>): { protocol: 'tcp' | 'udp'; port: number };
}

/** A service that the agent answers at the gateway's address of a network. */
export interface ServedService extends Service {
  /** Option by which DHCP names the gateway's address to clients. */
  dhcpOption?: string;
  /** Answers until it is closed. `failed` ends it: an address may not be there yet, a port not free. */
  serve(place: Place): { close(): void };
}

export interface Place {
  address: string;
  port: number;
  clock: Clock;
  /** Whether the clock of the host can be right. */
  isClockSet(): boolean;
  failed(error: Error): void;
}
