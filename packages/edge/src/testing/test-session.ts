import type { IncomingMessage } from 'node:http';
import { isRecord } from '@yunxun/contract/device';
import type { WebSocket } from 'ws';
import { expandParams } from '../codec.ts';

/** A message of the device as it came, with its parameters inflated. */
export interface SeenMessage {
  method: string;
  params: Record<string, unknown>;
  /** Bytes on the wire. */
  bytes: number;
  compressed: boolean;
}

/** A reply as it came. */
export interface SeenReply {
  id: unknown;
  result: Record<string, unknown>;
}

/** What is waited for comes within this, milliseconds, or not at all. */
export const testPatience = 120_000;
/** Ids of commands, of no two sessions the same: a device may answer in the session after. */
let lastId = 0;

/** Waits of a test that nobody awaits any more end in silence. */
export function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** One device's session, seen from the console's side. Keeps everything that was said. */
export class TestSession {
  readonly messages: SeenMessage[] = [];
  readonly replies: SeenReply[] = [];
  readonly #watchers = new Set<() => void>();
  pings = 0;
  closed = false;

  constructor(
    readonly socket: WebSocket,
    readonly commonName: string,
    readonly request: IncomingMessage,
  ) {
    socket.on('message', (data) => this.#take(data.toString()));
    socket.on('ping', () => {
      this.pings += 1;
      this.#tell();
    });
    socket.on('close', () => {
      this.closed = true;
      this.#tell();
    });
    socket.on('error', () => {});
  }

  /** Waits until something is true, looking again after everything the device does; rejects with what was said instead. */
  until<T>(look: () => T | undefined | null | false, within = testPatience): Promise<T> {
    const waiting = new Promise<T>((resolve, reject) => {
      const watch = () => {
        const found = look();
        if (found === undefined || found === null || found === false) return;
        end();
        resolve(found);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`not in ${within / 1000} s: ${look.toString()}\n${this.told()}`));
      }, within);
      timer.unref();
      const end = () => {
        clearTimeout(timer);
        this.#watchers.delete(watch);
      };
      this.#watchers.add(watch);
      watch();
    });
    return quietly(waiting);
  }

  /** The last of what the device said here, for whoever has to find out why a test failed. */
  told(): string {
    const messages = this.messages.slice(-12).map(({ method, params }) => `  ${method} ${short(params)}`);
    const replies = this.replies.slice(-4).map(({ id, result }) => `  answer ${String(id)} ${short(result)}`);
    const state = `session of ${this.commonName}, ${this.closed ? 'closed' : 'open'}, ${this.messages.length} messages`;
    return [state, ...messages, ...replies].join('\n');
  }

  /** The first message of this method that is not among the first `after`. */
  message(method: string, after = 0): Promise<SeenMessage> {
    return this.until(() => this.messages.slice(after).find((message) => message.method === method));
  }

  /** The first event of this type. */
  event(type: string, after = 0): Promise<Record<string, unknown>> {
    const seen = this.until(() => this.messages.slice(after).find((entry) => eventOf(entry)?.type === type));
    return quietly(seen.then((entry) => (eventOf(entry)?.payload ?? {}) as Record<string, unknown>));
  }

  /** Sends a command and gives its first reply. */
  command(method: string, params: Record<string, unknown>, within = testPatience): Promise<Record<string, unknown>> {
    const id = this.send(method, params);
    const answered = this.until(() => this.replies.find((entry) => entry.id === id), within);
    return quietly(answered.then(({ result }) => result));
  }

  /** Sends a command without waiting; gives its id. */
  send(method: string, params: Record<string, unknown>): number {
    lastId += 1;
    const id = lastId;
    this.raw({ jsonrpc: '2.0', method, params: { serial: this.commonName, ...params }, id });
    return id;
  }

  /** Sends anything. */
  raw(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  #take(text: string): void {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return;
    if (typeof value.method === 'string' && isRecord(value.params)) {
      const params = expandParams(value.params) ?? {};
      const compressed = params !== value.params;
      this.messages.push({ method: value.method, params, bytes: Buffer.byteLength(text), compressed });
    } else if (isRecord(value.result)) this.replies.push({ id: value.id, result: value.result });
    this.#tell();
  }

  #tell(): void {
    for (const watch of this.#watchers) watch();
  }
}

function eventOf(message: SeenMessage): Record<string, unknown> | null {
  if (message.method !== 'event' || !isRecord(message.params.data)) return null;
  const { event } = message.params.data;
  return Array.isArray(event) && isRecord(event[1]) ? event[1] : null;
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
