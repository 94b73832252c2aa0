import { setFlagsFromString } from 'node:v8';

/**
 * Percent by which the heap grows until all of it is marked; 0 is V8's own measure. That one counts buffers which die
 * young: for a stream of 25 MB/s it marks 80 MB every 0.7 s, and its threads take the core from commands and keys for
 * 100 ms. It stays without sessions, since the ingest of reports is faster with it.
 */
const percent = { withSessions: 100, without: 0 } as const;

/** Fits the heap of this process to the number of sessions that it holds. */
export function fitHeap(sessions: number): void {
  setFlagsFromString(`--heap-growing-percent=${sessions > 0 ? percent.withSessions : percent.without}`);
}
