import type { TrafficCounter } from './counter.ts';

export interface Bss {
  readonly serial: string;
  readonly ssid: string;
  readonly bssid: string;
  readonly band: string;
  readonly channel: number;
  readonly widthMhz: number;
  readonly open: boolean;
  readonly credentials: string;
  readonly denied: ReadonlySet<string>;
  /** As counted by the access point since the network started. */
  readonly traffic: TrafficCounter;
}

export const isRestarted = (now: Bss, { ssid, band, credentials }: Bss): boolean =>
  now.ssid === ssid && now.band === band && now.credentials === credentials;

export interface Traffic {
  down: number;
  up: number;
}

export interface Router {
  readonly serial: string;
  subnet(): string;
  routed(down: number, up: number, slot: number | null, mac: string): void;
  blocks(mac: string): boolean;
  /** Returns the bytes that pass of a wireless client's. */
  pass(client: { mac: string; open: boolean }, asked: Traffic, seconds: number): Traffic;
}

export interface Switching {
  /** Counts bytes of devices on this wall socket. */
  passed(slot: number, down: number, up: number): void;
}

export interface Carrier {
  readonly serial: string;
  readonly mac: string;
  readonly wireless: boolean;
  readonly address: string | null;
  bsses(): readonly Bss[];
  /** Whether a client's traffic ends here until it signs in. */
  captures(bss: Bss, mac: string): boolean;
  carried(bss: Bss, down: number, up: number): void;
  tick(seconds: number): void;
  joined(bss: Bss, mac: string, atMs: number): void;
  left(
    bss: Bss,
    mac: string,
    atMs: number,
    total: { down: number; up: number; downPackets: number; upPackets: number; seconds: number },
  ): void;
}
