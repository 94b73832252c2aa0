import type { SessionEnd } from './ends.ts';
import type { Session } from './session.ts';

/** The sessions of this process: all whose end is not written, and by serial those that hold their devices. */
export class SessionRegistry {
  readonly #open = new Set<Session>();
  readonly #openOf = new Map<string, Session[]>();
  readonly #sessions = new Map<string, Session>();
  /** By serial the ends that could not be written yet; of a device only the last. */
  readonly owedEnds = new Map<string, SessionEnd>();
  readonly #turns = new Map<string, Promise<unknown>>();

  get size(): number {
    return this.#sessions.size;
  }

  get(serial: string): Session | undefined {
    return this.#sessions.get(serial);
  }

  /** The sessions that hold their devices. */
  values(): IterableIterator<Session> {
    return this.#sessions.values();
  }

  /** Every session whose end is not written yet, also before `connect`. */
  open(): ReadonlySet<Session> {
    return this.#open;
  }

  /** The open sessions of one device: more than one while a newer takes over. */
  openOf(serial: string): readonly Session[] {
    return this.#openOf.get(serial) ?? [];
  }

  /** A socket was opened. */
  add(session: Session): void {
    this.#open.add(session);
    const { serial } = session.device;
    this.#openOf.set(serial, [...this.openOf(serial), session]);
  }

  /** Puts a session in the place of the one before it, which is returned. */
  put(session: Session): Session | undefined {
    const before = this.#sessions.get(session.device.serial);
    this.#sessions.set(session.device.serial, session);
    return before === session ? undefined : before;
  }

  /** The end of a session is written: nobody has to wait for it any more. */
  forget(session: Session): void {
    this.#open.delete(session);
    const { serial } = session.device;
    const left = this.openOf(serial).filter((other) => other !== session);
    if (left.length > 0) this.#openOf.set(serial, left);
    else this.#openOf.delete(serial);
  }

  /** A socket was closed; its device stays with a newer session. */
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
