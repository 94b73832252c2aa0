import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { RemoteSize } from '@yunxun/contract/device';
import { type RecordedEvent, recordedEvent, recordingLimits } from '@yunxun/contract/remote-recording';

/** Milliseconds, and bytes of events. */
export const recorderLimits = { every: 5000, part: 256 * 1024, unwritten: 2 * 1024 * 1024, again: 1000 } as const;

export interface RecordedPart {
  part: number;
  /** Null: nothing more is kept. */
  deflated: Buffer | null;
  /** The session goes on without its recording. */
  isCut: boolean;
}

export interface RecorderDeps {
  write(part: RecordedPart): Promise<void>;
  /** Work that the end of the process waits for. */
  add(work: Promise<void>): void;
}

export interface RecorderEvents {
  /** `isFull` has become false. */
  drain(): void;
  /** A part could not be written. */
  fail(): void;
}

const compress = promisify(deflateRaw);
const pause = promisify(setTimeout);

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #start = performance.now();
  #events: RecorderEvents | null = null;
  #buffer: Uint8Array[] = [];
  #buffered = 0;
  #unwritten = 0;
  #raw = 0;
  #compressed = 0;
  #part = 0;
  #state: 'on' | 'cut' | 'failed' | 'closed' = 'on';
  #isMarked = false;
  #size: RemoteSize | null = null;
  #last: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  listen(events: RecorderEvents): void {
    this.#events = events;
  }

  get isOn(): boolean {
    return this.#state === 'on';
  }

  get isFull(): boolean {
    return this.#unwritten > recorderLimits.unwritten;
  }

  output(output: Uint8Array): void {
    this.#add({ at: this.#at(), output });
  }

  resized(size: RemoteSize): void {
    if (this.#size?.columns === size.columns && this.#size.rows === size.rows) return;
    this.#size = size;
    this.#add({ at: this.#at(), size: { cols: size.columns, rows: size.rows } });
  }

  close(): void {
    if (this.#state === 'on') this.#state = 'closed';
    this.#flush();
  }

  #at(): number {
    return Math.round(performance.now() - this.#start);
  }

  #add(event: RecordedEvent): void {
    if (this.#state !== 'on') return;
    const bytes = recordedEvent(event);
    if (this.#raw + bytes.length > recordingLimits.raw) return void this.#cut();
    this.#raw += bytes.length;
    this.#buffer.push(bytes);
    this.#buffered += bytes.length;
    this.#unwritten += bytes.length;
    if (this.#buffered >= recorderLimits.part) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), recorderLimits.every);
  }

  #cut(): void {
    this.#state = 'cut';
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [events, bytes, isLast] = [this.#buffer, this.#buffered, this.#state === 'cut'];
    if (this.#state === 'failed' || (bytes === 0 && !isLast)) return;
    this.#buffer = [];
    this.#buffered = 0;
    this.#last = this.#last.then(() => this.#write(events, bytes, isLast));
    this.#deps.add(this.#last);
  }

  async #write(events: readonly Uint8Array[], bytes: number, isLast: boolean): Promise<void> {
    try {
      if (!this.#isMarked) await this.#keep(bytes === 0 ? null : await compress(Buffer.concat(events)), isLast);
    } catch (error) {
      await this.#fail();
      throw error;
    } finally {
      this.#unwritten -= bytes;
      this.#events?.drain();
    }
  }

  async #keep(deflated: Buffer | null, isLast: boolean): Promise<void> {
    this.#compressed += deflated?.length ?? 0;
    const isOver = this.#compressed > recordingLimits.compressed;
    const isCut = isOver || isLast;
    const part = { part: this.#part, deflated: isOver ? null : deflated, isCut };
    await this.#deps.write(part).catch(async () => {
      await pause(recorderLimits.again);
      await this.#deps.write(part);
    });
    this.#part += 1;
    if (!isCut) return;
    this.#isMarked = true;
    this.#state = 'cut';
  }

  async #fail(): Promise<void> {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#events?.fail();
    await this.#deps.write({ part: this.#part, deflated: null, isCut: true });
  }
}
