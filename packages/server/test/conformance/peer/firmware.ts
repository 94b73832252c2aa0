import { pollTimeoutMs } from '../../../../../tools/poll-timeout.ts';
import { DeviceFlash } from './flash.ts';
import type { Json } from './json.ts';
import type { ShellOptions } from './scripts.ts';
import { type Closed, type DeviceSocket, openSocket, type SocketOptions } from './socket.ts';
import { opcodes } from './websocket.ts';

export interface Verdict {
  error: 0 | 1 | 2;
  rejected: readonly string[];
  /** Edge agent: LANs without an address. */
  withheld?: readonly string[];
  port53?: string;
}

export interface FirmwareOptions extends SocketOptions, ShellOptions {
  serial: string;
  flash?: DeviceFlash;
  firmware?: string;
  capabilities?: Json;
  /** Discovery method in `connect` of firmware 5.x. */
  discovery?: 'DHCP' | 'FLASH' | 'STANDARD_FQDN' | 'OpenLAN';
  applyMs?: number;
  /** Holds a configuration before it is applied, until the promise resolves. */
  beforeApply?: () => Promise<unknown>;
  /** Milliseconds before the action (firmware: 20 s). */
  actionMs?: number;
  /** Milliseconds before the answer of `upgrade`. */
  fetchMs?: number;
  /** Absent after a plain reconnect. */
  bootCause?: string;
  /** Ramdisk boot: reports uuid 0. */
  recovery?: boolean;
  render?: (config: Json) => Verdict;
  /** Uuid in the answer of `ping`: taken back last (edge agent). */
  returned?: number;
}

/** Received frame, or a part of one that exceeds the buffer. */
export interface Received {
  text: string;
  /** Null when it is not JSON. */
  command: { method?: string; id?: unknown; params?: Json; [more: string]: unknown } | null;
}

export abstract class Firmware {
  readonly options: FirmwareOptions;
  readonly flash: DeviceFlash;
  readonly received: Received[] = [];
  readonly answered: Json[] = [];
  socket: DeviceSocket | null = null;
  closed: Promise<Closed> | null = null;
  protected bootCause: string | undefined;
  #watchers = new Set<() => void>();
  #timers = new Set<NodeJS.Timeout>();

  constructor(options: FirmwareOptions) {
    this.options = options;
    this.flash = options.flash ?? new DeviceFlash();
    this.bootCause = options.bootCause;
  }

  protected abstract readonly bufferBytes: number;
  protected abstract opened(): void;
  protected abstract handle(text: string): void;

  async connect(): Promise<void> {
    const socket = await openSocket(this.options);
    this.socket = socket;
    this.received.length = 0;
    this.closed = socket.closed;
    socket.on('closed', () => {
      if (this.socket === socket) this.socket = null;
      this.#changed();
    });
    socket.on('frame', (frame) => {
      // The client parses each fragment, and each bufferful of a large frame, separately.
      if (frame.opcode > opcodes.binary) return;
      for (let at = 0; at < Math.max(1, frame.payload.length); at += this.bufferBytes) {
        this.#receive(frame.payload.subarray(at, at + this.bufferBytes).toString());
      }
    });
    this.opened();
  }

  notify(method: string, params: Json): void {
    this.sendJson({ jsonrpc: '2.0', method, params });
  }

  sendJson(message: Json): void {
    if ('id' in message) this.answered.push(message);
    this.socket?.send(JSON.stringify(message));
    this.#changed();
  }

  /** @throws after `withinMs` */
  async until<T>(what: string, find: () => T | undefined | null | false, withinMs = pollTimeoutMs): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        const seen = this.received.map(({ text }) => text.slice(0, 120)).join('\n');
        reject(new Error(`waited ${withinMs} ms for ${what}; received:\n${seen}`));
      }, withinMs);
      const look = (): void => {
        const found = find();
        if (found === undefined || found === null || found === false) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Counts `nth` from 1, per connection. */
  command(method: string, nth = 1, withinMs?: number): Promise<NonNullable<Received['command']>> {
    const find = () => this.received.filter(({ command }) => command?.method === method)[nth - 1]?.command;
    return this.until(`${method} number ${nth}`, find, withinMs);
  }

  /** Waits for a pong: by then the server has received all earlier messages. */
  async heard(): Promise<void> {
    const { socket } = this;
    if (!socket) throw new Error(`the server hung up: ${JSON.stringify(await this.closed)}`);
    const pong = new Promise<boolean>((resolve) => {
      socket.once('pong', () => resolve(true));
      socket.once('closed', () => resolve(false));
    });
    socket.sendFrame('', { opcode: opcodes.ping });
    if (!(await pong)) throw new Error(`the server hung up: ${JSON.stringify(await this.closed)}`);
  }

  cut(): Promise<Closed> | null {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.socket?.cut();
    return this.closed;
  }

  protected afterApplying(work: () => void): void {
    const { applyMs = 0, beforeApply } = this.options;
    const socket = this.socket;
    const held = beforeApply?.() ?? null;
    if (held === null) this.later(applyMs, work);
    else
      void held.then(() => {
        // a device that lost its power meanwhile applies nothing
        if (this.socket === socket) this.later(applyMs, work);
      });
  }

  protected later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }

  #receive(text: string): void {
    this.received.push({ text, command: parse(text) });
    this.handle(text);
    this.#changed();
  }

  #changed(): void {
    for (const look of this.#watchers) look();
  }
}

function parse(text: string): Received['command'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Received['command']) : null;
  } catch {
    return null;
  }
}

export const isTable = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
