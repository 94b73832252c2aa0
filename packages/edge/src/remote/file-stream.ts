import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { asCount, remoteFileStatuses, remoteHeaders, remoteLimits } from '@yunxun/contract/device';
import type { Clock } from '../clock.ts';
import { drained } from './drained.ts';
import { refusal } from './file-action.ts';
import {
  type FileAction,
  type FileAnswer,
  FileRefused,
  type FileRequest,
  noProgram,
  readFileAnswer,
  readFileRequest,
} from './file-request.ts';
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
  terminal: Pick<Terminal, 'files' | 'output'>,
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
    action = (await terminal.files?.(request)) ?? refusal(404, 'no files here');
    stream.once('close', () => void action?.close());
    if (stream.destroyed) return;
    touch();
    if (request.way === 'write') void forward(stream, action, request.size, touch).catch(() => end(400, wrongLength));
    await answer(stream, action.output, request, touch);
    isAnswered = true;
  } catch (error) {
    isAnswered = true;
    const hasEnded = terminal.output.destroyed ? new FileRefused(503, 'the shell has ended') : null;
    refuse(stream, reason ?? hasEnded ?? error);
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

/** Ends with the action, so that the next finds its place free. */
async function answer(
  stream: ServerHttp2Stream,
  output: Readable,
  request: FileRequest,
  touch: () => void,
): Promise<void> {
  let head = Buffer.alloc(0);
  let answered: FileAnswer | null = null;
  let left = 0;
  for await (const part of output as AsyncIterable<Buffer>) {
    let bytes = part;
    if (answered === null) {
      head = Buffer.concat([head, part]);
      const at = head.indexOf(10);
      if (at < 0 && head.length < lineBytes) continue;
      answered = readFileAnswer(head.toString('utf8', 0, Math.max(0, at))) ?? { status: denied, reason: noProgram };
      if ('ok' in answered) left = begin(stream, answered.size, request);
      bytes = head.subarray(at + 1);
    }
    if (left === 0) continue;
    touch();
    bytes = bytes.subarray(0, left);
    left -= bytes.length;
    if (!stream.write(bytes)) await drained(stream);
  }
  if (answered === null)
    throw new FileRefused(unavailable, 'no answer: the login unit of this box may be of an older version');
  if ('status' in answered) throw new FileRefused(answered.status, answered.reason);
  if (left > 0) throw new Error(wrongLength);
  finish(stream);
}

/** Returns how many bytes follow. */
function begin(stream: ServerHttp2Stream, bytes: number, { way }: FileRequest): number {
  const size = way === 'write' ? 0 : bytes;
  const type = way === 'list' ? 'application/json' : 'application/octet-stream';
  if (!stream.destroyed)
    stream.respond({
      ':status': 200,
      'content-type': type,
      ...(way === 'write' ? {} : { [remoteHeaders.size]: size }),
    });
  return size;
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  if (stream.destroyed) return;
  // what was announced does not come
  if (stream.headersSent) {
    stream.close(errorCodes.internal);
    return;
  }
  const status = error instanceof FileRefused ? error.status : 503;
  stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' });
  finish(stream, error instanceof Error ? error.message : String(error));
}

/** The client may leave its half open. */
function finish(stream: ServerHttp2Stream, text = ''): void {
  stream.end(text, () => stream.close(errorCodes.none));
}
