import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type PluginRelease, pluginSignedText } from '@yunxun/contract/device';

/** Packs a gzip tar (POSIX ustar) without times or owners, so equal files pack equally. */
export function packArchive(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content);
    return [headerOf(path, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]));
}

export function headerOf(path: string, size: number, kind = '0'): Buffer {
  const head = Buffer.alloc(512);
  const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');
  head.write(path, 0, 100);
  head.write(octal(0o644, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(size, 12), 124);
  head.write(octal(0, 12), 136);
  head.write('        ', 148);
  head.write(kind, 156);
  head.write('ustar\u000000', 257);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** Makes an Ed25519 key: private as PEM, public for the console (SPKI, base64). */
export function makeKey(): { pem: string; key: string } {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, key: publicKeyOf(pem) };
}

export function publicKeyOf(pem: string): string {
  return createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' }).toString('base64');
}

export function signRelease(
  bytes: Buffer,
  named: Pick<PluginRelease, 'id' | 'version' | 'arch'>,
  pem: string,
): PluginRelease & { signature: string } {
  const release = { ...named, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  const signature = sign(null, Buffer.from(pluginSignedText(release)), createPrivateKey(pem)).toString('base64');
  return { ...release, signature };
}

interface Source {
  id: string;
  arch: string;
  min_agent: string;
}

/** Builds a catalogue of the plugins in `folders`: `catalogue.json` and a signed package for each. */
export function buildCatalogue(
  folders: readonly string[],
  publisher: string,
  pem: string,
): Record<string, string | Buffer> {
  const packages: Record<string, Buffer> = {};
  const plugins = folders.map((folder) => {
    const { arch, min_agent, ...entry } = JSON.parse(readFileSync(join(folder, 'entry.json'), 'utf8')) as Source;
    const names = readdirSync(folder).filter((name) => name !== 'entry.json');
    const bytes = packArchive(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])));
    const { version } = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as { version: string };
    const { size, sha256, signature } = signRelease(bytes, { id: entry.id, version, arch }, pem);
    const file = `packages/${entry.id}-${version}-${arch}.tar.gz`;
    packages[file] = bytes;
    return { ...entry, versions: [{ version, arch, min_agent, file, size, sha256, signature }] };
  });
  const catalogue = { format: 1, publisher: { name: publisher, key: publicKeyOf(pem) }, plugins };
  return { 'catalogue.json': JSON.stringify(catalogue, null, 2), ...packages };
}
