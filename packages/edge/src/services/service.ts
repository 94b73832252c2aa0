import type { Clock } from '../clock.ts';
import type { EdgeDocument } from '../document/document.ts';

export interface Service {
  /** For WANs and VLAN networks; an untagged network admits all. */
  opens(document: Pick<EdgeDocument, 'sshPort'>): { protocol: 'tcp' | 'udp'; port: number };
}

/** Answered by the agent. */
export interface ServedService extends Service {
  dhcpOption?: string;
  /** `failed` ends it. */
  serve(place: Place): { close(): void };
}

export interface Place {
  address: string;
  port: number;
  clock: Clock;
  isClockSet(): boolean;
  failed(error: Error): void;
}
