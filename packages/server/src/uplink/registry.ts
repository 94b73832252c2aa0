import type { DeviceSession } from './device-session.ts';
import type { SessionEnd } from './ports.ts';

/** Of this process: unfinished ones, and the current one per serial. */
export class SessionRegistry {
  readonly #open = new Set<DeviceSession>();
  readonly #openOf = new Map<string, DeviceSession[]>();
  readonly #sessions = new Map<string, DeviceSession>();
  /** Unwritten, per serial. */
  readonly owedEnds = new Map<string, SessionEnd>();
  readonly #turns = new Map<string, Promise<unknown>>();

  get size(): number {
    return this.#sessions.size;
  }

  get(serial: string): DeviceSession | undefined {
    return this.#sessions.get(serial);
  }

  values(): IterableIterator<DeviceSession> {
    return this.#sessions.values();
  }

  /** Includes sessions before `connect`. */
  open(): ReadonlySet<DeviceSession> {
    return this.#open;
  }

  openOf(serial: string): readonly DeviceSession[] {
    return this.#openOf.get(serial) ?? [];
  }

  add(session: DeviceSession): void {
    this.#open.add(session);
    const { serial } = session.device;
    this.#openOf.set(serial, [...this.openOf(serial), session]);
  }

  put(session: DeviceSession): DeviceSession | undefined {
    const before = this.#sessions.get(session.device.serial);
    this.#sessions.set(session.device.serial, session);
    return before === session ? undefined : before;
  }

  forget(session: DeviceSession): void {
    this.#open.delete(session);
    const { serial } = session.device;
    const left = this.openOf(serial).filter((other) => other !== session);
    if (left.length > 0) this.#openOf.set(serial, left);
    else this.#openOf.delete(serial);
  }

  remove(session: DeviceSession): void {
    if (this.#sessions.get(session.device.serial) === session) this.#sessions.delete(session.device.serial);
  }

  /** Serialises starts and ends: no end may follow the next start. */
  inTurn<T>(serial: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(serial) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#turns.set(serial, settled);
    void settled.then(() => {
      if (this.#turns.get(serial) === settled) this.#turns.delete(serial);
    });
    return mine;
  }
}
