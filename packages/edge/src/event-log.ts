import { deviceLimits, eventGroup } from '@yunxun/contract/device';

/** One event with the unix second it happened in. */
export interface LoggedEvent {
  at: number;
  type: string;
  payload: Record<string, unknown>;
}

/**
 * The device's ring of events: all of them wait for the `event` command; those whose group is realtime go out at once,
 * or wait (250 at most, oldest lost first) until the link is back.
 */
export class EventLog {
  #waiting: LoggedEvent[] = [];
  #ring: LoggedEvent[] = [];

  /** Keeps an event for the `event` command. */
  keep(event: LoggedEvent): void {
    this.#ring.push(event);
    if (this.#ring.length > deviceLimits.bufferedEvents) this.#ring.shift();
  }

  /** Keeps a realtime event until the link is back. */
  hold(event: LoggedEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > deviceLimits.bufferedEvents) this.#waiting.shift();
  }

  /** The held ones, in their order; they are gone afterwards. */
  release(): readonly LoggedEvent[] {
    const held = this.#waiting;
    this.#waiting = [];
    return held;
  }

  /** Empties the ring for the given types (names or groups; none: all), by type. */
  drain(types: readonly string[]): Record<string, [number, Record<string, unknown>][]> {
    const drained: Record<string, [number, Record<string, unknown>][]> = {};
    const rest: LoggedEvent[] = [];
    for (const event of this.#ring) {
      const wanted = types.length === 0 || types.includes(event.type) || types.includes(eventGroup(event.type));
      if (!wanted) {
        rest.push(event);
        continue;
      }
      drained[event.type] ??= [];
      drained[event.type]?.push([event.at, event.payload]);
    }
    this.#ring = rest;
    return drained;
  }
}
