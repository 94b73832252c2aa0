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
import { type Link, type LinkEnd, type LinkMemory, openLink } from './link.ts';
import { receiveFrame } from './receive.ts';
import { Reports } from './reports.ts';
import type { DeviceSystem } from './system.ts';

/** What a client is built from. */
export interface ClientOptions {
  identity: Identity;
  system: DeviceSystem;
  store: ConfigurationStore;
  firmware: FirmwareProfile;
  clock: Clock;
  /** 0…1; spreads reports and, for the agent, its returns. */
  random: () => number;
  /** Check the server's name as the firmware does with `hostname_validate`. Default true. */
  checkHost?: boolean;
  /** Reports and the device's own delays pass this many times as fast. Default 1. */
  speedUp?: number;
  /** Replies on their way out: an empty list keeps silent, two entries answer twice. */
  shapeReply?: (reply: string) => readonly string[];
  /** Told of what the console says besides commands (our own agent's notifications). */
  heard?: (method: string, params: Record<string, unknown>) => void;
  /** Told of every change, for logs and for tests. */
  observer?: (change: ClientChange) => void;
}

/** What happens to a client, for logs and tests. */
export type ClientChange =
  | { change: 'online' }
  | { change: 'offline'; end: LinkEnd; retryIn: number | null }
  | { change: 'command'; method: string }
  /** A frame arrived while the device hung. */
  | { change: 'unheard' };

/** Delay of the firmware between a reboot's answer and the reboot. */
const restartDelay = 20_000;

/** The device's side of the uplink: keeps a session to the console, reports, obeys. */
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
  /** Since when this run of the client has been without a link. */
  #offlineSince = 0;
  #turn: Promise<void> = Promise.resolve();
  /** Frames of any kind that arrived. */
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
   * Starts the client after a boot (with its cause) and keeps it connected until `stop`. The newest stored configuration
   * is tried first, also one that was rejected before; a recovery start leaves things as they are.
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

  /** Ends the session; `lost` cuts the line as a power cut does. No return until `start`. */
  stop(how: 'polite' | 'lost' = 'polite'): void {
    this.#stopped = true;
    this.#retry();
    this.#restart();
    const link = this.#link;
    this.#ended({ kind: 'closed', detail: 'stopped' }, link);
    if (how === 'polite') link?.close();
    else link?.drop();
  }

  /** Loses the line for a while, then returns with reason `socket`. */
  loseLink(forMs: number): void {
    const link = this.#link;
    this.#ended({ kind: 'closed', detail: 'line lost' }, link);
    link?.drop();
    this.#retry();
    this.#retry = this.#options.clock.after(forMs, () => this.#open());
  }

  /**
   * The network below has changed: without a link one is tried at once; one that stays silent for so long (milliseconds)
   * after a ping is given up for a new one.
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

  /** Offers the stored configuration to the system once more, after what is under way. */
  reload(): Promise<void> {
    return this.#context.inTurn(() => this.#loadConfiguration());
  }

  /** From the next link on it shows another certificate. */
  show(identity: Identity): void {
    this.#identity = identity;
    this.#memory = {};
  }

  /**
   * A hung device: the socket stays open, nothing more is sent, not even pings; once the other side has closed it, the
   * device stays away until it is let go.
   */
  freeze(on: boolean): void {
    this.#frozen = on;
    if (!on) this.#open();
  }

  /** Sends a message of the device; lost when it is offline, as in the firmware. */
  send(method: string, params: Record<string, unknown>): void {
    if (!this.#online) return;
    this.#write(encodeMessage(method, params, method === 'state' && this.#compressState));
  }

  #write(text: string): void {
    if (!this.#frozen) this.#link?.send(text);
  }

  #open(): void {
    this.#retry();
    if (this.#stopped || this.#link !== null) return;
    const link = openLink(this.#identity, this.#options.checkHost, this.#memory, {
      opened: () => this.#opened(link),
      text: (text, bytes) => this.#text(text, bytes),
      alive: () => {
        this.#beats += 1;
        this.#keepAlive.heard();
      },
      hung: () => this.#frozen,
      ended: (end) => this.#ended(end, link),
    });
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
    if (this.#restarted && firmware.reason === 'event') {
      // The switch client has no clock at hand here and really says 0.
      this.#sendEvent(0, 'device.reboot', { description: this.#reason });
    } else if (this.#restarted && this.#reason !== 'socket') {
      this.#event(now, 'unit.boot-up', { cause: this.#reason });
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
      retryIn = end.kind === 'wrong-host' ? deviceLimits.wrongHostWait : this.#backOff.next();
      this.#retry();
      this.#retry = this.#options.clock.after(retryIn, () => this.#open());
    }
    this.#options.observer?.({ change: 'offline', end, retryIn });
  }

  #text(text: string, bytes: number): void {
    const { firmware, system, observer, heard } = this.#options;
    if (this.#frozen) {
      observer?.({ change: 'unheard' });
      return;
    }
    const received = receiveFrame(text, bytes, firmware);
    if (received.kind === 'ignored') return;
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
      heard?.(command.method, command.params);
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
