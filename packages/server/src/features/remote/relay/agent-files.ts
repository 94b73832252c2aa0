import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import { posix } from 'node:path';
import { Writable } from 'node:stream';
import {
  asRecord,
  type RemoteDirectory,
  type RemoteFileWay,
  remoteFilePath,
  remoteFileStatuses,
  remoteHeaders,
  remoteLimits,
} from '@yunxun/contract/device';
import type { RemoteFileReason } from '@yunxun/contract/remote-terminal';
import { FileRefused, fittingDirectory, type RemoteFiles } from './files.ts';

const reasons: Readonly<Record<number, RemoteFileReason>> = {
  [remoteFileStatuses.notSignedIn]: 'not_signed_in',
  [remoteFileStatuses.denied]: 'denied',
  [remoteFileStatuses.notFound]: 'not_found',
  [remoteFileStatuses.exists]: 'exists',
  [remoteFileStatuses.tooLarge]: 'too_large',
  [remoteFileStatuses.otherKind]: 'other_kind',
  [remoteFileStatuses.unavailable]: 'unavailable',
  [remoteFileStatuses.full]: 'full',
};
/** Bytes. */
const limits = { listing: 4 * 1024 * 1024, detail: 200 } as const;
/** Milliseconds without a frame. */
const answerWait = 30_000;

/** Files of the person who signed in at a shell of an agent, by HTTP/2. */
export function agentFiles(session: ClientHttp2Session, shell: string): RemoteFiles {
  const ask = (way: RemoteFileWay, path: string, more: Record<string, string> = {}, endStream = true) => {
    if (session.closed || session.destroyed) throw new FileRefused('ended');
    const headers = { [remoteHeaders.path]: Buffer.from(path).toString('base64url'), ...more };
    const stream = session.request(
      { ':method': 'POST', ':path': remoteFilePath(shell, way), ...headers },
      { endStream },
    );
    stream.setTimeout(answerWait, () => stream.close(constants.NGHTTP2_CANCEL));
    return stream.on('error', () => undefined);
  };
  return {
    async list(path) {
      const stream = ask('list', path);
      await answered(stream);
      return fittingDirectory(asRecord<RemoteDirectory>(parsed(await bodyOf(stream))));
    },
    async read(path) {
      const stream = ask('read', path);
      const size = Number((await answered(stream))[remoteHeaders.size]);
      // the page may be slow
      stream.setTimeout(0);
      const isRight = Number.isSafeInteger(size) && size >= 0;
      if (isRight && size <= remoteLimits.fileBytes) return { name: posix.basename(path), size, stream };
      stream.close(constants.NGHTTP2_CANCEL);
      throw isRight ? new FileRefused('too_large') : new FileRefused('failed', 'no size');
    },
    async write(path, size, replace) {
      const headers = { [remoteHeaders.size]: String(size), [remoteHeaders.replace]: replace ? 'yes' : 'no' };
      const request = ask('write', path, headers, false);
      request.setTimeout(0);
      const kept = answered(request).then(() => void request.resume());
      const stream = uploadOf(request);
      return { stream, kept, pending: () => stream.writableLength + request.writableLength };
    },
  };
}

/** Destroyed before the agent's answer, it is cancelled: its end must not look like that of a whole file. */
function uploadOf(request: ClientHttp2Stream): Writable {
  return new Writable({
    autoDestroy: false,
    write: (chunk: Buffer, _encoding, done) => void (request.writable ? request.write(chunk, () => done()) : done()),
    final: (done) => void (request.writable ? request.end(() => done()) : done()),
    destroy(error, done) {
      if (!request.closed) request.close(constants.NGHTTP2_CANCEL);
      done(error);
    },
  });
}

/** @throws FileRefused for one that is cut off, or too long */
async function bodyOf(stream: ClientHttp2Stream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limits.listing) break;
      chunks.push(chunk);
    }
  } catch {
    bytes = Number.POSITIVE_INFINITY;
  }
  if (bytes > limits.listing) throw new FileRefused('failed', 'no whole answer');
  return Buffer.concat(chunks).toString();
}

/** @throws FileRefused with the agent's words */
function answered(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const fail = (reason: RemoteFileReason, detail: string | null) => {
      stream.close();
      reject(new FileRefused(reason, detail));
    };
    stream.once('error', (error) => fail('failed', error.message.slice(0, limits.detail)));
    stream.once('close', () => fail('failed', null));
    stream.once('response', (headers) => {
      const status = headers[':status'] ?? 0;
      if (status >= 200 && status < 300) return void resolve(headers);
      let detail = '';
      stream.on('data', (chunk: Buffer) => {
        detail = (detail + chunk.toString()).slice(0, limits.detail);
      });
      stream.once('end', () => fail(reasons[status] ?? 'failed', detail || null));
    });
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
