import type { RecordedEvent } from '@yunxun/contract/remote-recording';
import type { RemoteSize } from '@yunxun/contract/remote-terminal';
import { timesOf } from './recording.ts';

/** Resolves when it is drawn, in the order of the calls. */
export interface ReplayScreen {
  write(output: Uint8Array): Promise<void>;
  resize(size: RemoteSize): Promise<void>;
  reset(): void;
}

/** Bytes that are drawn at once. */
const batch = 128 * 1024;

/** All times are milliseconds. */
export class Playback {
  readonly #events: readonly RecordedEvent[];
  readonly #screen: ReplayScreen;
  readonly #changed: () => void;
  #times: readonly number[];
  #next = 0;
  #at = 0;
  #since: number | null = null;
  #speed = 1;
  #turn = 0;
  #wait: ReturnType<typeof setTimeout> | undefined;

  constructor(events: readonly RecordedEvent[], screen: ReplayScreen, changed: () => void) {
    this.#events = events;
    this.#screen = screen;
    this.#changed = changed;
    this.#times = timesOf(events, true);
  }

  get duration(): number {
    return this.#times.at(-1) ?? 0;
  }

  get position(): number {
    const played = this.#since === null ? 0 : (performance.now() - this.#since) * this.#speed;
    return Math.min(this.#at + played, this.duration);
  }

  get isPlaying(): boolean {
    return this.#since !== null;
  }

  play(): void {
    if (this.position >= this.duration) this.seek(0);
    this.#move(this.position, true);
  }

  pause(): void {
    this.#move(this.position, false);
  }

  speed(speed: number): void {
    const at = this.position;
    this.#speed = speed;
    this.#move(at, this.isPlaying);
  }

  /** Stays at what is shown. */
  shorten(on: boolean): void {
    const last = this.#next - 1;
    const after = last < 0 ? 0 : this.position - this.#times[last]!;
    this.#times = timesOf(this.#events, on);
    const at = last < 0 ? 0 : Math.min(this.#times[last]! + after, this.#times[this.#next] ?? this.duration);
    this.#move(at, this.isPlaying);
  }

  seek(to: number): void {
    const last = this.#next - 1;
    if (last >= 0 && this.#times[last]! > to) {
      this.#screen.reset();
      this.#next = 0;
    }
    this.#move(to, this.isPlaying);
  }

  stop(): void {
    this.#turn += 1;
    clearTimeout(this.#wait);
  }

  #move(at: number, plays: boolean): void {
    this.#at = at;
    this.#since = plays ? performance.now() : null;
    this.stop();
    this.#changed();
    void this.#show(this.#turn);
  }

  async #show(turn: number): Promise<void> {
    while (turn === this.#turn && (this.#times[this.#next] ?? Number.POSITIVE_INFINITY) <= this.position)
      await this.#draw();
    if (turn !== this.#turn || this.#since === null) return;
    if (this.#next >= this.#events.length) return this.#move(this.duration, false);
    const left = (this.#times[this.#next]! - this.position) / this.#speed;
    this.#wait = setTimeout(() => void this.#show(turn), Math.max(0, left));
  }

  /** With the output that is due too. */
  #draw(): Promise<void> {
    const first = this.#events[this.#next]!;
    this.#next += 1;
    if ('size' in first) return this.#screen.resize(first.size);
    const due = [first.output];
    let bytes = first.output.length;
    const until = this.position;
    while (bytes < batch && this.#next < this.#events.length && this.#times[this.#next]! <= until) {
      const event = this.#events[this.#next]!;
      if ('size' in event) break;
      due.push(event.output);
      bytes += event.output.length;
      this.#next += 1;
    }
    if (due.length === 1) return this.#screen.write(first.output);
    const joined = new Uint8Array(bytes);
    let at = 0;
    for (const part of due) {
      joined.set(part, at);
      at += part.length;
    }
    return this.#screen.write(joined);
  }
}
