import type { Slot } from './draft.ts';

/** Percent; 100 shows the largest fitting part. */
export interface Crop {
  zoom: number;
  left: number;
  top: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Shape {
  /** Pixels of the result at most. */
  width: number;
  height: number;
  /** False keeps the proportions of the file. */
  fixed: boolean;
  /** Bytes: target, and the server's limit (`pictureBytes`). */
  aim: number;
  max: number;
}

const megabytes = 2_097_152;
export const shapes: Readonly<Record<Slot, Shape>> = {
  logo: { width: 512, height: 256, fixed: false, aim: 40_000, max: megabytes },
  background: { width: 1080, height: 1920, fixed: true, aim: 300_000, max: megabytes },
  carousel: { width: 1280, height: 720, fixed: true, aim: 250_000, max: 512_000 },
  countdown: { width: 1080, height: 1440, fixed: true, aim: 300_000, max: megabytes },
};

export function boxOf({ width, height }: { width: number; height: number }, slot: Slot, crop: Crop): Box {
  const shape = shapes[slot];
  const ratio = shape.fixed ? shape.width / shape.height : width / height;
  const part = 100 / crop.zoom;
  const kept = {
    width: Math.min(width, height * ratio) * part,
    height: Math.min(height, width / ratio) * part,
  };
  return { ...kept, x: ((width - kept.width) * crop.left) / 100, y: ((height - kept.height) * crop.top) / 100 };
}

const qualities = [0.85, 0.75, 0.65, 0.55, 0.45];
const shrink = 0.8;
const smallest = 64;

/** Keeps a PNG while it is small enough. */
export async function compress(
  image: ImageBitmap,
  box: Box,
  slot: Slot,
  png: boolean,
): Promise<{ file: Blob; width: number; height: number }> {
  const { aim, ...shape } = shapes[slot];
  let scale = Math.min(1, shape.width / box.width, shape.height / box.height);
  for (;;) {
    const width = Math.max(1, Math.round(box.width * scale));
    const height = Math.max(1, Math.round(box.height * scale));
    if (png) {
      const file = await encoded(drawn(image, box, width, height, false), 'image/png');
      if (file.size <= aim) return { file, width, height };
    }
    const canvas = drawn(image, box, width, height, true);
    for (const quality of qualities) {
      const file = await encoded(canvas, 'image/jpeg', quality);
      if (file.size <= aim || Math.max(width, height) <= smallest) return { file, width, height };
    }
    scale *= shrink;
  }
}

/** `opaque`: white, because JPEG has no transparency. */
function drawn(image: ImageBitmap, box: Box, width: number, height: number, opaque: boolean): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  if (opaque) {
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(image, box.x, box.y, box.width, box.height, 0, 0, width, height);
  return canvas;
}

const encoded = (canvas: HTMLCanvasElement, type: string, quality?: number) =>
  new Promise<Blob>((done, fail) =>
    canvas.toBlob((file) => (file ? done(file) : fail(new Error('not encoded'))), type, quality),
  );
