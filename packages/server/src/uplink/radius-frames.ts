import { type Bus, BusTimeout, NoResponder } from '../platform/bus/index.ts';
import type { DeviceRef, RadiusKind, UplinkHandlers } from './ports.ts';
import { radiusSubject } from './subjects.ts';

/** Per device; the device repeats dropped packets. */
const maxInWork = 64;

interface RadiusLink {
  device: DeviceRef;
  handler: UplinkHandlers['radius'];
  send(frame: string): void;
  dropped(): void;
}

/** RADIUS inside a device's connection: its requests, and answers to ours. */
export class RadiusFrames {
  readonly #link: RadiusLink;
  readonly #waiting = new Map<number, (data: Buffer) => void>();
  #inWork = 0;

  constructor(link: RadiusLink) {
    this.#link = link;
  }

  take(kind: RadiusKind, text: string): void {
    const { device, handler, dropped } = this.#link;
    const data = Buffer.from(text, 'base64');
    if (kind === 'coa') {
      const answered = this.#waiting.get(data[1] ?? -1);
      if (answered) answered(data);
      else dropped();
      return;
    }
    if (!handler || this.#inWork >= maxInWork) {
      dropped();
      return;
    }
    this.#inWork += 1;
    handler(device, kind, data)
      .then((answer) => answer && this.#send(kind, answer))
      .catch(dropped)
      .finally(() => {
        this.#inWork -= 1;
      });
  }

  /** @returns the answer in base64; null after `timeoutMs` */
  request(text: string, timeoutMs: number): Promise<string | null> {
    const data = Buffer.from(text, 'base64');
    const identifier = data[1] ?? 0;
    return new Promise((resolve) => {
      const done = (answer: Buffer | null) => {
        clearTimeout(timer);
        this.#waiting.delete(identifier);
        resolve(answer?.toString('base64') ?? null);
      };
      const timer = setTimeout(() => done(null), timeoutMs);
      this.#waiting.set(identifier, done);
      this.#send('coa', data);
    });
  }

  #send(kind: RadiusKind, data: Buffer): void {
    this.#link.send(JSON.stringify({ radius: kind, data: data.toString('base64') }));
  }
}

/** Milliseconds for the bus. */
const busMargin = 1000;

/** @returns the answer; null if the device is offline or silent */
export async function exchangeRadius(
  bus: Bus,
  device: DeviceRef,
  packet: Buffer,
  timeoutMs: number,
): Promise<Buffer | null> {
  const request = { data: packet.toString('base64'), timeoutMs };
  try {
    const answer = await bus.request(radiusSubject(device), request, timeoutMs + busMargin);
    return typeof answer === 'string' ? Buffer.from(answer, 'base64') : null;
  } catch (error) {
    if (error instanceof NoResponder || error instanceof BusTimeout) return null;
    throw error;
  }
}
