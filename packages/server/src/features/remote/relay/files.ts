import type { Readable, Writable } from 'node:stream';
import { type RemoteDirectory, type RemoteFileEntry, remoteFileTypes, remoteLimits } from '@yunxun/contract/device';
import type { RemoteFileReason } from '@yunxun/contract/remote-terminal';

export interface FileSource {
  name: string;
  /** Bytes. */
  size: number;
  stream: Readable;
}

export interface FileTarget {
  /** Takes exactly the announced bytes, then its end; destroyed before, it leaves nothing on the device. */
  stream: Writable;
  /** Resolves once the device has the file; rejects once it has nothing. */
  kept: Promise<void>;
  /** Bytes that the device has not taken yet. */
  pending(): number;
}

/** Files of a device, with the rights of the person who signed in there. Each call throws FileRefused. */
export interface RemoteFiles {
  /** `path`: absolute, or empty for the home directory. */
  list(path: string): Promise<RemoteDirectory>;
  read(path: string): Promise<FileSource>;
  write(path: string, size: number, replace: boolean): Promise<FileTarget>;
}

export class FileRefused extends Error {
  override readonly name = 'FileRefused';

  constructor(
    readonly reason: RemoteFileReason,
    readonly detail: string | null = null,
  ) {
    super(detail ?? reason);
  }
}

export function refusingFiles(reason: RemoteFileReason): RemoteFiles {
  const refuse = () => Promise.reject(new FileRefused(reason));
  return { list: refuse, read: refuse, write: refuse };
}

/** Bytes of a listing as JSON: it travels between processes as one frame. */
const listingBytes = 768 * 1024;
const count = (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0);

/** Leaves out what no page can show or name. @throws FileRefused for no directory */
export function fittingDirectory(given: Partial<Record<keyof RemoteDirectory, unknown>>): RemoteDirectory {
  const { path, entries: all } = given;
  if (typeof path !== 'string' || !isPath(path) || !Array.isArray(all))
    throw new FileRefused('failed', 'not a directory');
  const entries: RemoteFileEntry[] = [];
  let bytes = 0;
  for (const { name, type, size, modified } of all as Partial<Record<keyof RemoteFileEntry, unknown>>[]) {
    if (typeof name !== 'string' || !isName(name)) continue;
    const isKnown = (remoteFileTypes as readonly unknown[]).includes(type);
    const entry = {
      name,
      type: isKnown ? (type as RemoteFileEntry['type']) : 'other',
      size: count(size),
      modified: count(modified),
    };
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes > listingBytes || entries.length >= remoteLimits.entries) return { path, entries, more: true };
    entries.push(entry);
  }
  return { path, entries, more: given.more === true };
}

const isName = (name: string) => name !== '' && name !== '.' && name !== '..' && !name.includes('/') && fits(name);
const fits = (text: string) => !text.includes('\0') && Buffer.byteLength(text) <= remoteLimits.pathBytes;
/** Absolute. */
export const isPath = (path: unknown): path is string => typeof path === 'string' && path.startsWith('/') && fits(path);
