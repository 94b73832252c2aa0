import { FileRefused } from './files.ts';

/** Milliseconds without a byte. */
const stallMs = 30_000;

/** One action of a page on files, from its request to `done` or `failed`. */
export class FileAction {
  isOver = false;
  /** Takes bytes of the page. */
  feed: ((data: Buffer) => void) | null = null;
  /** Goes on once the page has read. */
  goOn: (() => void) | null = null;
  readonly #backlog: (() => number)[];
  readonly #settle: (error: unknown) => void;
  readonly #cleanups: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #unread = 0;

  /** `settle`: is called once, with null for success. `unread`: bytes on their way to the page. */
  constructor(unread: () => number, settle: (error: unknown) => void) {
    this.#backlog = [unread];
    this.#settle = settle;
    this.moved();
  }

  /** A byte has moved. */
  moved(): void {
    if (this.isOver) return;
    this.#unread = this.#left();
    if (this.#timer) this.#timer.refresh();
    else this.#timer = setTimeout(() => this.#look(), stallMs);
  }

  /** `pending`: bytes on their way to the device. */
  watch(pending: () => number): void {
    this.#backlog.push(pending);
  }

  /** Runs at the end; at once if that has passed. */
  onEnd(cleanup: () => void): void {
    if (this.isOver) cleanup();
    else this.#cleanups.push(cleanup);
  }

  end(error: unknown = null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#timer);
    for (const cleanup of this.#cleanups) cleanup();
    this.#settle(error);
  }

  #left(): number {
    return this.#backlog.reduce((sum, bytes) => sum + bytes(), 0);
  }

  #look(): void {
    if (this.#left() < this.#unread) this.moved();
    else this.end(new FileRefused('failed', 'no answer'));
  }
}
