import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Counters, EdgeFlowState, EdgeStateReport, EdgeStationCounters, LinkState } from '@yunxun/contract/device';
import { uplinkName } from '@yunxun/contract/uplink-names';
import type { Cancel, Clock } from '../clock.ts';
import type { Owner } from '../flow/ledger.ts';
import type { HealthReport, SystemListener } from '../system.ts';
import {
  countersSince,
  countIn,
  type Lease,
  loadBetween,
  readCounters,
  readDisk,
  readLeases,
  readLink,
  readMemory,
  readNumbers,
  readTemperature,
  readTicks,
  type Ticks,
  textOf,
} from './box.ts';
import { healthOf } from './health.ts';
import {
  type Gateway,
  type OwnAddress,
  readAddresses,
  readForwarding,
  readGateways,
  readNeighbours,
} from './kernel.ts';
import { emptyLayout, type Layout, type LayoutLine } from './layout.ts';
import { Owners } from './owners.ts';
import { type LinePlace, type LineWord, Prober } from './prober.ts';
import { colons, reportOf } from './report.ts';
import { type Station, Stations } from './stations.ts';
import { type Run, runTool } from './tools.ts';

/** What the measuring side is given. */
export interface MeasuresOptions {
  clock: Clock;
  /** `WAN1`, `LAN1`, … → the kernel's device. */
  ports: Readonly<Record<string, string>>;
  /** Folder whose file system is told of. */
  stateFolder: string;
  /** The address that the DHCP client of a line's device holds, where one does. */
  leased?(device: string): string | null;
  run?: Run;
  /** Where the kernel shows itself. */
  proc?: string;
  sys?: string;
  /** Milliseconds between two looks at neighbours and addresses. */
  every?: number;
  /** A silent station is asked after `ask`, and has gone after `gone`; milliseconds. */
  patience?: { ask: number; gone: number };
}

/** Bytes of stations and how whole they are, from whoever counts flow. */
export interface FlowSource {
  /** All that were counted; these numbers never fall. */
  stations(): readonly EdgeStationCounters[];
  /** Of one, up to this moment. */
  bytesOf(mac: string): { rx: number; tx: number };
  state(): EdgeFlowState;
}

/** What the box sees of itself and around it. */
export interface Measures {
  start(): void;
  stop(): void;
  /** Another plan is in force. */
  configured(layout: Layout): void;
  /** The newest reading; counters are of this very moment. Deltas count from the call before. */
  state(): EdgeStateReport;
  health(): HealthReport;
  /** By MAC: the name that a station gave itself. */
  fingerprints(): Record<string, unknown>;
  /** Stations that come and go, cables that are plugged and pulled. */
  listen(listener: SystemListener): void;
  /** A line became alive or lost, or got another address or gateway. */
  lines(listener: (line: LineWord) => void): void;
  /** Looks now. Resolves when it is known. */
  refresh(): Promise<void>;
  ownerOf(address: string): Owner;
  /** Who counts the bytes of stations. */
  flow(source: FlowSource): void;
}

/** Measures of a Linux box. Nothing is read before `start` or `refresh`. */
export function createMeasures(options: MeasuresOptions): Measures {
  const { clock, run = runTool, proc = '/proc', sys = '/sys', every = 20_000 } = options;
  const patience = options.patience ?? { ask: 45_000, gone: 150_000 };
  const stations = new Stations(patience);
  const owners = new Owners();
  const listeners: SystemListener[] = [];
  const lineListeners: ((line: LineWord) => void)[] = [];
  const ports = Object.entries(options.ports).map(([name, device]) => ({ name, device }));
  let layout: Layout = fallback(ports);
  let addresses: readonly OwnAddress[] = [];
  let gateways: readonly Gateway[] = [];
  let leases: readonly Lease[] = [];
  let ticks: Ticks[] = [];
  let load: number[] = [];
  let probers: Prober[] = [];
  let source: FlowSource | null = null;
  let before = new Map<string, Counters>();
  const carriers = new Map<string, boolean>();
  const places = new Map<string, string>();
  let running = false;
  let cancel: Cancel = () => {};
  let looking: Promise<void> | null = null;

  const event = (type: string, payload: Record<string, unknown>) => {
    for (const listener of listeners) listener.event(Math.floor(clock.now() / 1000), type, payload);
  };
  const tell = (word: LineWord) => {
    for (const listener of lineListeners) listener(word);
  };

  // other people's addresses may stand on the device too
  const addressOf = (line: LayoutLine) => {
    const own = addresses.flatMap(({ device, address }) =>
      device === line.device && !address.includes(':') ? [address] : [],
    );
    const ours = line.address ?? options.leased?.(line.device);
    return own.find((address) => address === ours) ?? own[0] ?? null;
  };
  const placeOf = (line: LayoutLine): LinePlace => ({
    address: addressOf(line),
    gateway: gateways.find(({ device }) => device === line.device)?.address ?? null,
    carrier: readLink(sys, line.device).carrier === 1,
  });

  function cables(): ReadonlySet<string> {
    const unplugged = new Set<string>();
    for (const { name, device } of ports) {
      const plugged = readLink(sys, device).carrier === 1;
      if (!plugged) unplugged.add(device);
      const was = carriers.get(name);
      carriers.set(name, plugged);
      if (was !== undefined && was !== plugged) event(plugged ? 'wired.carrier-up' : 'wired.carrier-down', { name });
    }
    return unplugged;
  }

  async function look(): Promise<void> {
    const [addr, neigh, fdb, route] = await Promise.all([
      run('ip', ['-j', 'addr', 'show']),
      run('ip', ['-j', '-s', 'neigh', 'show']),
      run('bridge', ['-j', '-s', 'fdb', 'show']),
      run('ip', ['-j', '-4', 'route', 'show', 'table', 'all']),
    ]);
    const at = clock.now();
    const now = readTicks(textOf(join(proc, 'stat')));
    load = loadBetween(ticks, now);
    ticks = now;
    const unplugged = cables();
    // who could not be asked says nothing: what was known stands
    if (addr !== null) addresses = readAddresses(addr);
    if (route !== null) gateways = readGateways(route);
    leases = layout.leases === null ? [] : readLeases(textOf(layout.leases));
    if (neigh !== null) {
      const neighbours = readNeighbours(neigh);
      owners.learn(layout, { at, addresses, neighbours });
      const forwarding = readForwarding(fdb);
      const { joined, left, ask } = stations.look(layout, { at, addresses, neighbours, forwarding, leases, unplugged });
      for (const station of joined) if (station.interface.role === 'downstream') arrived(station);
      for (const station of left) if (station.interface.role === 'downstream') departed(station, at);
      if (ask.length > 0) askAgain(ask);
    }
    for (const prober of probers) {
      const word = prober.word;
      const place = `${word.address} ${word.gateway}`;
      const known = places.get(word.interface);
      places.set(word.interface, place);
      if (known !== undefined && known !== place) tell(word);
    }
  }

  const bytesAtJoin = new Map<string, { rx: number; tx: number }>();
  const bytesOf = (mac: string) => source?.bytesOf(mac) ?? { rx: 0, tx: 0 };

  function arrived({ mac, port, ipv4, hostname }: Station): void {
    bytesAtJoin.set(mac, bytesOf(mac));
    event('client.join', {
      ...{ client: colons(mac), port },
      ...(ipv4[0] === undefined ? {} : { ip: ipv4[0] }),
      ...(hostname === null ? {} : { hostname }),
    });
  }

  function departed(station: Station, at: number): void {
    const [began, now] = [bytesAtJoin.get(station.mac), bytesOf(station.mac)];
    bytesAtJoin.delete(station.mac);
    event('client.leave', {
      ...{ client: colons(station.mac), port: station.port },
      connected_time: Math.max(0, Math.round((Math.min(at, station.lastSeen) - station.joinedAt) / 1000)),
      ...(source && began
        ? { tx_bytes: Math.max(0, now.tx - began.tx), rx_bytes: Math.max(0, now.rx - began.rx) }
        : {}),
    });
  }

  const refresh = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };

  function again(): void {
    void refresh().then(() => {
      if (running) cancel = clock.after(every, again);
    });
  }

  function probe(): void {
    for (const prober of probers) prober.stop();
    places.clear();
    probers = layout.lines.map((line) => {
      const prober: Prober = new Prober({
        ...{ clock, run, line },
        place: () => placeOf(line),
        changed: () => tell(prober.word),
      });
      return prober;
    });
    if (running) for (const prober of probers) prober.start();
  }

  return {
    start() {
      running = true;
      // addresses first: a line that is probed without one is dead at once
      void refresh().then(() => {
        if (!running) return;
        for (const prober of probers) prober.start();
        cancel = clock.after(every, again);
      });
    },
    stop() {
      running = false;
      cancel();
      for (const prober of probers) prober.stop();
    },
    configured(next) {
      const probing = JSON.stringify(layout.lines) !== JSON.stringify(next.lines);
      layout = next.interfaces.length === 0 ? { ...next, interfaces: fallback(ports).interfaces } : next;
      // what the probes of the plan before found out says nothing of this one's lines
      if (probing) {
        for (const prober of probers) prober.stop();
        probers = [];
        places.clear();
      }
      if (!running) {
        if (probing) probe();
        return;
      }
      // addresses first: a line that is probed without one is dead at once
      void refresh()
        .then(refresh)
        .then(() => probing && probe());
    },
    state() {
      const devices = new Set([...layout.interfaces.map(({ device }) => device), ...ports.map(({ device }) => device)]);
      const counters = new Map<string, Counters>();
      const links = new Map<string, LinkState>();
      for (const device of devices) {
        const now = readCounters(sys, device);
        if (!now) continue;
        counters.set(device, now);
        links.set(device, readLink(sys, device));
      }
      const deltas = new Map([...counters].map(([device, now]) => [device, countersSince(before.get(device), now)]));
      before = counters;
      const memory = readMemory(textOf(join(proc, 'meminfo')));
      const temperature = readTemperature(sys);
      const averages = readNumbers(textOf(join(proc, 'loadavg')), 3);
      const uptime = readNumbers(textOf(join(proc, 'uptime')), 1);
      return reportOf({
        ...{ layout, counters, deltas, links, addresses, leases, ports },
        unit: {
          localtime: Math.floor(clock.now() / 1000),
          ...(uptime ? { uptime: Math.floor(uptime[0]!) } : {}),
          ...(averages ? { load: averages } : {}),
          ...(load.length > 0 ? { cpu_load: load } : {}),
          ...(memory ? { memory } : {}),
          ...(temperature ? { temperature } : {}),
        },
        stations: [...stations.present.values()],
        lines: probers.map((prober) => prober.word),
        connections: {
          now: countIn(join(proc, 'sys/net/netfilter/nf_conntrack_count')),
          most: countIn(join(proc, 'sys/net/netfilter/nf_conntrack_max')),
        },
        bytes: source?.stations() ?? [],
        disk: readDisk(options.stateFolder),
        flow: source?.state() ?? null,
      });
    },
    health: () =>
      healthOf({
        ...{ layout, addresses, lines: probers.map((prober) => prober.word) },
        memory: readMemory(textOf(join(proc, 'meminfo'))),
      }),
    fingerprints: () =>
      Object.fromEntries(
        [...stations.present.values()].flatMap(({ mac, hostname }) =>
          hostname === null ? [] : [[colons(mac), { hostname }]],
        ),
      ),
    listen: (listener) => void listeners.push(listener),
    lines: (listener) => void lineListeners.push(listener),
    refresh,
    ownerOf: (address) => owners.ownerOf(address),
    flow(given) {
      source = given;
    },
  };
}

/** Lets the kernel ask neighbours by ARP whether they are there: nothing that a counter would count as theirs. */
function askAgain(ask: readonly { address: string; mac: string; device: string }[]): void {
  const child = execFile('ip', ['-force', '-batch', '-'], { timeout: 10_000 }, () => {});
  // it may be gone before it has read
  child.stdin?.on('error', () => {});
  child.stdin?.end(
    ask
      .map(({ address, mac, device }) => `neigh change ${address} lladdr ${colons(mac)} dev ${device} nud probe\n`)
      .join(''),
  );
}

/** What is shown of a box that nobody has configured: its sockets. */
function fallback(ports: readonly { name: string; device: string }[]): Layout {
  const numbered = (side: string) => ports.filter(({ name }) => name.startsWith(side));
  const of = (role: 'upstream' | 'downstream', list: typeof ports, first: number) =>
    list.map((port, index) => ({
      name: role === 'upstream' ? uplinkName(port.name, 0) : `down${first + index}v0`,
      location: `/interfaces/${first + index}`,
      ...{ role, device: port.device, ports: [port] },
    }));
  const wans = numbered('WAN');
  return {
    ...emptyLayout,
    interfaces: [...of('upstream', wans, 0), ...of('downstream', numbered('LAN'), wans.length)],
  };
}
