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

/** One device's session, seen from the console's side. Keeps everything that was said. */
export class TestSession {
  readonly messages: SeenMessage[] = [];
  readonly replies: SeenReply[] = [];
  readonly #watchers = new Set<() => void>();
  #nextId = 1;
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

  /** Waits until something is true, looking again after everything the device does. */
  until<T>(look: () => T | undefined | null | false): Promise<T> {
    return new Promise((resolve) => {
      const watch = () => {
        const found = look();
        if (found === undefined || found === null || found === false) return;
        this.#watchers.delete(watch);
        resolve(found);
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  /** The first message of this method that is not among the first `after`. */
  message(method: string, after = 0): Promise<SeenMessage> {
    return this.until(() => this.messages.slice(after).find((message) => message.method === method));
  }

  /** The first event of this type. */
  async event(type: string, after = 0): Promise<Record<string, unknown>> {
    const seen = await this.until(() => this.messages.slice(after).find((entry) => eventOf(entry)?.type === type));
    return (eventOf(seen)?.payload ?? {}) as Record<string, unknown>;
  }

  /** Sends a command and gives its first reply. */
  async command(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    const id = this.send(method, params);
    const reply = await this.until(() => this.replies.find((entry) => entry.id === id));
    return reply.result;
  }

  /** Sends a command without waiting; gives its id. */
  send(method: string, params: Record<string, unknown>): number {
    const id = this.#nextId;
    this.#nextId += 1;
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
