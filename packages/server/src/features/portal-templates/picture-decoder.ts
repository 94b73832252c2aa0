import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type PictureSlot, portalTemplates } from '@yunxun/contract';
import { Failure, invalid } from '../../platform/failure.ts';

export interface DecodeWork {
  file: Uint8Array;
  /** Not bundled. */
  library: string;
  side: number;
  pixels: number;
  /** Pixels. */
  fit: number;
  timeoutSeconds: number;
}

type Refusal = 'pictureBroken' | 'pictureTrailing' | 'pictureSides' | 'pictureSlow';
export interface Decoded {
  bytes: Uint8Array;
  mime: string;
  width: number;
  height: number;
}
export type DecodeAnswer = Decoded | { refused: Refusal };

const { pictureLimits } = portalTemplates;
/** Maximum sides. */
const sides: Readonly<Record<PictureSlot, number>> = { logo: 512, background: 1600, carousel: 1280, countdown: 1280 };
const atOnce = 2;
const maxWaiting = 20;
const timeoutSeconds = 10;
const threadSeconds = timeoutSeconds + 5;

export type PictureDecoder = ReturnType<typeof createPictureDecoder>;

/** Uses a thread per picture, bounded in pixels and time. `worker`: bundled `picture-worker.ts`. */
export function createPictureDecoder(worker: string) {
  const waiting: (() => void)[] = [];
  let running = 0;
  let library: string | null = null;

  function run(file: Buffer, slot: PictureSlot): Promise<DecodeAnswer> {
    if (library === null) {
      const load = createRequire(import.meta.url);
      library = load.resolve('sharp');
      // shared libraries must outlive threads
      load('sharp');
    }
    const { side, pixels } = pictureLimits;
    const workerData: DecodeWork = { file, library, side, pixels, fit: sides[slot], timeoutSeconds };
    const thread = new Worker(worker, { workerData, name: 'picture', resourceLimits: { maxOldGenerationSizeMb: 64 } });
    return new Promise<DecodeAnswer>((settle) => {
      const late = setTimeout(() => settle({ refused: 'pictureSlow' }), threadSeconds * 1000);
      thread.once('message', settle);
      thread.once('error', () => settle({ refused: 'pictureBroken' }));
      thread.once('exit', () => {
        clearTimeout(late);
        settle({ refused: 'pictureBroken' });
      });
    }).finally(() => thread.terminate());
  }

  return {
    /** @throws Failure unavailable; Invalid beside `file` */
    async decode(file: Buffer, slot: PictureSlot): Promise<Decoded> {
      if (waiting.length >= maxWaiting) throw new Failure('unavailable');
      if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
      else running += 1;
      let answer: DecodeAnswer;
      try {
        answer = await run(file, slot);
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
      if (!('refused' in answer)) return answer;
      const { side, pixels } = pictureLimits;
      return invalid('file', `validation.${answer.refused}`, { side, pixels: pixels / 1_000_000 });
    },
  };
}
