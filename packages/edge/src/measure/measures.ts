import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Counters, EdgeFlowState, EdgeStateReport, EdgeStationCounters, LinkState } from '@yunxun/contract/device';
import { uplinkName } from '@yunxun/contract/uplink-names';
import type { Cancel, Clock } from '../clock.ts';
import type { Owner } from '../flow/ledger.ts';
import { type AskServer, askServer } from '../names/dns-query.ts';
import type { ActionResult, HealthReport, SystemListener } from '../system.ts';
import { foundWans } from './found.ts';
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
} from './gateway-host.ts';
import { healthOf } from './health.ts';
import {
  type Gateway,
  isWithin,
  type OwnAddress,
  readAddresses,
  readForwarding,
  readGateways,
  readNeighbours,
} from './kernel.ts';
import { LanScan, lansOf, wakeOnLan } from './lan-scan.ts';
import { emptyLayout, type Layout, type LayoutWan } from './layout.ts';
import { Owners } from './owners.ts';
import { Prober, type WanPlace, type WanStatus } from './prober.ts';
import { colons, reportOf } from './report.ts';
import { type Station, Stations } from './stations.ts';
import { type Run, runTool } from './tools.ts';
import { Watch } from './watch.ts';

export interface MeasuresOptions {
  clock: Clock;
  ports: Readonly<Record<string, string>>;
  stateFolder: string;
  leased?(device: string): { address: string; nameServers: readonly string[] } | null;
  run?: Run;
  ask?: AskServer;
  proc?: string;
  sys?: string;
  resolvers?: readonly string[];
  /** Milliseconds between readings of neighbours and addresses. */
  every?: number;
  /** Milliseconds of silence until a probe (`ask`) and `gone`. */
  timeouts?: { ask: number; gone: number };
  watched?: () => void;
}

export interface FlowSource {
  stations(): readonly EdgeStationCounters[];
  bytesOf(mac: string): { rx: number; tx: number };
  state(): EdgeFlowState;
}

export interface Measures {
  start(): void;
  stop(): void;
  configured(layout: Layout): void;
  state(): EdgeStateReport;
  health(): HealthReport;
  fingerprints(): Record<string, unknown>;
  listen(listener: SystemListener): void;
  lines(listener: (wan: WanStatus) => void): void;
  refresh(): Promise<void>;
  ownerOf(address: string): Owner;
  flow(source: FlowSource): void;
  /** Replaces the list of probed peripheral devices. */
  watch(params: Readonly<Record<string, unknown>>): ActionResult;
  /** Scans the LANs, or wakes a device there. */
  scan: LanScan['act'];
  wake(params: Readonly<Record<string, unknown>>): Promise<ActionResult>;
}

const resolverFiles = [
  '/etc/resolv.conf',
  '/run/systemd/resolve/resolv.conf',
  // OpenWrt
  '/tmp/resolv.conf.d/resolv.conf.auto',
];

export function createMeasures(options: MeasuresOptions): Measures {
  const { clock, run = runTool, ask = askServer, proc = '/proc', sys = '/sys', every = 20_000 } = options;
  const { resolvers = resolverFiles } = options;
  const timeouts = options.timeouts ?? { ask: 45_000, gone: 150_000 };
  const stations = new Stations(timeouts);
  const owners = new Owners();
  const watch = new Watch({ clock, run, changed: options.watched });
  const lans = () => lansOf(layout, addresses);
  const scan = new LanScan({ clock, run, lans, leases: () => leases });
  const listeners: SystemListener[] = [];
  const wanListeners: ((wan: WanStatus) => void)[] = [];
  const ports = Object.entries(options.ports).map(([name, device]) => ({ name, device }));
  let layout: Layout = fallback(ports);
  let configured = false;
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
  const tell = (word: WanStatus) => {
    for (const listener of wanListeners) listener(word);
  };

  const addressesOf = (wan: LayoutWan) =>
    addresses.filter(({ device, address }) => device === wan.device && !address.includes(':'));
  // the device may carry foreign addresses
  const addressOf = (wan: LayoutWan) => {
    const own = addressesOf(wan).map(({ address }) => address);
    const ours = wan.address ?? options.leased?.(wan.device)?.address;
    return own.find((address) => address === ours) ?? own[0] ?? null;
  };
  const sharesSubnet = (wan: LayoutWan) => {
    const others = layout.lines.filter(({ device }) => device !== wan.device).flatMap(addressesOf);
    return addressesOf(wan).some((own) =>
      others.some((other) => isWithin(own.address, other) || isWithin(other.address, own)),
    );
  };
  const placeOf = (wan: LayoutWan): WanPlace => ({
    address: addressOf(wan),
    gateway: gateways.find(({ device }) => device === wan.device)?.address ?? null,
    // queries are not bound to the device
    nameServers: sharesSubnet(wan) ? [] : (wan.dns ?? options.leased?.(wan.device)?.nameServers ?? []),
    carrier: readLink(sys, wan.device).carrier === 1,
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
      client: colons(mac),
      port,
      ...(ipv4[0] === undefined ? {} : { ip: ipv4[0] }),
      ...(hostname === null ? {} : { hostname }),
    });
  }

  function departed(station: Station, at: number): void {
    const [began, now] = [bytesAtJoin.get(station.mac), bytesOf(station.mac)];
    bytesAtJoin.delete(station.mac);
    event('client.leave', {
      client: colons(station.mac),
      port: station.port,
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
    probers = layout.lines.map((wan) => {
      const prober: Prober = new Prober({
        clock,
        run,
        ask,
        line: wan,
        place: () => placeOf(wan),
        changed: () => tell(prober.word),
      });
      return prober;
    });
    if (running) for (const prober of probers) prober.start();
  }

  return {
    start() {
      running = true;
      // addresses first: a WAN without one is lost at once
      void refresh().then(() => {
        if (!running) return;
        for (const prober of probers) prober.start();
        cancel = clock.after(every, again);
      });
    },
    stop() {
      running = false;
      cancel();
      watch.stop();
      scan.stop();
      for (const prober of probers) prober.stop();
    },
    configured(next) {
      const probing = JSON.stringify(layout.lines) !== JSON.stringify(next.lines);
      configured = next.interfaces.length > 0;
      layout = configured ? next : { ...next, interfaces: fallback(ports).interfaces };
      if (probing) {
        for (const prober of probers) prober.stop();
        probers = [];
        places.clear();
      }
      if (!running) {
        if (probing) probe();
        return;
      }
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
        layout,
        counters,
        deltas,
        links,
        addresses,
        leases,
        ports,
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
        found: configured ? null : foundWans({ ports, addresses, gateways, proc, resolvers }),
        connections: {
          now: countIn(join(proc, 'sys/net/netfilter/nf_conntrack_count')),
          most: countIn(join(proc, 'sys/net/netfilter/nf_conntrack_max')),
        },
        bytes: source?.stations() ?? [],
        disk: readDisk(options.stateFolder),
        flow: source?.state() ?? null,
        watch: watch.state,
      });
    },
    health: () =>
      healthOf({
        layout,
        addresses,
        lines: probers.map((prober) => prober.word),
        memory: readMemory(textOf(join(proc, 'meminfo'))),
      }),
    fingerprints: () =>
      Object.fromEntries(
        [...stations.present.values()].flatMap(({ mac, hostname }) =>
          hostname === null ? [] : [[colons(mac), { hostname }]],
        ),
      ),
    listen: (listener) => void listeners.push(listener),
    lines: (listener) => void wanListeners.push(listener),
    refresh,
    ownerOf: (address) => owners.ownerOf(address),
    flow(given) {
      source = given;
    },
    watch: (params) => watch.declare(params),
    scan: (params) => scan.act(params),
    wake: (params) => wakeOnLan(params, lans()),
  };
}

/** Probes by ARP, which no traffic counter attributes to clients. */
function askAgain(ask: readonly { address: string; mac: string; device: string }[]): void {
  const child = execFile('ip', ['-force', '-batch', '-'], { timeout: 10_000 }, () => {});
  child.stdin?.on('error', () => {});
  child.stdin?.end(
    ask
      .map(({ address, mac, device }) => `neigh change ${address} lladdr ${colons(mac)} dev ${device} nud probe\n`)
      .join(''),
  );
}

function fallback(ports: readonly { name: string; device: string }[]): Layout {
  const numbered = (side: string) => ports.filter(({ name }) => name.startsWith(side));
  const of = (role: 'upstream' | 'downstream', list: typeof ports, first: number) =>
    list.map((port, index) => ({
      name: role === 'upstream' ? uplinkName(port.name, 0) : `down${first + index}v0`,
      location: `/interfaces/${first + index}`,
      role,
      device: port.device,
      ports: [port],
    }));
  const wans = numbered('WAN');
  return {
    ...emptyLayout,
    interfaces: [...of('upstream', wans, 0), ...of('downstream', numbered('LAN'), wans.length)],
  };
}
