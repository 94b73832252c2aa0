import type { Writable } from 'node:stream';

/** Resolves when it takes more, or nothing any longer. */
export function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const next = () => {
      output.off('drain', next).off('close', next);
      resolve();
    };
    if (output.destroyed) resolve();
    else output.on('drain', next).on('close', next);
  });
}
