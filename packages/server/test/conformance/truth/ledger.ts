import type { Association, Count, Message } from './world.ts';

/** In seconds of the hour. */
export interface Reported {
  of: Association;
  /** Begin, and last confirmed moment. */
  start: number;
  last: number;
  open: boolean;
  authenticated: boolean;
  listed: boolean;
  down: number;
  up: number;
  counted: { tx: number; rx: number };
}

export interface Flow {
  time: number;
  device: number;
  /** 0 is the uplink. */
  band: 0 | 2 | 5 | 6;
  down: number;
  up: number;
}

export interface Sighting {
  time: number;
  mac: string;
  device: number;
  down: number;
  up: number;
  authenticated: boolean;
}

interface Heard {
  connected: boolean;
  newest: number | null;
  uplink: Count;
  wireless: Map<string, Count>;
  reported: Map<number, Reported>;
}

/**
 * Expected state of delivered messages, with known counters and associations. Reads no uptime, clock or `connected`,
 * whose interpretation is under test.
 */
export class Ledger {
  readonly flows: Flow[] = [];
  readonly sightings: Sighting[] = [];
  readonly reports: { time: number; device: number }[] = [];
  readonly devices: Heard[];

  constructor(devices: number) {
    this.devices = Array.from({ length: devices }, () => ({
      connected: false,
      newest: null,
      wireless: new Map(),
      reported: new Map(),
      uplink: { life: -1, reset: false, rx: 0, tx: 0 },
    }));
  }

  came(message: Message, at: number): void {
    const heard = this.devices[message.device]!;
    if (message.what === 'state') {
      // repeated or older: no new information
      if (heard.newest === null || message.time > heard.newest) this.#report(heard, message, at);
    } else if (message.what === 'join') this.#joined(heard, message.of, message.time);
    else this.#left(heard, message.of, message.time);
  }

  get sessions(): Reported[] {
    return this.devices.flatMap(({ reported }) => [...reported.values()]);
  }

  #report(heard: Heard, report: Message & { what: 'state' }, at: number): void {
    const { device } = report;
    const first = heard.newest === null;
    heard.newest = report.time;
    this.reports.push({ time: at, device });
    const uplink = first ? none : since(heard.uplink, report.uplink);
    heard.uplink = report.uplink;
    this.flows.push({ time: at, device, band: 0, down: uplink.rx, up: uplink.tx });
    for (const [bssid, count] of report.wireless) {
      const flow = first ? none : since(heard.wireless.get(bssid), count);
      heard.wireless.set(bssid, count);
      this.flows.push({ time: at, device, band: count.band, down: flow.tx, up: flow.rx });
    }
    const there = new Set(report.there.map(({ id }) => id));
    for (const reported of heard.reported.values()) if (!there.has(reported.of.id)) reported.open = false;
    for (const of of report.there) {
      let reported = heard.reported.get(of.id);
      if (!reported) {
        // wired: the start is unknown
        reported = this.#begin(heard, of, first || of.band === 0 ? at : of.start);
        if (first) reported.counted = { tx: of.tx, rx: of.rx };
      }
      this.#seen(reported, of, at);
      reported.listed = true;
    }
  }

  #joined(heard: Heard, of: Association, time: number): void {
    if (heard.reported.has(of.id) || (heard.newest !== null && time < heard.newest)) return;
    for (const other of heard.reported.values())
      if (other.of.mac === of.mac && other.of.bssid === of.bssid) other.open = false;
    const reported = this.#begin(heard, of, time);
    this.#seen(reported, of, time);
  }

  #left(heard: Heard, of: Association, time: number): void {
    let reported = heard.reported.get(of.id);
    // ended: later messages about its end do not count
    if (reported && !reported.open) return;
    if (!reported) {
      const first = heard.newest === null;
      reported = this.#begin(heard, of, first ? time : of.start);
      if (first) reported.counted = { tx: of.tx, rx: of.rx };
    }
    this.#seen(reported, { ...of, authenticated: reported.authenticated }, Math.max(time, reported.last));
    reported.open = false;
  }

  #begin(heard: Heard, of: Association, start: number): Reported {
    const reported: Reported = {
      of,
      start,
      last: start,
      open: true,
      authenticated: false,
      listed: false,
      down: 0,
      up: 0,
      counted: { tx: 0, rx: 0 },
    };
    heard.reported.set(of.id, reported);
    return reported;
  }

  #seen(reported: Reported, of: Association, time: number): void {
    const [down, up] = [of.tx - reported.counted.tx, of.rx - reported.counted.rx];
    const { mac, device, authenticated } = of;
    this.sightings.push({ time, mac, device, down, up, authenticated });
    reported.counted = { tx: of.tx, rx: of.rx };
    reported.down += down;
    reported.up += up;
    reported.last = time;
    reported.authenticated = authenticated;
  }
}

const none = { rx: 0, tx: 0 };

/** Counts all of a life that began with a restart, otherwise none. */
function since(last: Count | undefined, now: Count): { rx: number; tx: number } {
  if (last && now.reset && last.life < now.life) return none;
  return last?.life === now.life ? { rx: now.rx - last.rx, tx: now.tx - last.tx } : now;
}
