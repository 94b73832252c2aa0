import { deviceLimits, eventGroup } from '@yunxun/contract/device';

export interface LoggedEvent {
  at: number;
  type: string;
  payload: Record<string, unknown>;
}

/**
 * Read by the command `event`. Realtime groups are also sent at once, or held while offline (250 at most, oldest
 * dropped).
 */
export class EventLog {
  #waiting: LoggedEvent[] = [];
  #ring: LoggedEvent[] = [];

  keep(event: LoggedEvent): void {
    this.#ring.push(event);
    if (this.#ring.length > deviceLimits.bufferedEvents) this.#ring.shift();
  }

  hold(event: LoggedEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > deviceLimits.bufferedEvents) this.#waiting.shift();
  }

  release(): readonly LoggedEvent[] {
    const held = this.#waiting;
    this.#waiting = [];
    return held;
  }

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
