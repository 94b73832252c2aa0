import { stat, statfs } from 'node:fs/promises';
import type { Bus } from './bus/index.ts';
import type { Log } from './log.ts';

/** Published repeatedly while a process's storage is full. */
const fullSubject = 'storage.full';
const measureEvery = 2000;
/** Validity of such a message, in milliseconds. */
const believedFor = 3 * measureEvery;
/** Hysteresis of the reserve. */
const againFrom = 1.1;

const mebibyte = 1024 * 1024;

export interface StorageOptions {
  folders: readonly string[];
  reserveBytes: number;
  bus: Bus;
  log: Log;
}

/**
 * PostgreSQL ends without space for its WAL, so reports and files are refused earlier; the reserve is for people's
 * changes.
 */
export interface Storage {
  isFull(): boolean;
  check(): Promise<void>;
  /** Returns how full each file system is, as `df` counts it, under its first folder. */
  usage(): Promise<{ folder: string; percent: number }[]>;
  /** Records whether the database's last write found disk space, on whatever host it runs. */
  databaseHasCapacity(enough: boolean): void;
  onChange(listener: () => void): () => void;
  stop(): void;
}

export async function watchStorage({ folders, reserveBytes, bus, log }: StorageOptions): Promise<Storage> {
  const listeners = new Set<() => void>();
  const reasons = new Map<string, string>();
  let believedUntil = 0;
  let reported = false;

  const isFull = () => reasons.size > 0 || believedUntil > performance.now();

  function update(source: string, reason: string | null): void {
    const before = reasons.get(source);
    if (reason === null) reasons.delete(source);
    else reasons.set(source, reason);
    if (before === undefined && reason !== null) log.error({ reason }, 'no room: reports and uploads are refused');
    if (before !== undefined && reason === null) log.warn({ source }, 'there is room again');
    announce();
  }

  function announce(): void {
    if (isFull() === reported) return;
    reported = !reported;
    for (const listener of listeners) listener();
  }

  async function measure(): Promise<void> {
    for (const folder of new Set(reserveBytes > 0 ? folders : [])) {
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      const wanted = reasons.has(folder) ? reserveBytes * againFrom : reserveBytes;
      const sentence = `The disk of ${folder} has ${Math.floor(free / mebibyte)} MiB left; ${Math.ceil(wanted / mebibyte)} MiB must be free (YUNXUN_DISK_RESERVE).`;
      update(folder, free < wanted ? sentence : null);
    }
    if (reasons.size > 0) bus.publish(fullSubject, {});
    announce();
  }

  const unsubscribe = bus.subscribe(fullSubject, () => {
    believedUntil = performance.now() + believedFor;
    announce();
  });
  await measure();
  let measuring: Promise<void> | null = null;
  const timer = setInterval(() => {
    measuring ??= measure()
      .catch((error: unknown) => log.error({ err: error }, 'free space not measured'))
      .finally(() => {
        measuring = null;
      });
  }, measureEvery);

  return {
    isFull,
    async check() {
      for (const reason of reasons.values()) throw new Error(reason);
    },
    async usage() {
      const systems = new Map<number, { folder: string; percent: number }>();
      for (const folder of folders) {
        const { dev } = await stat(folder);
        if (systems.has(dev)) continue;
        const { blocks, bfree, bavail } = await statfs(folder);
        const used = blocks - bfree;
        // a folder of a file system without a size is never full
        systems.set(dev, { folder, percent: used + bavail > 0 ? (100 * used) / (used + bavail) : 0 });
      }
      return [...systems.values()];
    },
    databaseHasCapacity(enough) {
      update('database', enough ? null : 'The database has no room on its disk.');
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
