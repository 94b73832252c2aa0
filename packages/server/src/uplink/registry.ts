import type { Session } from './session.ts';

/** The open sessions of this process, by serial. */
export class SessionRegistry {
  readonly #sessions = new Map<string, Session>();
  readonly #turns = new Map<string, Promise<unknown>>();

  get size(): number {
    return this.#sessions.size;
  }

  get(serial: string): Session | undefined {
    return this.#sessions.get(serial);
  }

  values(): IterableIterator<Session> {
    return this.#sessions.values();
  }

  /** Puts a session in the place of the one before it, which is returned. */
  put(session: Session): Session | undefined {
    const before = this.#sessions.get(session.device.serial);
    this.#sessions.set(session.device.serial, session);
    return before === session ? undefined : before;
  }

  /** Takes a session out, if it is still the one of its serial. */
  remove(session: Session): void {
    if (this.#sessions.get(session.device.serial) === session) this.#sessions.delete(session.device.serial);
  }

  /** Runs the beginnings and ends of a device's sessions one after the other, so that an end is never told after the next beginning. */
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
