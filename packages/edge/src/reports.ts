import type { Cancel, Clock } from './clock.ts';
import type { ConfigurationStore } from './configuration-store.ts';
import type { EventLog } from './event-log.ts';
import { type Metrics, readMetrics } from './metrics.ts';
import type { DeviceSystem } from './system.ts';

export interface ReportsOptions {
  system: DeviceSystem;
  store: ConfigurationStore;
  events: EventLog;
  clock: Clock;
  random: () => number;
  speedUp: number;
  send(method: string, params: Record<string, unknown>): void;
}

export class Reports {
  readonly #options: ReportsOptions;
  #metrics: Metrics;
  #running = false;
  #timers: Cancel[] = [];
  #telemetry: Cancel | null = null;

  constructor(options: ReportsOptions) {
    this.#options = options;
    this.#metrics = readMetrics(options.store.active.document);
  }

  get metrics(): Metrics {
    return this.#metrics;
  }

  /** Starts at random offsets: a fleet must not report in step. */
  resume(): void {
    this.pause();
    this.#running = true;
    this.#metrics = readMetrics(this.#options.store.active.document);
    const { stateEvery, healthEvery, scanEvery, telemetry } = this.#metrics;
    this.#repeat(stateEvery, () => this.sendState());
    this.#repeat(healthEvery, () => this.sendHealth());
    this.#repeat(scanEvery, () => void this.#sendScan());
    if (telemetry !== null) this.#repeat(telemetry.every, () => this.#sendTelemetry(telemetry.types, true));
  }

  refresh(): void {
    this.#metrics = readMetrics(this.#options.store.active.document);
    if (this.#running) this.resume();
  }

  pause(): void {
    this.#running = false;
    for (const cancel of this.#timers) cancel();
    this.#timers = [];
    this.#telemetry?.();
    this.#telemetry = null;
  }

  sendState(requestId?: string): void {
    this.#options.send('state', {
      ...this.#head(),
      state: this.#options.system.readState(),
      ...(requestId === undefined ? {} : { request_uuid: requestId }),
    });
  }

  sendHealth(requestId?: string): void {
    this.#options.send('healthcheck', {
      ...this.#head(),
      ...this.#options.system.readHealth(),
      ...(requestId === undefined ? {} : { request_uuid: requestId }),
    });
  }

  telemetry(intervalSeconds: number, types: readonly string[]): void {
    this.#telemetry?.();
    this.#telemetry = null;
    if (intervalSeconds <= 0) return;
    const again = () => {
      this.#telemetry = this.#options.clock.after((intervalSeconds * 1000) / this.#options.speedUp, () => {
        again();
        this.#sendTelemetry(types, false);
      });
    };
    again();
  }

  #head(): { serial: string; uuid: number } {
    return { serial: this.#options.system.serial, uuid: this.#options.store.active.uuid };
  }

  #sendTelemetry(types: readonly string[], periodic: boolean): void {
    const { events, system, clock } = this.#options;
    const data: Record<string, unknown> = types.includes('event') ? { ...events.drain([]) } : {};
    if (types.includes('state')) data.state = [[Math.floor(clock.now() / 1000), system.readState()]];
    this.#options.send('telemetry', { serial: system.serial, data, ...(periodic ? { adhoc: 1 } : {}) });
  }

  async #sendScan(): Promise<void> {
    const data = await this.#options.system.scan();
    if (this.#running) this.#options.send('wifiscan', { ...this.#head(), data });
  }

  #repeat(every: number | null, report: () => void): void {
    if (every === null) return;
    const period = every / this.#options.speedUp;
    const slot = this.#timers.length;
    const again = (delay: number) => {
      this.#timers[slot] = this.#options.clock.after(delay, () => {
        again(period);
        report();
      });
    };
    again(period * (0.1 + 0.9 * this.#options.random()));
  }
}
