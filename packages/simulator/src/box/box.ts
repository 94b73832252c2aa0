import type { Capabilities, ConfigurationDocument, LldpPeer, State } from '@yunxun/contract/device';
import type { ApplyResult, HealthReport, SystemListener } from '@yunxun/edge';
import { deviceMac } from '../world/addresses.ts';
import type { Bss, Carrier } from '../world/bss.ts';
import type { Place } from '../world/place.ts';
import type { Random } from '../world/random.ts';
import { judge } from './accept.ts';
import { capabilitiesOf, type Hardware } from './hardware.ts';
import { Ports } from './ports.ts';
import { type Running, type RunningBss, realise } from './running.ts';
import type { TunnelEnds } from './tunnels.ts';

export interface BoxOptions {
  serial: string;
  hardware: Hardware;
  place: Place;
  random: Random;
  number: number;
  startMs: number;
  portal: boolean;
  tunnels: TunnelEnds;
}

/** Simulated device: hardware, running configuration and traffic. */
export abstract class Box implements Carrier {
  readonly serial: string;
  readonly mac: string;
  readonly hardware: Hardware;
  readonly place: Place;
  readonly random: Random;
  readonly number: number;
  readonly portal: boolean;
  ports: Ports;
  running: Running | null = null;
  bootedMs: number;
  firmware: string;
  uplink: LldpPeer | null = null;
  ill = false;
  listener: SystemListener = { event: () => {} };
  #air: readonly RunningBss[] = [];
  #reported: readonly RunningBss[] = [];
  #up = true;

  constructor(options: BoxOptions) {
    this.serial = options.serial;
    this.mac = deviceMac(options.serial, 0);
    this.hardware = options.hardware;
    this.place = options.place;
    this.random = options.random;
    this.number = options.number;
    this.portal = options.portal;
    this.firmware = options.hardware.firmware;
    this.bootedMs = options.startMs - Math.round(options.random.between(0.1, 20) * 86_400_000);
    this.ports = new Ports(options.hardware, options.random);
    this.place.install(this);
  }

  get up(): boolean {
    return this.#up;
  }

  get address(): string | null {
    return this.place.address(2 + this.number);
  }

  get wireless(): boolean {
    return this.hardware.radios.length > 0;
  }

  capabilities(): Capabilities {
    return capabilitiesOf(this.hardware, this.serial);
  }

  bsses(): readonly RunningBss[] {
    return this.#up ? this.#air : [];
  }

  /** Applies a document; on error the running configuration stays. */
  apply(document: ConfigurationDocument): ApplyResult {
    const { errors, warnings } = judge(document, this.hardware);
    if (errors.length > 0) return { error: 2, rejected: [...errors, ...warnings] };
    this.running = realise(document, this.hardware, this.serial, this.random, this.running);
    this.#air = this.running.interfaces.flatMap((entry) => entry.bsses);
    this.place.dropped(this.serial);
    return { error: warnings.length > 0 ? 1 : 0, rejected: warnings };
  }

  goOnAir(): void {
    const before = this.#reported;
    this.#reported = this.bsses();
    const say = (type: string, { ssid, bssid, channel, band }: RunningBss) =>
      this.tell(type, { ssid, bssid, channel, band }, this.place.nowMs);
    for (const bss of before) if (!this.#reported.includes(bss)) say('wifi.stop', bss);
    for (const bss of this.#reported) if (!before.includes(bss)) say('wifi.start', bss);
    if (before.length === 0 && this.#reported.length > 0) this.place.settle(this);
  }

  down(): void {
    this.#up = false;
    this.place.dropped(this.serial);
  }

  /** Resets counters and uptime; runs nothing until a configuration is applied. */
  boot(nowMs: number): void {
    this.bootedMs = nowMs;
    this.running = null;
    this.#air = [];
    this.#reported = [];
    this.ports = new Ports(this.hardware, this.random.fork('ports'));
    this.#up = true;
  }

  joined(bss: Bss, mac: string, atMs: number): void {
    const { ssid, bssid, channel, band } = bss;
    this.tell('client.join', { client: mac, ssid, bssid, channel, band }, atMs);
  }

  left(bss: Bss, mac: string, atMs: number, total: Parameters<Carrier['left']>[3]): void {
    this.tell(
      'client.leave',
      {
        client: mac,
        bssid: bss.bssid,
        ssid: bss.ssid,
        tx_bytes: total.down,
        rx_bytes: total.up,
        tx_packets: total.downPackets,
        rx_packets: total.upPackets,
        connected_time: total.seconds,
      },
      atMs,
    );
  }

  cable(port: string, on: boolean, nowMs: number): boolean {
    if (!this.ports.setCarrier(port, on)) return false;
    this.tell(on ? 'wired.carrier-up' : 'wired.carrier-down', { name: port }, nowMs);
    return true;
  }

  health(): HealthReport {
    const unit = { memory: 17 + Math.round(this.place.at(this.serial).length * 0.12) };
    const [first] = this.running?.interfaces ?? [];
    if (!this.ill || first === undefined) return { sanity: 100, data: { unit } };
    const failing = { location: `/interfaces/${first.index}`, dns: false };
    return { sanity: 66, data: { unit, interfaces: { [first.name]: failing } } };
  }

  tell(type: string, payload: Record<string, unknown>, atMs: number): void {
    if (!this.#up) return;
    this.listener.event(Math.floor(atMs / 1000), type, payload);
  }

  captures(_bss: Bss, _mac: string): boolean {
    return false;
  }

  abstract state(nowMs: number): State;
  abstract carried(bss: Bss, down: number, up: number): void;
  abstract tick(seconds: number): void;
}
