import type { IncomingMessage } from 'node:http';
import { isRecord } from '@yunxun/contract/device';
import type { WebSocket } from 'ws';
import { expandParams } from '../codec.ts';

export interface SeenMessage {
  method: string;
  params: Record<string, unknown>;
  bytes: number;
  compressed: boolean;
}

export interface SeenReply {
  id: unknown;
  result: Record<string, unknown>;
}

/** Milliseconds. */
export const testTimeout = 120_000;
/** A device may answer in the next session. */
let lastId = 0;

export function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

export class TestSession {
  readonly messages: SeenMessage[] = [];
  readonly replies: SeenReply[] = [];
  readonly radius: { radius: string; data: string }[] = [];
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

  until<T>(look: () => T | undefined | null | false, within = testTimeout): Promise<T> {
    const waiting = new Promise<T>((resolve, reject) => {
      const watch = () => {
        const found = look();
        if (found === undefined || found === null || found === false) return;
        end();
        resolve(found);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`not in ${within / 1000} s: ${look.toString()}\n${this.logText()}`));
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

  logText(): string {
    const messages = this.messages.slice(-12).map(({ method, params }) => `  ${method} ${short(params)}`);
    const replies = this.replies.slice(-4).map(({ id, result }) => `  answer ${String(id)} ${short(result)}`);
    const state = `session of ${this.commonName}, ${this.closed ? 'closed' : 'open'}, ${this.messages.length} messages`;
    return [state, ...messages, ...replies].join('\n');
  }

  message(method: string, after = 0): Promise<SeenMessage> {
    return this.until(() => this.messages.slice(after).find((message) => message.method === method));
  }

  event(type: string, after = 0): Promise<Record<string, unknown>> {
    const seen = this.until(() => this.messages.slice(after).find((entry) => eventOf(entry)?.type === type));
    return quietly(seen.then((entry) => (eventOf(entry)?.payload ?? {}) as Record<string, unknown>));
  }

  command(method: string, params: Record<string, unknown>, within = testTimeout): Promise<Record<string, unknown>> {
    const id = this.send(method, params);
    const answered = this.until(() => this.replies.find((entry) => entry.id === id), within);
    return quietly(answered.then(({ result }) => result));
  }

  send(method: string, params: Record<string, unknown>): number {
    lastId += 1;
    const id = lastId;
    this.raw({ jsonrpc: '2.0', method, params: { serial: this.commonName, ...params }, id });
    return id;
  }

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
    } else if (typeof value.radius === 'string') this.radius.push({ radius: value.radius, data: String(value.data) });
    else if (isRecord(value.result)) this.replies.push({ id: value.id, result: value.result });
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
