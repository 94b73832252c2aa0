import type { TrafficCounter } from './counter.ts';

/** One wireless network on one radio of one access point: what a station can join. */
export interface Bss {
  readonly serial: string;
  readonly ssid: string;
  readonly bssid: string;
  readonly band: string;
  readonly channel: number;
  readonly widthMhz: number;
  /** Anybody may join without a key. */
  readonly open: boolean;
  /** Seen from the access point, since the network came up. */
  readonly traffic: TrafficCounter;
}

/** The box that routes for a place. */
export interface Router {
  readonly serial: string;
  /** Address and prefix length of its LAN. */
  subnet(): string;
  /** Traffic between the LAN and the world, bytes; `slot` is the socket it came through, null for its own radio. */
  routed(down: number, up: number, slot: number | null): void;
}

/** A switch of the place. */
export interface Switching {
  /** Traffic of whoever hangs on this socket of the wall, bytes. */
  passed(slot: number, down: number, up: number): void;
}

/** A box that carries wireless networks, as the place sees it. */
export interface Carrier {
  readonly serial: string;
  readonly mac: string;
  /** It can carry wireless networks at all. */
  readonly wireless: boolean;
  /** Its own address in the place. */
  readonly address: string | null;
  /** What is on the air now; empty while it is down or nothing is configured. */
  bsses(): readonly Bss[];
  /** Traffic that a station of this box caused, bytes. */
  carried(bss: Bss, down: number, up: number): void;
  /** A step passed: background traffic. */
  tick(seconds: number): void;
  joined(bss: Bss, mac: string, atMs: number): void;
  left(
    bss: Bss,
    mac: string,
    atMs: number,
    total: { down: number; up: number; downPackets: number; upPackets: number; seconds: number },
  ): void;
}
