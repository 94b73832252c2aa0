import { deviceLimits } from '@yunxun/contract/device';
import type { Cancel, Clock } from './clock.ts';

/** Like the firmware's library: ping after 60 s of silence, end at 70 s. */
export class KeepAlive {
  #cancel: Cancel = () => {};
  #receivedAt = 0;

  constructor(
    readonly clock: Clock,
    readonly ping: () => void,
    readonly giveUp: () => void,
    readonly hung: () => boolean,
  ) {}

  start(): void {
    this.#receivedAt = this.clock.now();
    this.#watch(deviceLimits.pingAfter, false);
  }

  received(): void {
    this.#receivedAt = this.clock.now();
  }

  stop(): void {
    this.#cancel();
  }

  #watch(delay: number, pinged: boolean): void {
    this.#cancel();
    this.#cancel = this.clock.after(delay, () => {
      if (this.hung()) return this.#watch(deviceLimits.pingAfter, false);
      const silence = this.clock.now() - this.#receivedAt;
      if (silence < deviceLimits.pingAfter) return this.#watch(deviceLimits.pingAfter - silence, false);
      if (pinged && silence >= deviceLimits.hangUpAfter) return this.giveUp();
      if (!pinged) this.ping();
      this.#watch(Math.max(deviceLimits.hangUpAfter - silence, 1), true);
    });
  }
}
