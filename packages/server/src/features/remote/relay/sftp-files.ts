import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { type RemoteFileEntry, remoteLimits } from '@yunxun/contract/device';
import type { Attributes, Client, SFTPWrapper } from 'ssh2';
import { FileRefused, fittingDirectory, type RemoteFiles } from './files.ts';
import { answerOf, attributesOf, type Done, endOfFile } from './sftp-calls.ts';
import { SftpUpload } from './sftp-upload.ts';

/** Requests under way hide the distance to the host: 480 KiB. For more than 31,952 bytes, the library asks twice. */
const pieceBytes = 30 * 1024;
const piecesAhead = 16;
const linksAtOnce = 32;

const partForm = /^\.yunxun-[0-9a-f]{16}\.part$/;
/** Seconds. */
const partKept = 3600;
const maxParts = 100;

const kindOf = ({ mode }: Attributes) => mode & constants.S_IFMT;
const types: Readonly<Record<number, RemoteFileEntry['type']>> = {
  [constants.S_IFREG]: 'file',
  [constants.S_IFDIR]: 'directory',
  [constants.S_IFLNK]: 'link',
};

/** By a channel of its own on the connection that has signed in. */
export function sftpFiles(client: Client): RemoteFiles {
  let opened: Promise<SFTPWrapper> | null = null;
  const open = () => {
    opened ??= openChannel(client, () => {
      opened = null;
    });
    return opened;
  };
  return {
    async list(path) {
      const sftp = await open();
      const at = await answerOf<string>((done) => sftp.realpath(path === '' ? '.' : path, done));
      const attributes = await answerOf<Attributes>((done) => sftp.stat(at, done));
      if (kindOf(attributes) !== constants.S_IFDIR) throw new FileRefused('other_kind');
      const { entries, more } = await readDirectory(sftp, at);
      await followLinks(sftp, at, entries);
      return fittingDirectory({ path: at, entries, more });
    },
    async read(path) {
      const sftp = await open();
      requirePlain(await answerOf<Attributes>((done) => sftp.stat(path, done)));
      const handle = await answerOf<Buffer>((done) => sftp.open(path, 'r', done));
      try {
        const { size } = requirePlain(await answerOf<Attributes>((done) => sftp.fstat(handle, done)));
        return { name: posix.basename(path), size, stream: Readable.from(pieces(sftp, handle, size)) };
      } catch (error) {
        sftp.close(handle, () => undefined);
        throw error;
      }
    },
    async write(path, size, replace) {
      const sftp = await open();
      const old = await attributesOf(sftp, path);
      if (old && kindOf(old) !== constants.S_IFREG) throw new FileRefused('other_kind');
      if (old && !replace) throw new FileRefused('exists');
      // a link stays one
      const to = old ? await answerOf<string>((done) => sftp.realpath(path, done)) : path;
      const folder = posix.dirname(to);
      const part = posix.join(folder, `.yunxun-${randomBytes(8).toString('hex')}.part`);
      const mode = old && old.mode & 0o777;
      const handle = await answerOf<Buffer>((done) =>
        mode === null ? sftp.open(part, 'wx', done) : sftp.open(part, 'wx', mode, done),
      );
      void removeOldParts(sftp, folder, handle).catch(() => undefined);
      const stream = new SftpUpload(sftp, handle, { part, to, mode, size });
      return { stream, kept: stream.kept, pending: () => stream.pending };
    },
  };
}

function openChannel(client: Client, closed: () => void): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      closed();
      reject(new FileRefused('none', error.message.slice(0, 200)));
    };
    try {
      client.sftp((error, sftp) => {
        if (error) return fail(error);
        sftp.on('error', closed);
        sftp.once('close', closed);
        resolve(sftp);
      });
    } catch (error) {
      fail(error as Error);
    }
  });
}

/** @throws FileRefused */
function requirePlain(attributes: Attributes): Attributes {
  if (kindOf(attributes) !== constants.S_IFREG) throw new FileRefused('other_kind');
  if (attributes.size > remoteLimits.fileBytes) throw new FileRefused('too_large');
  return attributes;
}

interface Listed {
  filename: string;
  attrs: Attributes;
}

/** `full`: the library's own filter throws on an answer without names. */
interface Listing {
  readdir(handle: Buffer, options: { full: true }, done: Done<Listed[] | undefined>): void;
}

async function readDirectory(sftp: SFTPWrapper, path: string) {
  const handle = await answerOf<Buffer>((done) => sftp.opendir(path, done));
  const entries: RemoteFileEntry[] = [];
  try {
    while (entries.length <= remoteLimits.entries) {
      const names = await answerOf<Listed[] | null>((done) =>
        (sftp as unknown as Listing).readdir(handle, { full: true }, (error, list) => {
          const isOver = (error as { code?: unknown } | null)?.code === endOfFile;
          done(isOver ? null : error, isOver || !Array.isArray(list) ? null : list);
        }),
      );
      if (names === null || names.length === 0) return { entries, more: false };
      for (const { filename: name, attrs } of names)
        if (name !== '.' && name !== '..')
          entries.push({ name, type: types[kindOf(attrs)] ?? 'other', size: attrs.size, modified: attrs.mtime });
    }
    return { entries: entries.slice(0, remoteLimits.entries), more: true };
  } finally {
    sftp.close(handle, () => undefined);
  }
}

/** An upload whose connection broke leaves its part. `fresh` is a new file: its time is the host's. */
async function removeOldParts(sftp: SFTPWrapper, folder: string, fresh: Buffer): Promise<void> {
  const { mtime } = await answerOf<Attributes>((done) => sftp.fstat(fresh, done));
  const { entries } = await readDirectory(sftp, folder);
  const old = entries.filter(
    ({ name, type, modified }) => type === 'file' && partForm.test(name) && modified < mtime - partKept,
  );
  for (const { name } of old.slice(0, maxParts))
    await answerOf((done) => sftp.unlink(posix.join(folder, name), done)).catch(() => undefined);
}

/** Gives links the size of what they lead to. */
async function followLinks(sftp: SFTPWrapper, path: string, entries: readonly RemoteFileEntry[]): Promise<void> {
  const links = entries.filter(({ type }) => type === 'link');
  for (let at = 0; at < links.length; at += linksAtOnce) {
    const some = links.slice(at, at + linksAtOnce).map(async (link) => {
      const to = await answerOf<Attributes>((done) => sftp.stat(posix.join(path, link.name), done)).catch(() => null);
      link.size = to?.size ?? 0;
    });
    await Promise.all(some);
  }
}

/** @throws FileRefused `changed` for a file that has become shorter */
async function* pieces(sftp: SFTPWrapper, handle: Buffer, size: number): AsyncGenerator<Buffer> {
  const ahead: Promise<Buffer>[] = [];
  let asked = 0;
  try {
    while (asked < size || ahead.length > 0) {
      while (asked < size && ahead.length < piecesAhead) {
        const piece = readPiece(sftp, handle, asked, Math.min(pieceBytes, size - asked));
        piece.catch(() => undefined);
        ahead.push(piece);
        asked += pieceBytes;
      }
      yield await ahead.shift()!;
    }
  } finally {
    sftp.close(handle, () => undefined);
  }
}

async function readPiece(sftp: SFTPWrapper, handle: Buffer, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const bytes = await answerOf<number>((done) =>
      sftp.read(handle, piece, filled, length - filled, position + filled, done),
    );
    if (!(bytes > 0)) throw new FileRefused('changed');
    filled += bytes;
  }
  return piece;
}
