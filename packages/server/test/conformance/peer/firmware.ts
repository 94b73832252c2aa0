import { DeviceFlash } from './flash.ts';
import { type Closed, type DeviceSocket, openSocket, type SocketOptions } from './socket.ts';
import { opcodes } from './websocket.ts';

export type Json = Record<string, unknown>;

/** What the renderer of the device says about a configuration. */
export interface Verdict {
  error: 0 | 1 | 2;
  rejected: readonly string[];
}

export interface FirmwareOptions extends SocketOptions {
  serial: string;
  flash?: DeviceFlash;
  firmware?: string;
  capabilities?: Json;
  /** Time the device needs to render and apply a configuration, ms. */
  applyMs?: number;
  /** Delay between "triggered command action" and the action itself, ms (firmware: 20 s). */
  actionMs?: number;
  /** Time in which it fetches and checks an image before it answers `upgrade`, ms. */
  fetchMs?: number;
  /** Why it started; absent after a plain reconnect. */
  bootCause?: string;
  /** Boot from the ramdisk: reports uuid 0. */
  recovery?: boolean;
  /** Replaces the built-in renderer. */
  render?: (config: Json) => Verdict;
}

/** One thing the controller sent, as the client saw it: a frame, or a piece of one that did not fit its buffer. */
export interface Received {
  text: string;
  /** Null when it is not JSON. */
  command: { method?: string; id?: unknown; params?: Json; [more: string]: unknown } | null;
}

/** What access point and switch clients have in common: one socket, a log of what came in, the sending of JSON. */
export abstract class Firmware {
  readonly options: FirmwareOptions;
  readonly flash: DeviceFlash;
  /** Everything received since the last connect, in order. */
  readonly received: Received[] = [];
  /** Every answer sent, by request id. */
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

  /** Size of the receive buffer; a frame that does not fit arrives in pieces. */
  protected abstract readonly bufferBytes: number;
  protected abstract opened(): void;
  protected abstract handle(text: string): void;

  /** Connects and introduces itself. @throws BadHostname, UpgradeRefused, or what TLS says */
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
      // The client never reassembles: every fragment, and every bufferful of a large frame, is parsed for itself.
      if (frame.opcode > opcodes.binary) return;
      for (let at = 0; at < Math.max(1, frame.payload.length); at += this.bufferBytes) {
        this.#receive(frame.payload.subarray(at, at + this.bufferBytes).toString());
      }
    });
    this.opened();
  }

  /** Sends a JSON-RPC event. */
  notify(method: string, params: Json): void {
    this.sendJson({ jsonrpc: '2.0', method, params });
  }

  sendJson(message: Json): void {
    if ('id' in message) this.answered.push(message);
    this.socket?.send(JSON.stringify(message));
    this.#changed();
  }

  /** Resolves with what `find` finds once it finds it; looks after every frame. @throws after `withinMs` */
  async until<T>(what: string, find: () => T | undefined | null | false, withinMs = 10_000): Promise<T> {
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

  /** The n-th command (from 1) of a method that the controller has sent on this connection. */
  command(method: string, nth = 1, withinMs?: number): Promise<NonNullable<Received['command']>> {
    const find = () => this.received.filter(({ command }) => command?.method === method)[nth - 1]?.command;
    return this.until(`${method} number ${nth}`, find, withinMs);
  }

  /** The connection ends without a word. */
  cut(): Promise<Closed> | null {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.socket?.cut();
    return this.closed;
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

/** Whether a parsed value is a JSON object. */
export const isTable = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
