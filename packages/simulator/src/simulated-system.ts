import type { State, WifiScanEntry } from '@yunxun/contract/device';
import {
  asRecord,
  asText,
  type Capabilities,
  type ConfigurationDocument,
  type ConnectReason,
} from '@yunxun/contract/device';
import * as edge from '@yunxun/edge';
import type { Box } from './box/box.ts';
import { EdgeGatewayBox } from './box/edge-gateway.ts';
import { frequencyOf } from './box/hardware.ts';
import type { UpgradeFault } from './faults.ts';
import { bringFile, captureOf, supportBundle } from './files.ts';
import { fetchAgent, fetchImage } from './image.ts';
import { SimulatedRemote } from './remote/remote.ts';
import { runSimulatedScript } from './scripts.ts';
import type { Bss } from './world/bss.ts';

export interface Surroundings {
  clock: edge.Clock;
  speedUp: number;
  checkHost: boolean;
  identity(): edge.Identity;
  restart(cause: ConnectReason): void;
  factory(keepRedirector: boolean): void;
  takeRefusal(): boolean;
  takeUpgradeFault(): UpgradeFault | null;
  vanish(): void;
  reportSoon(): void;
}

export class SimulatedSystem implements edge.DeviceSystem {
  readonly serial: string;
  readonly #box: Box;
  readonly #around: Surroundings;
  readonly #remote: SimulatedRemote;
  readonly #packages = new Set(['ucentral-client', 'uspot', 'lldpd']);
  #flashed: string | null = null;
  #upgradeFault: UpgradeFault | null = null;
  lights: { pattern: string; untilMs: number } | null = null;

  constructor(box: Box, around: Surroundings) {
    this.serial = box.serial;
    this.#box = box;
    this.#around = around;
    this.#remote = new SimulatedRemote({ box, ...around });
  }

  firmware(): string {
    return this.#box.firmware;
  }

  capabilities(): Capabilities {
    return this.#box.capabilities();
  }

  password(): null {
    return null;
  }

  readState(): State {
    const now = this.#around.clock.now();
    this.#box.place.advance(now);
    return this.#box.state(now);
  }

  readHealth(): edge.HealthReport {
    return this.#box.health();
  }

  async apply(document: ConfigurationDocument): Promise<edge.ApplyResult> {
    await this.#takesAbout(1200);
    if (this.#around.takeRefusal()) {
      return { error: 2, rejected: ['[E] (In /) rejected on command of the simulation'] };
    }
    const result = this.#box.apply(document);
    if (result.error < 2) void this.#takesAbout(800).then(() => this.#box.goOnAir());
    return result;
  }

  async upgrade(uri: string): Promise<edge.ActionResult> {
    const image = this.#box.hardware.platform === 'olg' ? await fetchAgent(uri) : await fetchImage(uri);
    if (image === null) return { error: 2, text: 'Failed to download the firmware image' };
    await this.#takesAbout(6000);
    this.#upgradeFault = this.#around.takeUpgradeFault();
    if (this.#upgradeFault === 'refuse') {
      this.#upgradeFault = null;
      return { error: 2, text: 'Failed to verify the firmware image' };
    }
    this.#flashed = this.#upgradeFault === null ? image.name : null;
    return { error: 0, text: 'Triggering FW upgrade' };
  }

  bootFlashed(): void {
    if (this.#flashed !== null) this.#box.firmware = this.#flashed;
    this.#flashed = null;
  }

  restart(cause: ConnectReason): void {
    const fault = cause === 'upgrade' ? this.#upgradeFault : null;
    this.#upgradeFault = null;
    if (fault === 'vanish') this.#around.vanish();
    else this.#around.restart(fault === 'return' ? 'upgradefailed' : cause);
  }

  factory(keepRedirector: boolean): void {
    this.#around.factory(keepRedirector);
  }

  leds(pattern: string, seconds: number): edge.ActionResult {
    this.lights = { pattern, untilMs: this.#around.clock.now() + seconds * 1000 };
    return { error: 0, text: 'Success' };
  }

  async runScript(request: edge.ScriptRequest): Promise<edge.ScriptResult> {
    if (request.type === 'diagnostic' && request.uri) {
      const text = await bringFile(request.uri, this.serial, supportBundle(this.serial));
      return text === null ? { error: 0, result: 'done' } : { error: 1, result: text };
    }
    return runSimulatedScript(request, this.#box, this.#around.clock.now());
  }

  async useTool(params: Readonly<Record<string, unknown>>): ReturnType<NonNullable<edge.DeviceSystem['useTool']>> {
    if (!(this.#box instanceof EdgeGatewayBox)) return { error: 2, text: 'this gateway has no such tool' };
    if (params.tool === 'remote') return this.#remote.agent(params);
    await this.#takesAbout(800);
    if (params.tool === 'watch') this.#around.reportSoon();
    return params.tool === 'plugin' ? this.#box.plugins.command(params) : this.#box.useTool(params);
  }

  rtty(params: Readonly<Record<string, unknown>>): edge.ActionResult {
    return this.#remote.rtty(params);
  }

  /** Ends remote shells. */
  hangUp(): void {
    this.#remote.close();
  }

  async scan(): Promise<readonly WifiScanEntry[]> {
    await this.#takesAbout(2500);
    const others = this.#box.place.air().filter((bss) => bss.serial !== this.serial);
    const heard = others.map((bss, index) => heardAt(bss, -48 - ((index * 7) % 40), { tip_serial: bss.serial }));
    const stranger = { ssid: 'CMCC-7F2A', bssid: '9c:9d:7e:11:7f:2a', channel: 6, band: '2G' };
    return [...heard, heardAt(stranger, -77, {})];
  }

  async trace(params: Readonly<Record<string, unknown>>): Promise<edge.ActionResult> {
    const uri = asText(params.uri, 2048);
    if (uri === null) return { error: 2, text: 'Invalid parameters' };
    await this.#takesAbout(1500);
    const packets = 12;
    const text = await bringFile(uri, this.serial, captureOf(this.serial, packets, this.#around.clock.now()));
    return text === null ? { error: 0, text: `${packets} packets` } : { error: 1, text };
  }

  packages({ op, names }: edge.PackageRequest): readonly { name: string; result: string | null }[] {
    if (op === 'list' && names.length === 0) return [...this.#packages].map((name) => ({ name, result: 'installed' }));
    return names.map((name) => {
      if (op === 'install') this.#packages.add(name);
      const known = op === 'delete' ? this.#packages.delete(name) : this.#packages.has(name);
      return { name, result: known ? 'Success' : null };
    });
  }

  manageRadios(actions: readonly unknown[]): void {
    for (const action of actions) {
      const { action: kind, addr } = asRecord<{ action: string; addr: string }>(action);
      const mac = asText(addr, 32);
      if (kind === 'kick' && mac !== null) this.#box.place.kick(mac.toLowerCase());
    }
  }

  fingerprints(): Record<string, unknown> {
    const stations = this.#box.place.at(this.serial);
    return Object.fromEntries(stations.map((station) => [station.mac, station.person.habit.fingerprint]));
  }

  listen(listener: edge.SystemListener): void {
    this.#box.listener = listener;
  }

  #takesAbout(ms: number): Promise<void> {
    const { clock, speedUp } = this.#around;
    return edge.wait(clock, (ms * this.#box.random.between(0.6, 1.6)) / speedUp);
  }
}

function heardAt(
  bss: Pick<Bss, 'ssid' | 'bssid' | 'channel' | 'band'>,
  signal: number,
  more: Pick<WifiScanEntry, 'tip_serial'>,
): WifiScanEntry {
  const { ssid, bssid, channel, band } = bss;
  return { bssid, ssid, channel, frequency: frequencyOf(band, channel), signal, last_seen: 0, ...more };
}
