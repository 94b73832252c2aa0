import {
  type Capabilities,
  type ConfigurationDocument,
  type EdgeFlowParams,
  type EdgeStateReport,
  unconfiguredUuid,
} from '@yunxun/contract/device';
import {
  type ActionResult,
  type ApplyResult,
  type EdgeStation,
  type Facts,
  lineFor,
  ownAddressIn,
  type Plan,
  pageFor,
  type Reading,
  readDocument,
  readTool,
  render,
  reportOf,
  type ToolRequest,
} from '@yunxun/edge';
import type { CaptiveApi } from '../captive-api.ts';
import { ping } from '../scripts.ts';
import { unitOf } from '../state/unit.ts';
import { useSimulatedTool } from '../tools.ts';
import { deviceMac } from '../world/addresses.ts';
import type { Router, Traffic } from '../world/bss.ts';
import { TrafficCounter } from '../world/counter.ts';
import type { Station } from '../world/station.ts';
import { firstStation } from './access-point.ts';
import { Box, type BoxOptions } from './box.ts';
import { takePicture } from './camera.ts';
import { SimulatedCaptive } from './captive.ts';
import { FlowBook } from './flow-book.ts';
import { edgeDiskBytes, edgeHost, socketDevices } from './hardware.ts';
import { SimulatedPlugins } from './plugins.ts';
import { realise } from './running.ts';
import { SimulatedScan } from './scan.ts';
import { SimulatedShield } from './shield.ts';
import { TunnelEnd } from './tunnels.ts';
import { SimulatedWans } from './wans.ts';
import { SimulatedWatch } from './watch.ts';

/** Limit of client counters; the agent reports at most 2,000. */
const maxCounted = 2000;

type Layout = Plan['layout'];
type LayoutInterface = Layout['interfaces'][number];

/** Uses the agent's code for documents, plans and reports; the site simulates the kernel. */
export class EdgeGatewayBox extends Box implements Router {
  readonly #facts: Facts;
  #plan: Plan | null = null;
  #configured = false;
  /** DHCP option 114. */
  #api: string | null = null;
  #counters = new Map<string, TrafficCounter>();
  #clients = new Map<string, Traffic>();
  readonly #flow: FlowBook;
  readonly #tunnels: TunnelEnd;
  readonly #wans: SimulatedWans;
  readonly #captive = new SimulatedCaptive();
  readonly #watch: SimulatedWatch;
  #scan = new SimulatedScan();
  readonly shield = new SimulatedShield();
  readonly plugins = new SimulatedPlugins();

  constructor(options: BoxOptions) {
    super(options);
    this.#facts = {
      ports: socketDevices(options.hardware),
      abilities: edgeHost,
      folders: { run: '/run/yunxun-edge', state: '/var/lib/yunxun-edge' },
    };
    this.#flow = new FlowBook(options.random.fork('flow'));
    this.#tunnels = new TunnelEnd(this.serial, options.tunnels, () => this.up && this.#activeWan() !== undefined);
    this.#wans = new SimulatedWans(this.serial);
    const addressed = () =>
      this.place.machines.flatMap(({ number }) => (number === null ? [] : this.place.address(number)));
    this.#watch = new SimulatedWatch((address) => addressed().includes(address));
    this.place.serve(this);
  }

  override capabilities(): Capabilities {
    const capabilities = super.capabilities();
    return { ...capabilities, label_macaddr: deviceMac(this.serial, 0) };
  }

  override apply(document: ConfigurationDocument): ApplyResult {
    const read = readDocument(document, this.#facts);
    if ('refused' in read) return { error: 2, rejected: read.refused };
    this.#plan = render(read.document, this.#facts);
    this.#configured = document.uuid !== unconfiguredUuid;
    this.#api = read.document.captive?.api ?? null;
    this.#tunnels.apply(this.#plan.networks);
    this.shield.apply(this.#plan);
    this.running = realise(document, this.hardware, this.serial, this.random, this.running);
    this.place.dropped(this.serial);
    return { error: read.rejected.length > 0 ? 1 : 0, rejected: read.rejected };
  }

  override boot(nowMs: number): void {
    super.boot(nowMs);
    this.#plan = null;
    this.#tunnels.apply([]);
    this.#counters = new Map();
    this.#clients = new Map();
    this.#wans.forget();
    this.#watch.forget();
    this.#scan = new SimulatedScan();
  }

  override cable(port: string, on: boolean, nowMs: number): boolean {
    const isChanged = super.cable(port, on, nowMs);
    if (isChanged) this.#wans.cabled(port, nowMs);
    return isChanged;
  }

  subnet(): string {
    const lan = this.#lan();
    const own = this.#plan?.addresses.find(({ device }) => device === lan?.device);
    return own?.address ?? '192.168.1.1/24';
  }

  carried(): void {}

  tick(seconds: number): void {
    if (!this.up) return;
    this.#tunnels.tick(seconds, this.place.nowMs);
    for (const move of this.#tunnels.choosePaths()) this.tell('sdwan.path', move, this.place.nowMs);
    this.shield.tick(
      this.place.present().map(({ mac }) => mac),
      seconds,
      this.place.nowMs,
      this.random,
    );
    for (const { device, role } of this.#layout().interfaces)
      if (role === 'upstream') this.#counter(device).add(90 * seconds, 40 * seconds, seconds);
  }

  routed(down: number, up: number, slot: number | null, mac: string): void {
    const [wan, lan] = [this.#activeWan(), this.#lan()];
    if (!this.up || wan === undefined || lan === undefined) return;
    this.#counter(wan.device).add(down, up);
    this.#counter(lan.device).add(up, down);
    const port = slot === null ? undefined : lan.ports[this.place.switched ? 0 : slot % lan.ports.length];
    if (port !== undefined && port.device !== lan.device) this.#counter(port.device).add(up, down);
    const client = this.#clients.get(mac) ?? { down: 0, up: 0 };
    // re-insert as most recent: the oldest entry is dropped first
    this.#clients.delete(mac);
    this.#clients.set(mac, { down: client.down + down, up: client.up + up });
    if (this.#clients.size > maxCounted) this.#clients.delete(this.#clients.keys().next().value ?? '');
    this.#flow.count(mac, down, up, this.place.nowMs);
  }

  blocks(mac: string): boolean {
    return this.#plan?.blocked.includes(mac) ?? false;
  }

  pass({ mac, open }: { mac: string; open: boolean }, asked: Traffic, seconds: number): Traffic {
    const plan = this.#plan?.captive;
    if (this.blocks(mac)) return { down: 0, up: 0 };
    return open && plan ? this.#captive.pass(mac, plan, asked, seconds, this.place.nowMs) : asked;
  }

  console(online: boolean, nowMs: number): void {
    this.#captive.console(online, nowMs);
  }

  captured(): Station[] {
    if (!this.up || this.#plan?.captive === undefined) return [];
    const { nowMs } = this.place;
    return this.place
      .present()
      .filter(({ mac, association }) => association?.bss.open && !this.#captive.holds(mac, nowMs));
  }

  switchMachine(address: string, on: boolean, nowMs: number): void {
    this.#watch.switch(address, on, nowMs);
  }

  /** Answers orders about guests of an earlier time, which change no guest of now. */
  earlier(): (params: Readonly<Record<string, unknown>>, nowMs: number) => ActionResult {
    const captive = new SimulatedCaptive();
    return (params, nowMs) => captive.order(params, this.#plan?.captive, { down: 0, up: 0 }, nowMs);
  }

  /** Null if nothing is captured. */
  redirect({ mac, number }: Pick<Station, 'mac' | 'number'>, url: string): string | null {
    const [plan, address] = [this.#plan?.captive, this.place.address(firstStation + number)];
    return plan && address !== null ? pageFor(plan, mac, address, url) : null;
  }

  /** Null without the option. Simulated time may run ahead of the portal's. */
  captiveApi({ mac, number }: Pick<Station, 'mac' | 'number'>): CaptiveApi | null {
    const [plan, ip] = [this.#plan?.captive, this.place.address(firstStation + number)];
    if (!plan || this.#api === null || ip === null) return null;
    return { url: this.#api, line: lineFor(plan, { mac, ip, at: Math.floor(Date.now() / 1000) }) };
  }

  useTool(params: Readonly<Record<string, unknown>>): ReturnType<typeof useSimulatedTool> {
    const { nowMs } = this.place;
    if (params.tool === 'watch') return this.#watch.declare(params, nowMs);
    if (params.tool === 'scan') return this.#scan.act(params, this.subnet(), nowMs);
    if (params.tool === 'captive')
      return this.#captive.order(params, this.#plan?.captive, this.#bytesOf(params.mac), nowMs);
    if (params.tool === 'snapshot') return { error: 0, text: 'Success', tool: { snapshot: takePicture(params) } };
    if (params.tool === 'wake') return { error: 0, text: 'Success' };
    if (params.tool === 'shield') return { error: 0, text: 'Success', tool: { shield: this.shield.batch(params) } };
    const { uri } = params;
    const origins = typeof uri === 'string' && URL.canParse(uri) ? [new URL(uri).origin] : [];
    const known = { layout: this.#layout(), ports: this.#facts.ports, origins };
    const request = readTool(params, known);
    if ('tool' in request && request.tool === 'path') return this.#testPath(request);
    if ('tool' in request && request.tool === 'hop') return this.#testHop(request);
    return useSimulatedTool(request, this);
  }

  /** An address answers while the tunnels to it are up. */
  #testPath({ sources, target, count }: ToolRequest & { tool: 'path' }): ReturnType<typeof useSimulatedTool> {
    const own = this.subnet().split('/')[0] ?? '';
    if (ownAddressIn(sources, [own]) === null)
      return { error: 1, text: `this host has no address in ${sources.join(', ')}` };
    const { result } = ping({ target, count, hops: this.#tunnels.hopsTo(target) ?? 0 }, this);
    return { error: 0, text: 'Success', tool: { output: result } };
  }

  /** Each address of its LAN is a host that answers. */
  #testHop({ peers, host, port }: ToolRequest & { tool: 'hop' }): ReturnType<typeof useSimulatedTool> {
    const found = { present: true, ping: true, tcp: port === null ? null : ('open' as const) };
    const tunnels = peers.map((address) => ({ address, answers: this.#tunnels.answers(address) }));
    return { error: 0, text: 'Success', tool: { hop: { tunnels, host: host === null ? null : found } } };
  }

  flowMessage(nowMs: number): Omit<EdgeFlowParams, 'serial'> | null {
    return this.#flow.message(nowMs);
  }

  flowTaken(seq: number): void {
    this.#flow.taken(seq);
  }

  state(nowMs: number): EdgeStateReport {
    const report = reportOf(this.#reading(nowMs));
    const sdwan = this.#tunnels.state(nowMs, this.random.fork(`tunnels ${nowMs}`));
    const captive = this.#plan?.captive && { guests: this.#captive.guests((mac) => this.#bytesOf(mac), nowMs) };
    const shield = this.shield.state();
    return {
      ...report,
      yunxun: {
        ...report.yunxun,
        sdwan,
        plugins: this.plugins.states(),
        ...(captive ? { captive } : {}),
        ...(shield ? { shield } : {}),
      },
    };
  }

  #reading(nowMs: number): Reading {
    const layout = this.#layout();
    const random = this.random.fork(`state ${nowMs}`);
    const stations = this.#stations();
    const ports = Object.entries(this.#facts.ports).map(([name, device]) => ({ name, device }));
    const carriers = new Map(this.ports.all.map(({ name, carrier }) => [name, carrier]));
    const reports = new Map([...this.#counters].map(([device, counter]) => [device, counter.report()]));
    return {
      layout,
      unit: unitOf(this.hardware, nowMs, this.bootedMs, stations.length, random),
      counters: new Map([...reports].map(([device, { counters }]) => [device, counters])),
      deltas: new Map([...reports].map(([device, { delta_counters: delta }]) => [device, delta])),
      links: new Map(
        ports.map(({ name, device }) => [
          device,
          carriers.get(name) ? { carrier: 1, speed: 1000, duplex: 'full' } : { carrier: 0 },
        ]),
      ),
      addresses: layout.interfaces.flatMap((entry) => this.#addressOf(entry)),
      leases: this.#leases(nowMs),
      stations,
      lines: this.#wans.lines(layout, carriers, this.bootedMs, random),
      found: this.#configured ? null : this.#wans.found(Object.keys(this.#facts.ports), carriers),
      connections: { now: 30 + stations.length * 18 + random.whole(0, 40), most: 262_144 },
      bytes: [...this.#clients].map(([mac, { down, up }]) => ({ mac, rx_bytes: up, tx_bytes: down })),
      disk: { total: edgeDiskBytes, free: Math.round(edgeDiskBytes * 0.81) },
      flow: { lost: 0, nobodys: 0, waiting: this.#flow.waiting, given_up: 0 },
      watch: this.#watch.state(nowMs),
      ports,
    };
  }

  #bytesOf(mac: unknown): Traffic {
    return this.#clients.get(String(mac)) ?? { down: 0, up: 0 };
  }

  #layout(): Layout {
    return this.#plan?.layout ?? { interfaces: [], leases: null, queries: null, lines: [] };
  }

  #lan(): LayoutInterface | undefined {
    const lans = this.#layout().interfaces.filter(({ role }) => role === 'downstream');
    return lans.find(({ name }) => name.endsWith('v0')) ?? lans[0];
  }

  /** As the agent's failover does. */
  #activeWan(): LayoutInterface | undefined {
    const up = new Set(this.ports.used(true));
    return this.#layout().interfaces.find(
      ({ role, ports }) => role === 'upstream' && ports.some(({ name }) => up.has(name)),
    );
  }

  #counter(device: string): TrafficCounter {
    const known = this.#counters.get(device) ?? new TrafficCounter();
    this.#counters.set(device, known);
    return known;
  }

  #addressOf(entry: LayoutInterface): { device: string; address: string; prefix: number }[] {
    const fixed = this.#plan?.addresses.find(({ device }) => device === entry.device)?.address;
    const wans = this.#layout().interfaces.filter(({ role }) => role === 'upstream');
    const text = fixed ?? (entry.role === 'upstream' ? `${this.#wans.address(wans.indexOf(entry))}/15` : null);
    const [address, prefix] = text?.split('/') ?? [];
    return address && prefix ? [{ device: entry.device, address, prefix: Number(prefix) }] : [];
  }

  #stations(): EdgeStation[] {
    const lan = this.#lan();
    if (lan === undefined) return [];
    const { place } = this;
    const portAt = (slot: number) => lan.ports[place.switched ? 0 : slot % lan.ports.length]?.name ?? 'LAN1';
    const entry = (mac: string, address: string | null, slot: number, seconds: number, hostname: string | null) => ({
      mac: mac.replaceAll(':', ''),
      interface: lan,
      port: portAt(slot),
      hostname,
      ipv4: address === null ? [] : [address],
      ipv6: [],
      lastSeen: seconds * 1000,
      joinedAt: this.bootedMs,
    });
    return [
      ...place.carriers
        .filter(({ serial }) => serial !== this.serial)
        .map((box) => entry(box.mac, box.address, place.slotOf(box.serial), 3, null)),
      ...place.machines.map(({ mac, number, slot, hostname }) =>
        entry(
          mac,
          number === null ? null : place.address(number),
          place.carriers.length + slot,
          (slot * 7) % 50,
          hostname,
        ),
      ),
      ...place.present().map((station) => {
        const slot = place.slotOf(station.association?.bss.serial ?? '');
        const address = place.address(firstStation + station.number);
        return entry(station.mac, address, slot, station.association?.idleSeconds ?? 0, station.person.hostname);
      }),
    ];
  }

  #leases(nowMs: number): Reading['leases'] {
    const expires = Math.floor(nowMs / 1000) + 3600;
    return this.#stations().flatMap(({ mac, ipv4: [address], hostname }) =>
      address === undefined ? [] : [{ expires, mac, address, hostname }],
    );
  }
}
