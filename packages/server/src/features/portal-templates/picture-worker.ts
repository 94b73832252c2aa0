import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { DecodeAnswer, DecodeWork } from './picture-decoder.ts';
import { endOfPicture } from './picture-end.ts';

const { file, library, side, pixels, fit, timeoutSeconds } = workerData as DecodeWork;

async function decode(): Promise<DecodeAnswer> {
  const sharp = createRequire(library)(library) as typeof import('sharp').default;
  sharp.concurrency(1);
  sharp.cache(false);
  const given = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const end = endOfPicture(given);
  if (end === null) return { refused: 'pictureBroken' };
  if (end < given.length) return { refused: 'pictureTrailing' };
  const head = await sharp(given, { animated: true, limitInputPixels: false }).metadata();
  const frames = head.pages ?? 1;
  const height = head.pageHeight ?? head.height;
  if (head.width > side || height > side || head.width * height * frames > pixels) return { refused: 'pictureSides' };
  // writes no input metadata; orientation first
  const image = sharp(given, { animated: frames > 1, limitInputPixels: pixels, failOn: 'warning' })
    .timeout({ seconds: timeoutSeconds })
    .autoOrient()
    .resize({ width: fit, height: fit, fit: 'inside', withoutEnlargement: true });
  const encoded =
    head.format === 'gif'
      ? image.gif()
      : head.format === 'png'
        ? image.png({ compressionLevel: 9 })
        : image.jpeg({ quality: 82, mozjpeg: true });
  const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
  return { bytes: data, mime: `image/${head.format}`, width: info.width, height: info.pageHeight ?? info.height };
}

decode().then(
  (answer) => parentPort?.postMessage(answer),
  (error: Error) =>
    parentPort?.postMessage({ refused: /timeout/i.test(error.message) ? 'pictureSlow' : 'pictureBroken' }),
);
