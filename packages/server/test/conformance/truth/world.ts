import { bands, type DevicePlan, type Fate, type Plan, type TerminalPlan, type WiredPlan } from './plan.ts';

/** Bytes since the counter's start; `life` identifies it. */
export interface Count {
  life: number;
  /** The counter restarted without the device, which a receiver cannot tell from an error. */
  reset: boolean;
  rx: number;
  tx: number;
}

export interface Association {
  id: number;
  mac: string;
  device: number;
  bssid: string;
  band: 0 | 2 | 5 | 6;
  /** Seconds of the hour. */
  start: number;
  tx: number;
  rx: number;
  authenticated: boolean;
}

export type Message =
  | {
      what: 'state';
      device: number;
      time: number;
      fate: Fate;
      reported: Record<string, unknown>;
      uplink: Count;
      wireless: ReadonlyMap<string, Count & { band: 2 | 5 | 6 }>;
      there: readonly Association[];
    }
  | { what: 'join' | 'leave'; device: number; time: number; fate: Fate; of: Association };

export interface Second {
  cut: boolean;
  connect: { restarted: boolean } | null;
  messages: Message[];
}

interface Radio {
  bssid: string;
  band: 2 | 5 | 6;
  count: Count;
}

interface Device {
  plan: DevicePlan;
  boot: number;
  running: boolean;
  connected: boolean;
  uplink: Count & { base: [number, number] };
  radios: (Radio & { base: number })[];
  reports: number;
}

interface Terminal {
  plan: TerminalPlan;
  mac: string;
  next: number;
  now: { of: Association; until: number; leave: Fate } | null;
  free: number;
}

const names = {
  ios: 'Annas-iPhone',
  android: 'android-5f3a',
  mac: 'Bobs-MacBook',
  windows: 'DESKTOP-AB12CD3',
} as const;
const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');
/** More than a BSS counts in the hour, so that a restart shows. */
const carried = 1_200_000_000;
/** Uplink counters are 32 bits wide and wrap within minutes. */
const wrap = 2 ** 32;

export class World {
  readonly devices: Device[];
  readonly #terminals: Terminal[];
  readonly #wired: { of: Association; readonly to: number }[];
  /** Second 0 in Unix seconds. */
  readonly #begin: number;
  #lastId = 0;
  #lives = 0;

  constructor(plan: Plan, begin: number) {
    this.#begin = begin;
    this.devices = plan.devices.map((device, n) => ({
      plan: device,
      boot: -device.uptime,
      running: true,
      connected: false,
      reports: 0,
      uplink: { ...this.#newCount(), base: [wrap - 500_000_000 - 60_000_000 * n, 1_000_000] },
      radios: bands.map((band) => ({
        bssid: `0c9d92${hex(n, 4)}${hex(band, 2)}`,
        band,
        count: this.#newCount(),
        base: carried,
      })),
    }));
    this.#terminals = plan.terminals.map((terminal, n) => ({
      plan: terminal,
      mac: `${terminal.random ? '02' : '3c'}22fb${hex(n, 6)}`,
      next: 0,
      now: null,
      free: n % 3 === 0 ? -600 : 0,
    }));
    this.#wired = plan.wired.flatMap((wired, n) =>
      cablesOf(wired).map(({ device, from, to }) => ({
        of: {
          id: this.#id(),
          mac: `3c22fc${hex(n, 6)}`,
          device,
          bssid: '',
          band: 0 as const,
          start: from,
          tx: 0,
          rx: 0,
          authenticated: false,
        },
        to,
      })),
    );
    for (let time = -600; time < 0; time += 1) for (const terminal of this.#terminals) this.#move(terminal, time);
  }

  live(time: number): Second[] {
    const seconds: Second[] = this.devices.map(() => ({ cut: false, connect: null, messages: [] }));
    this.#flow();
    for (const [n, device] of this.devices.entries()) this.#fail(device, n, time, seconds[n]!);
    for (const terminal of this.#terminals)
      for (const message of this.#move(terminal, time)) seconds[message.device]!.messages.push(message);
    for (const [n, device] of this.devices.entries()) {
      // never in the second of a join or leave
      if (device.running && (time - 2 - 15 * n) % 60 === 0 && time >= 0) {
        const fates = device.plan.fates;
        const fate = fates[device.reports % fates.length]!;
        device.reports += 1;
        if (device.connected) seconds[n]!.messages.push(this.#report(n, time, fate));
      }
    }
    return seconds;
  }

  typeOf(mac: string): string | null {
    return this.#terminals.find((terminal) => terminal.mac === mac)?.plan.type ?? null;
  }

  addressOf(mac: string): string | null {
    const n = this.#terminals.findIndex((terminal) => terminal.mac === mac);
    return n < 0 ? null : `192.168.1.${n + 10}`;
  }

  #id(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  #newCount(reset = false): Count {
    this.#lives += 1;
    return { life: this.#lives, reset, rx: 0, tx: 0 };
  }

  #flow(): void {
    for (const { running, uplink, plan } of this.devices) {
      if (!running) continue;
      uplink.rx += plan.own[0];
      uplink.tx += plan.own[1];
    }
    for (const { now, plan } of this.#terminals) {
      if (!now) continue;
      const { of } = now;
      of.tx += plan.down;
      of.rx += plan.up;
      const { count } = this.devices[of.device]!.radios.find(({ bssid }) => bssid === of.bssid)!;
      count.tx += plan.down;
      count.rx += plan.up;
    }
  }

  #fail(device: Device, n: number, time: number, second: Second): void {
    const { plan } = device;
    if (time === 0) {
      second.connect = { restarted: false };
      device.connected = true;
    }
    for (const { from, length, restarts } of plan.outages) {
      if (time === from) {
        second.cut = true;
        device.connected = false;
        if (restarts) this.#halt(device, n);
      }
      if (time === from + length) {
        second.connect = { restarted: restarts };
        device.connected = true;
      }
      if (restarts && time === from + Math.floor(length / 2)) {
        device.running = true;
        device.boot = time;
      }
    }
    // a counter restarts once, while reports show it
    if (plan.reset?.at === time && device.boot < 0 && device.running) {
      const radio = device.radios[plan.reset.bss]!;
      radio.count = this.#newCount(true);
      radio.base = 0;
      this.#leaveAll((of) => of.bssid === radio.bssid, time);
    }
  }

  #halt(device: Device, n: number): void {
    device.running = false;
    device.uplink = { ...this.#newCount(), base: [0, 0] };
    for (const radio of device.radios) {
      radio.count = this.#newCount();
      radio.base = 0;
    }
    this.#leaveAll((of) => of.device === n, 0);
    // a restart forgets wired clients
    for (const wired of this.#wired) if (wired.of.device === n) wired.of = { ...wired.of, id: this.#id() };
  }

  #leaveAll(which: (of: Association) => boolean, time: number): void {
    for (const terminal of this.#terminals) {
      if (!terminal.now || !which(terminal.now.of)) continue;
      terminal.now = null;
      terminal.free = Math.max(terminal.free, time);
    }
  }

  #move(terminal: Terminal, time: number): Message[] {
    const messages: Message[] = [];
    const { plan } = terminal;
    const { now } = terminal;
    if (now) {
      const session = plan.sessions[terminal.next - 1]!;
      const since = time - now.of.start;
      if (session.authAfter !== null && since === session.authAfter) now.of.authenticated = true;
      if (session.signsOutAfter !== null && since === (session.authAfter ?? 0) + session.signsOutAfter)
        now.of.authenticated = false;
      if (time < now.until) return messages;
      messages.push({ what: 'leave', device: now.of.device, time, fate: now.leave, of: { ...now.of } });
      terminal.now = null;
      terminal.free = time;
    }
    const clientSession = plan.sessions[terminal.next];
    if (!clientSession || time % 5 !== 0) return messages;
    const before = plan.sessions[terminal.next - 1];
    // not at once to the same BSS
    const pause = before?.bss === clientSession.bss ? Math.max(clientSession.after, 10) : clientSession.after;
    if (time < terminal.free + pause) return messages;
    const at = Math.floor(clientSession.bss / bands.length);
    const device = this.devices[at]!;
    if (!device.running) return messages;
    const { bssid, band } = device.radios[clientSession.bss % bands.length]!;
    const of: Association = {
      id: this.#id(),
      mac: terminal.mac,
      device: at,
      bssid,
      band,
      start: time,
      tx: 0,
      rx: 0,
      authenticated: false,
    };
    terminal.now = { of, until: time + clientSession.length, leave: clientSession.leave };
    terminal.next += 1;
    messages.push({ what: 'join', device: at, time, fate: clientSession.join, of: { ...of } });
    return messages;
  }

  #report(n: number, time: number, fate: Fate): Message {
    const { uplink, radios, plan, boot } = this.devices[n]!;
    const there = this.#terminals.flatMap(({ now }) => (now?.of.device === n ? [{ ...now.of }] : []));
    const cables = this.#wired.filter(({ of, to }) => of.device === n && of.start <= time && time < to);
    const hidden = plan.hidden && plan.hidden.from <= time && time < plan.hidden.to ? plan.hidden.bss : null;
    const shown = radios.filter(({ bssid }, at) => at !== hidden || there.some((of) => of.bssid === bssid));
    const listed = there.filter(({ bssid }) => shown.some((radio) => radio.bssid === bssid));
    const reported = {
      unit: {
        localtime: this.#begin + time,
        uptime: time - boot,
        load: [0.2, 0.2, 0.2],
        memory: { total: 100, free: 50 },
      },
      radios: shown.map(({ band }) => ({ band: [`${band}G`], chanUtil: 10 })),
      interfaces: [
        {
          name: 'up0v0',
          counters: { rx_bytes: (uplink.rx + uplink.base[0]) % wrap, tx_bytes: (uplink.tx + uplink.base[1]) % wrap },
          clients: [{ mac: '0c:9d:92:ff:ff:ff', ports: ['WAN'] }],
          ssids: shown.map(({ bssid, band, count, base }) => ({
            ssid: 'House',
            bssid,
            band: [`${band}G`],
            iface: `wlan${band}`,
            counters: { rx_bytes: count.rx + base, tx_bytes: count.tx + base },
            associations: listed
              .filter((of) => of.bssid === bssid)
              .map((of) => ({
                station: of.mac.replaceAll(/..(?!$)/g, '$&:'),
                bssid,
                connected: time - of.start,
                rssi: -60,
                tx_bytes: of.tx,
                rx_bytes: of.rx,
              })),
          })),
        },
        {
          name: 'down1v0',
          clients: cables.map(({ of }) => ({ mac: of.mac, ports: ['LAN1'] })),
          ipv4: {
            leases: there.map(({ mac }) => {
              const type = this.typeOf(mac);
              return { mac, address: this.addressOf(mac), hostname: type ? names[type as keyof typeof names] : '*' };
            }),
          },
        },
      ],
      captive: Object.fromEntries(
        listed.filter(({ authenticated }) => authenticated).map(({ mac }) => [mac, { status: 'Authenticated' }]),
      ),
    };
    return {
      what: 'state',
      device: n,
      time,
      fate,
      reported,
      uplink: { ...uplink },
      wireless: new Map(shown.map(({ bssid, band, count }) => [bssid, { ...count, band }])),
      there: [...listed, ...cables.map(({ of }) => ({ ...of }))],
    };
  }
}

export function cablesOf({
  device,
  seenBy,
  from,
  to,
  moves,
}: WiredPlan): { device: number; from: number; to: number }[] {
  const at = moves && moves.device !== device ? Math.min(from + moves.after, to) : to;
  const own = [
    { device, from, to: at },
    ...(moves && from < at && at < to ? [{ device: moves.device, from: at, to }] : []),
  ];
  return seenBy === null ? own : [...own.filter((cable) => cable.device !== seenBy), { device: seenBy, from, to }];
}
