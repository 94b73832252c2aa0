import type { Input } from '../../app/api.ts';
import { call } from '../../app/client.ts';
import { base64Of } from '../../ui/base64-of.ts';

/** Chunk size and maximum image size in bytes (contract: `firmwareLimits`). */
const partBytes = 1024 * 1024;
export const maxBytes = 256 * 1024 * 1024;

interface Given {
  version: string;
  models: string[];
  signature: string;
  sha256: string;
}

/** Adds an image; uploads a file in chunks. `progress` receives percent. */
export async function addImage(
  given: Given & ({ uri: string } | { file: File }),
  progress: (percent: number) => void,
): Promise<void> {
  const { version, models, sha256, signature } = given;
  const image: Omit<Input<'/api/v3/firmware/image/create'>, 'name'> = {
    version,
    models,
    sha256,
    ...(signature && { signature }),
  };
  if ('uri' in given) {
    const name = fileNameOf(new URL(given.uri).pathname.split('/').at(-1) ?? '');
    await call('/api/v3/firmware/image/create', { ...image, name, uri: given.uri });
    return;
  }
  const { file } = given;
  const { id } = await call('/api/v3/firmware/image/create', {
    ...image,
    name: fileNameOf(file.name),
    size: file.size,
  });
  for (let part = 0; part * partBytes < file.size; part += 1) {
    progress(Math.floor((part * partBytes * 100) / file.size));
    const data = await base64Of(file.slice(part * partBytes, (part + 1) * partBytes));
    await call('/api/v3/firmware/image/part', { id, part, data });
  }
  progress(100);
  try {
    await call('/api/v3/firmware/image/finish', { id });
  } catch (error) {
    // an image that fails its check must not stay
    await call('/api/v3/firmware/image/delete', { ids: [id] });
    throw error;
  }
}

export function fileNameOf(name: string): string {
  const clean = name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[^A-Za-z0-9]+/, '');
  return clean.slice(-100) || 'image.bin';
}

/** Returns a file's SHA-256 in hexadecimal; only secure origins can compute it. */
export async function checksumOf(file: File): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
