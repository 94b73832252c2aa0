import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, opendir, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type RemoteDirectory, type RemoteFileEntry, remoteFileStatuses, remoteLimits } from '@yunxun/contract/device';
import { answerLine, FileRefused, type FileRequest, readFileRequest } from './file-request.ts';

const { denied, notFound, exists, tooLarge, otherKind, full } = remoteFileStatuses;

const statuses: Readonly<Record<string, number>> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: denied,
  ENOENT: notFound,
  EEXIST: exists,
  EFBIG: tooLarge,
  ENOTDIR: otherKind,
  EISDIR: otherKind,
  ELOOP: otherKind,
  ENXIO: otherKind,
  ENOSPC: full,
  EDQUOT: full,
};
/** Of file systems without hard links. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];
/** Bytes. Keeps the last wait short. */
const syncEvery = 8 * 1024 * 1024;
const pieceBytes = 64 * 1024;
const lineBytes = 8192;

/** What a person asked for, with that person's rights: a line of JSON and bytes in, `FileAnswer` and bytes out. */
export async function actOnFile(input: Readable, output: Writable): Promise<void> {
  let broken = false;
  // of the other end, which is gone
  output.on('error', () => input.destroy());
  process.once('SIGTERM', () => {
    broken = true;
    input.destroy();
  });
  try {
    const source = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const { request, rest } = await readHead(source);
    const path = posix.resolve(request.path);
    if (request.way === 'list') await send(output, Buffer.from(JSON.stringify(await listing(path))));
    else if (request.way === 'read') await read(path, output);
    else {
      await write(path, request, bytesOf(rest, source, request.size), () => broken);
      output.write(answerLine({ ok: true, size: 0 }));
    }
  } catch (error) {
    output.write(answerLine(refusalOf(error)));
  }
  await new Promise<void>((done) => output.write('', () => done()));
}

function refusalOf(error: unknown): { status: number; reason: string } {
  if (error instanceof FileRefused) return { status: error.status, reason: error.message };
  const { code = '', message = 'failed' } = error as NodeJS.ErrnoException;
  return { status: statuses[code] ?? 500, reason: message.split(',')[0]! };
}

async function readHead(source: AsyncIterator<Buffer>): Promise<{ request: FileRequest; rest: Buffer }> {
  let head = Buffer.alloc(0);
  while (!head.includes(10)) {
    const { value, done } = await source.next();
    if (done === true || head.length > lineBytes) throw new FileRefused(400, 'no request');
    head = Buffer.concat([head, value]);
  }
  const end = head.indexOf(10);
  const request = readFileRequest(JSON.parse(head.toString('utf8', 0, end)));
  if (request === null) throw new FileRefused(400, 'not a request');
  return { request, rest: head.subarray(end + 1) };
}

async function* bytesOf(rest: Buffer, source: AsyncIterator<Buffer>, size: number): AsyncGenerator<Buffer> {
  let left = size;
  for (let part = rest; ; ) {
    if (part.length > left) throw new FileRefused(400, 'more bytes than announced');
    left -= part.length;
    yield part;
    if (left === 0) return;
    const { value, done } = await source.next();
    if (done === true) throw new FileRefused(400, 'fewer bytes than announced');
    part = value;
  }
}

async function send(output: Writable, bytes: Buffer): Promise<void> {
  output.write(answerLine({ ok: true, size: bytes.length }));
  if (!output.write(bytes)) await once(output, 'drain');
}

function mustBeFile(found: Stats): void {
  if (!found.isFile()) throw new FileRefused(otherKind, 'not a plain file');
}

async function read(path: string, output: Writable): Promise<void> {
  // opening a device may act on it
  mustBeFile(await stat(path));
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const found = await file.stat();
    mustBeFile(found);
    if (found.size > remoteLimits.fileBytes) throw new FileRefused(tooLarge, `${found.size} bytes`);
    output.write(answerLine({ ok: true, size: found.size }));
    let left = found.size;
    while (left > 0) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(pieceBytes, left)), 0);
      // the length of the answer says the rest
      if (bytesRead === 0) return;
      left -= bytesRead;
      if (!output.write(buffer.subarray(0, bytesRead))) await once(output, 'drain');
    }
  } finally {
    await file.close();
  }
}

async function listing(path: string): Promise<RemoteDirectory> {
  const names: string[] = [];
  let more = false;
  for await (const { name } of await opendir(path)) {
    // a name that is not UTF-8
    if (name.includes('\ufffd')) continue;
    more = names.length === remoteLimits.entries;
    if (more) break;
    names.push(name);
  }
  const found = await Promise.all(names.map((name) => entryOf(path, name)));
  const entries = found.filter((entry) => entry !== null).toSorted(compare);
  return { path, entries, more };
}

function compare(one: RemoteFileEntry, other: RemoteFileEntry): number {
  const rank = Number(other.type === 'directory') - Number(one.type === 'directory');
  return rank || (one.name < other.name ? -1 : 1);
}

async function entryOf(folder: string, name: string): Promise<RemoteFileEntry | null> {
  const path = join(folder, name);
  try {
    const own = await lstat(path);
    const target = own.isSymbolicLink() ? await stat(path).catch(() => null) : own;
    const type = own.isFile() ? 'file' : own.isDirectory() ? 'directory' : own.isSymbolicLink() ? 'link' : 'other';
    const modified = Math.max(0, Math.floor(own.mtimeMs / 1000));
    return { name, type, size: target?.isFile() ? target.size : 0, modified };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    // a directory that may be read but not entered
    return { name, type: 'other', size: 0, modified: 0 };
  }
}

async function write(
  asked: string,
  { replace }: FileRequest,
  bytes: AsyncIterable<Buffer>,
  isBroken: () => boolean,
): Promise<void> {
  const before = await lstatOrNull(asked);
  if (before !== null && !replace) throw new FileRefused(exists, `${basename(asked)} exists`);
  // a link stays one
  const path = before === null ? asked : await realpath(asked);
  const replaced = before === null ? null : await stat(path);
  if (replaced !== null) mustBeFile(replaced);
  const part = join(dirname(path), `.yunxun-${randomBytes(8).toString('hex')}`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(part, flags, 0o600);
  try {
    await keep(file, bytes, replaced);
    if (isBroken()) throw new FileRefused(400, 'cut off');
    if (replace) await rename(part, path);
    else await put(part, path);
  } catch (error) {
    await unlink(part).catch(() => {});
    throw error;
  }
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function keep(file: FileHandle, bytes: AsyncIterable<Buffer>, replaced: Stats | null): Promise<void> {
  try {
    let unsynced = 0;
    for await (const part of bytes) {
      await file.writeFile(part);
      unsynced += part.length;
      if (unsynced < syncEvery) continue;
      await file.datasync();
      unsynced = 0;
    }
    // neither is possible everywhere
    if (replaced !== null) await file.chown(replaced.uid, replaced.gid).catch(() => {});
    const mode = replaced === null ? 0o666 & ~process.umask() : replaced.mode & 0o777;
    await file.chmod(mode).catch(() => {});
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Never over a file that came meanwhile. */
async function put(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
    await unlink(part);
  } catch (error) {
    if (!noLinks.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    const place = await open(path, 'wx', 0o600);
    await place.close();
    try {
      await rename(part, path);
    } catch (failed) {
      await unlink(path).catch(() => {});
      throw failed;
    }
  }
}
