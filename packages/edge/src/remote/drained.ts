import type { Duplex, Writable } from 'node:stream';

const probeMs = 500;

/** Resolves when it takes more, or nothing any longer, or when `source` has closed. */
export function drained(output: Writable, source?: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (output.destroyed || source?.destroyed) return resolve();
    // a socket that is not read learns of its end by a write only
    const probe =
      source &&
      setInterval(() => {
        if (source.writable && source.writableLength === 0) source.write('');
      }, probeMs);
    const next = () => {
      clearInterval(probe);
      output.off('drain', next).off('close', next);
      source?.off('close', next);
      resolve();
    };
    output.on('drain', next).on('close', next);
    source?.on('close', next);
  });
}
