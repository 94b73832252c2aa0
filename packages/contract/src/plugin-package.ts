import { createHash, createPublicKey, verify } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  type PackageRefusal,
  type PluginRelease,
  pluginForms,
  pluginLimits,
  pluginSignedText,
} from './device/index.ts';

export interface PluginManifest {
  id: string;
  version: string;
  /** JavaScript module that the agent runs. */
  main: string;
}

export interface PluginPackage {
  manifest: PluginManifest;
  /** Relative paths without `..`. */
  files: ReadonlyMap<string, Buffer>;
}

export class PackageRefused extends Error {
  constructor(readonly reason: PackageRefusal) {
    super(reason);
  }
}

/** Reads an Ed25519 public key (SPKI, base64); null for anything else. */
export function readPluginKey(key: string) {
  try {
    const read = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return read.asymmetricKeyType === 'ed25519' ? read : null;
  } catch {
    return null;
  }
}

/**
 * Verifies size, digest and signature, and unpacks in memory.
 * @throws PackageRefused
 */
export function openPluginPackage(
  bytes: Buffer,
  release: PluginRelease,
  signed: { signature: string; key: string },
): PluginPackage {
  if (bytes.length !== release.size || bytes.length > pluginLimits.package) throw new PackageRefused('size');
  if (createHash('sha256').update(bytes).digest('hex') !== release.sha256) throw new PackageRefused('hash');
  const key = readPluginKey(signed.key);
  const signature = Buffer.from(signed.signature, 'base64');
  if (!key || !verify(null, Buffer.from(pluginSignedText(release)), key, signature))
    throw new PackageRefused('signature');
  const files = readArchive(bytes, pluginLimits);
  const manifest = readManifest(files);
  if (manifest?.id !== release.id || manifest.version !== release.version) throw new PackageRefused('manifest');
  return { manifest, files };
}

function readManifest(files: ReadonlyMap<string, Buffer>): PluginManifest | null {
  try {
    const { id, version, main } = JSON.parse(files.get('plugin.json')?.toString('utf8') ?? '') as PluginManifest;
    if (!pluginForms.id.test(id) || !pluginForms.version.test(version) || !files.has(main)) return null;
    return { id, version, main };
  } catch {
    return null;
  }
}

/**
 * Unpacks gzip tar (POSIX ustar) in memory.
 * @throws PackageRefused `path` for links, special files and escaping paths; else `archive`
 */
export function readArchive(bytes: Buffer, limits: { unpacked: number; files: number }): ReadonlyMap<string, Buffer> {
  let tar: Buffer;
  try {
    tar = gunzipSync(bytes, { maxOutputLength: limits.unpacked });
  } catch {
    throw new PackageRefused('archive');
  }
  const files = new Map<string, Buffer>();
  for (let at = 0; at + block <= tar.length; ) {
    const head = tar.subarray(at, at + block);
    if (head.every((byte) => byte === 0)) return files;
    const size = Number.parseInt(textIn(head, 124, 12), 8);
    if (!isSummed(head) || !Number.isSafeInteger(size) || at + block + size > tar.length)
      throw new PackageRefused('archive');
    const kind = head[156];
    const prefix = textIn(head, 345, 155);
    const path = `${prefix === '' ? '' : `${prefix}/`}${textIn(head, 0, 100)}`.replace(/^\.\//, '');
    if (kind === 0 || kind === 0x30) {
      if (!isInside(path) || files.has(path)) throw new PackageRefused('path');
      files.set(path, tar.subarray(at + block, at + block + size));
      if (files.size > limits.files) throw new PackageRefused('archive');
    } else if (kind !== 0x35) throw new PackageRefused('path');
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

const block = 512;

function textIn(head: Buffer, from: number, length: number): string {
  return head
    .subarray(from, from + length)
    .toString('utf8')
    .replace(/\0[\s\S]*$/, '')
    .trim();
}

function isSummed(head: Buffer): boolean {
  const sum = head.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  return sum === Number.parseInt(textIn(head, 148, 8), 8);
}

function isInside(path: string): boolean {
  return /^[\w.-]+(\/[\w.-]+)*$/.test(path) && path.split('/').every((part) => part !== '..' && part !== '.');
}
