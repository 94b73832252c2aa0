import { type ConnectReason, deviceLimits, eventGroup } from '@yunxun/contract/device';
import { BackOff } from './back-off.ts';
import type { Cancel, Clock } from './clock.ts';
import { encodeMessage } from './codec.ts';
import type { CommandContext } from './commands/context.ts';
import { commandHandlers } from './commands/index.ts';
import type { ConfigurationStore } from './configuration-store.ts';
import type { Identity } from './enrol.ts';
import { EventLog } from './event-log.ts';
import type { FirmwareProfile } from './firmware.ts';
import { KeepAlive } from './keep-alive.ts';
import { type Link, type LinkEnd, type LinkHandlers, type LinkMemory, type LinkNetwork, openLink } from './link.ts';
import { receiveFrame } from './receive.ts';
import { Reports } from './reports.ts';
import type { DeviceSystem } from './system.ts';

export interface ClientOptions {
  identity: Identity;
  system: DeviceSystem;
  store: ConfigurationStore;
  firmware: FirmwareProfile;
  clock: Clock;
  /** 0…1; spreads reports and reconnects. */
  random: () => number;
  /** Like the firmware's `hostname_validate`. Default true. */
  checkHost?: boolean;
  network?: LinkNetwork;
  /** Default 1. */
  speedUp?: number;
  /** An empty list drops a reply, two entries answer twice. */
  shapeReply?: (reply: string) => readonly string[];
  onCommand?: (method: string, params: Record<string, unknown>) => void;
  onRadius?: (kind: string, data: Buffer) => void;
  /** Returns the wait before the next connection, in milliseconds; null: the firmware's. */
  pace?: (end: LinkEnd) => number | null;
  observer?: (change: ClientChange) => void;
}

export type ClientChange =
  | { change: 'online' }
  | { change: 'offline'; end: LinkEnd; retryIn: number | null }
  | { change: 'command'; method: string }
  | { change: 'ignored' };

const restartDelay = 20_000;

export class DeviceClient {
  readonly #options: Required<Pick<ClientOptions, 'speedUp' | 'checkHost'>> & ClientOptions;
  readonly #events = new EventLog();
  readonly #reports: Reports;
  readonly #backOff: BackOff;
  readonly #keepAlive: KeepAlive;
  #identity: Identity;
  #memory: LinkMemory = {};
  readonly #context: CommandContext;
  #link: Link | null = null;
  #online = false;
  #frozen = false;
  #compressState: boolean;
  #reason: ConnectReason = 'coldboot';
  #restarted = true;
  #retry: Cancel = () => {};
  #restart: Cancel = () => {};
  #stopped = true;
  #offlineSince = 0;
  #turn: Promise<void> = Promise.resolve();
  #beats = 0;

  constructor(options: ClientOptions) {
    this.#options = { speedUp: 1, checkHost: true, ...options };
    const { identity, system, store, firmware, clock, random } = options;
    this.#identity = identity;
    const { speedUp } = this.#options;
    this.#compressState = firmware.compressState;
    this.#backOff = new BackOff(firmware.backOff, random);
    this.#keepAlive = new KeepAlive(
      clock,
      () => this.#link?.ping(),
      () => this.#link?.drop(),
      () => this.#frozen,
    );
    const send = (method: string, params: Record<string, unknown>) => this.send(method, params);
    this.#reports = new Reports({ system, store, events: this.#events, clock, random, speedUp, send });
    this.#context = {
      system,
      store,
      firmware,
      clock,
      speedUp,
      events: this.#events,
      reports: this.#reports,
      reply: (id, result) => this.#reply(id, result),
      restartSoon: (cause) => this.#later(() => system.restart(cause)),
      laterDown: (act) => this.#later(act),
      inTurn: (work) => {
        this.#turn = this.#turn.then(work, work);
        return this.#turn;
      },
      compressState: (on) => {
        this.#compressState = on && firmware.compressState;
      },
    };
    system.listen({ event: (at, type, payload) => this.#event(at, type, payload) });
  }

  get online(): boolean {
    return this.#online;
  }

  /**
   * Stays connected until `stop`. Applies the newest stored configuration first, even if rejected before; a `recovery`
   * start skips that.
   */
  async start(cause: ConnectReason): Promise<void> {
    this.#stopped = false;
    this.#frozen = false;
    this.#reason = cause;
    this.#restarted = true;
    this.#offlineSince = this.#options.clock.now();
    if (cause !== 'recovery') await this.#context.inTurn(() => this.#loadConfiguration());
    this.#open();
  }

  stop(how: 'polite' | 'lost' = 'polite'): void {
    this.#stopped = true;
    this.#retry();
    this.#restart();
    const link = this.#link;
    this.#ended({ kind: 'closed', detail: 'stopped' }, link);
    if (how === 'polite') link?.close();
    else link?.drop();
  }

  loseLink(forMs: number): void {
    const link = this.#link;
    this.#ended({ kind: 'closed', detail: 'line lost' }, link);
    link?.drop();
    this.#retry();
    this.#retry = this.#options.clock.after(forMs, () => this.#open());
  }

  /**
   * Connects at once without a link; otherwise pings, and reconnects if nothing arrives within `within` milliseconds.
   */
  checkLink(within: number): void {
    const link = this.#link;
    if (!this.#online || link === null) {
      if (!this.#frozen) this.#open();
      return;
    }
    const beats = this.#beats;
    link.ping();
    this.#options.clock.after(within, () => {
      if (this.#link === link && this.#beats === beats) this.loseLink(0);
    });
  }

  reload(): Promise<void> {
    return this.#context.inTurn(() => this.#loadConfiguration());
  }

  report(): void {
    if (this.#online) this.#reports.sendState();
  }

  show(identity: Identity): void {
    this.#identity = identity;
    this.#memory = {};
  }

  /**
   * Simulates a hung device: the socket stays open and silent. After the server closes it, the device stays offline
   * until unfrozen.
   */
  freeze(on: boolean): void {
    this.#frozen = on;
    if (!on) this.#open();
  }

  /** Drops messages while offline, like the firmware. */
  send(method: string, params: Record<string, unknown>): void {
    if (!this.#online) return;
    this.#write(encodeMessage(method, params, method === 'state' && this.#compressState));
  }

  /** Drops packets while offline. */
  sendRadius(kind: string, data: Buffer): void {
    if (this.#online) this.#write(JSON.stringify({ radius: kind, data: data.toString('base64') }));
  }

  #write(text: string): void {
    if (!this.#frozen) this.#link?.send(text);
  }

  #open(): void {
    this.#retry();
    if (this.#stopped || this.#link !== null) return;
    const { checkHost, network } = this.#options;
    const handlers: LinkHandlers = {
      opened: () => this.#opened(link),
      text: (text, bytes) => this.#text(text, bytes),
      alive: () => {
        this.#beats += 1;
        this.#keepAlive.received();
      },
      hung: () => this.#frozen,
      ended: (end) => this.#ended(end, link),
    };
    const link = openLink(this.#identity, checkHost, this.#memory, handlers, network);
    this.#link = link;
  }

  async #loadConfiguration(): Promise<void> {
    const { store, system } = this.#options;
    for (const candidate of [store.newest, store.active]) {
      const { error } = await system.apply(candidate.document);
      if (error === 2) continue;
      store.activate(candidate.uuid);
      break;
    }
    this.#reports.refresh();
  }

  #opened(link: Link): void {
    if (link !== this.#link) {
      link.drop();
      return;
    }
    const { system, store, firmware, clock, observer } = this.#options;
    this.#online = true;
    this.#backOff.succeeded();
    this.#keepAlive.start();
    const password = system.password();
    this.send('connect', {
      serial: system.serial,
      firmware: system.firmware(),
      uuid: store.active.uuid,
      ...(firmware.reason === 'connect' ? { reason: this.#reason } : {}),
      capabilities: system.capabilities(),
      ...(password === null ? {} : { password }),
    });
    const now = Math.floor(clock.now() / 1000);
    if (this.#restarted && this.#reason !== 'socket') {
      // the switch client has no clock here and sends 0
      if (firmware.reason === 'event') this.#sendEvent(0, 'device.reboot', { description: this.#reason });
      else this.#event(now, 'unit.boot-up', { cause: this.#reason });
    }
    this.#restarted = false;
    this.#reason = 'socket';
    for (const held of this.#events.release()) this.#sendEvent(held.at, held.type, held.payload);
    this.#reports.resume();
    observer?.({ change: 'online' });
  }

  #ended(end: LinkEnd, link: Link | null): void {
    if (link === null || link !== this.#link) return;
    const { clock, firmware } = this.#options;
    const now = clock.now();
    if (this.#online) this.#offlineSince = now;
    else if (firmware.restartAfter !== null && now - this.#offlineSince >= firmware.restartAfter) {
      this.#offlineSince = now;
      this.#reason = 'recovery';
      this.#backOff.restarted();
    }
    this.#link = null;
    this.#online = false;
    this.#keepAlive.stop();
    this.#reports.pause();
    let retryIn: number | null = null;
    if (!this.#stopped && !this.#frozen) {
      const usual = end.kind === 'wrong-host' ? deviceLimits.wrongHostWait : this.#backOff.next(end.retryAfter);
      retryIn = this.#options.pace?.(end) ?? usual;
      this.#retry();
      this.#retry = this.#options.clock.after(retryIn, () => this.#open());
    }
    this.#options.observer?.({ change: 'offline', end, retryIn });
  }

  #text(text: string, bytes: number): void {
    const { firmware, system, observer, onCommand, onRadius } = this.#options;
    if (this.#frozen) {
      observer?.({ change: 'ignored' });
      return;
    }
    const received = receiveFrame(text, bytes, firmware);
    if (received.kind === 'ignored') return;
    if (received.kind === 'radius') {
      onRadius?.(received.radius, Buffer.from(received.data, 'base64'));
      return;
    }
    if (received.kind === 'broken') {
      for (let piece = 0; piece < received.pieces; piece += 1) {
        this.send('log', { serial: system.serial, log: 'failed to parse command', severity: 2 });
      }
      return;
    }
    const { command, known } = received;
    observer?.({ change: 'command', method: command.method });
    const handler = known === null ? undefined : commandHandlers[known];
    if (handler !== undefined) void handler(command, this.#context);
    else {
      onCommand?.(command.method, command.params);
      if (firmware.unknownMethod === 'success') this.#reply(command.id, { status: { error: 0, text: 'Success' } });
    }
  }

  #reply(id: number, result: Record<string, unknown>): void {
    const { system, store, shapeReply } = this.#options;
    const body = { serial: system.serial, uuid: store.active.uuid, ...result };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: body });
    for (const out of shapeReply === undefined ? [text] : shapeReply(text)) this.#write(out);
  }

  #event(at: number, type: string, payload: Record<string, unknown>): void {
    this.#events.keep({ at, type, payload });
    const always = this.#options.firmware.alwaysEvents?.has(type) ?? false;
    if (!always && !this.#reports.metrics.realtime.has(eventGroup(type))) return;
    if (this.#online) this.#sendEvent(at, type, payload);
    else this.#events.hold({ at, type, payload });
  }

  #sendEvent(at: number, type: string, payload: Record<string, unknown>): void {
    this.send('event', { serial: this.#options.system.serial, data: { event: [at, { type, payload }] } });
  }

  #later(act: () => void): void {
    this.#restart();
    this.#restart = this.#options.clock.after(restartDelay / this.#options.speedUp, act);
  }
}
