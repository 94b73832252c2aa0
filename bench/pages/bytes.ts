import { get } from 'node:http';

const sizes = new Map<string, Promise<number>>();

export function gzipBytes(url: string): Promise<number> {
  const known = sizes.get(url);
  if (known) return known;
  const asked = new Promise<number>((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: HTTP ${response.statusCode}`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once('end', () => resolve(bytes));
    }).once('error', reject);
  });
  sizes.set(url, asked);
  return asked;
}
