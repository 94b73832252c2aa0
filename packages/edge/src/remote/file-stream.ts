import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { asCount, remoteFileStatuses, remoteHeaders, remoteLimits } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import { drained } from './drained.ts';
import { type FileAction, FileRefused, type FileRequest, noProgram, readFileAnswer, readFileRequest } from './file-request.ts';
import type { Terminal } from './terminal.ts';

/** RFC 9113, 7. */
const errorCodes = { none: 0, internal: 2 } as const;
/** Milliseconds without a byte. */
const idleMs = 30_000;
const lineBytes = 4096;
const { denied, tooLarge, unavailable } = remoteFileStatuses;

/** Answers one action on files of an open shell. */
export async function fileStream(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  way: string,
  files: NonNullable<Terminal['files']>,
  clock: Clock,
): Promise<void> {
  let action: FileAction | null = null;
  let reason: FileRefused | null = null;
  let cancel = () => {};
  let isAnswered = false;
  const end = (status: number, text: string) => {
    if (isAnswered) return;
    reason ??= new FileRefused(status, text);
    if (stream.headersSent) stream.close(errorCodes.internal);
    void action?.close();
  };
  const touch = () => {
    cancel();
    cancel = clock.after(idleMs, () => end(503, `no byte for ${idleMs / 1000} s`));
  };
  try {
    const request = requestOf(headers, way);
    action = await files(request);
    stream.once('close', () => void action?.close());
    if (stream.destroyed) return;
    touch();
    if (request.way === 'write') void forward(stream, action, request.size, touch).catch(() => end(400, wrongLength));
    await answer(stream, action.output, request, touch);
    isAnswered = true;
  } catch (error) {
    isAnswered = true;
    refuse(stream, reason ?? error);
  } finally {
    cancel();
    await action?.close();
  }
}

const wrongLength = 'not as many bytes as announced';

function requestOf(headers: IncomingHttpHeaders, way: string): FileRequest {
  const encoded = String(headers[remoteHeaders.path] ?? '');
  const path = Buffer.from(encoded, 'base64url');
  const size = way === 'write' ? asCount(headers[remoteHeaders.size]) : 0;
  if (size !== null && size > remoteLimits.fileBytes)
    throw new FileRefused(tooLarge, `more than ${remoteLimits.fileBytes} bytes`);
  const replace = headers[remoteHeaders.replace] === 'yes';
  const request = readFileRequest({ way, path: path.toString('utf8'), size, replace });
  // neither is read leniently
  const isExact = request !== null && Buffer.from(request.path).equals(path) && path.toString('base64url') === encoded;
  if (!isExact) throw new FileRefused(400, 'no absolute path in base64url, or no size');
  return request;
}

async function forward(
  stream: ServerHttp2Stream,
  { input }: FileAction,
  size: number,
  touch: () => void,
): Promise<void> {
  let left = size;
  for await (const part of stream.iterator({ destroyOnReturn: false })) {
    touch();
    left -= part.length;
    if (left < 0) break;
    if (!input.write(part)) await drained(input);
  }
  if (left !== 0) throw new Error(wrongLength);
}

async function answer(
  stream: ServerHttp2Stream,
  output: Readable,
  request: FileRequest,
  touch: () => void,
): Promise<void> {
  let head = Buffer.alloc(0);
  let left: number | null = null;
  for await (const part of output as AsyncIterable<Buffer>) {
    touch();
    let bytes = part;
    if (left === null) {
      head = Buffer.concat([head, part]);
      const at = head.indexOf(10);
      if (at < 0 && head.length < lineBytes) continue;
      left = begin(stream, head.toString('utf8', 0, Math.max(0, at)), request);
      bytes = head.subarray(at + 1);
    }
    bytes = bytes.subarray(0, left);
    left -= bytes.length;
    if (bytes.length > 0 && !stream.write(bytes)) await drained(stream);
    if (left === 0) return finish(stream);
  }
  if (left === null) throw new FileRefused(unavailable, 'no answer: the login unit of this box may be of an older version');
  throw new Error(wrongLength);
}

/** Returns how many bytes follow. */
function begin(stream: ServerHttp2Stream, line: string, { way }: FileRequest): number {
  const answered = readFileAnswer(line);
  if (answered === null) throw new FileRefused(denied, noProgram);
  if ('status' in answered) throw new FileRefused(answered.status, answered.reason);
  const size = way === 'write' ? 0 : answered.size;
  const type = way === 'list' ? 'application/json' : 'application/octet-stream';
  if (!stream.destroyed)
    stream.respond({ ':status': 200, 'content-type': type, ...(way === 'write' ? {} : { [remoteHeaders.size]: size }) });
  return size;
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed) return;
  // what was announced does not come
  if (stream.headersSent) return stream.close(errorCodes.internal);
  const status = error instanceof FileRefused ? error.status : 503;
  stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' });
  finish(stream, error instanceof Error ? error.message : String(error));
}

/** The client may leave its half open. */
function finish(stream: ServerHttp2Stream, text = ''): void {
  stream.end(text, () => stream.close(errorCodes.none));
}
