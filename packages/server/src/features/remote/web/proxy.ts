import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createUnzip } from 'node:zlib';
import type { DeviceHttp } from './device-http.ts';
import { forBrowser, forDevice } from './headers.ts';
import type { OwnAddress } from './own-address.ts';

export interface Way {
  http: DeviceHttp;
  own: OwnAddress;
  /** Origins of the session. */
  page: string;
  frame: string;
  up(bytes: number): void;
  down(bytes: number): void;
  /** The device sends the browser to what is not this session. */
  leaves(request: IncomingMessage, response: ServerResponse, to: URL): void;
}

/** Milliseconds until a device must begin to answer. */
const answerWait = 120_000;
/** Their addresses are rewritten. */
const texts =
  /^(text\/(html|css|xml|javascript|ecmascript)|application\/(x-)?(javascript|ecmascript|json|xml|xhtml\+xml))\b/i;

export class Slow extends Error {
  override readonly name = 'Slow';
}

const counted = (count: (bytes: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count(chunk.length);
      done(null, chunk);
    },
  });

function send(request: IncomingMessage, { http, own, page }: Way, more: Record<string, string> = {}) {
  return ask({
    agent: http.agent,
    host: http.host,
    port: http.port,
    method: request.method,
    path: request.url,
    headers: { ...forDevice(request.headers, own, page), ...more },
  });
}

/** Answers a request of the browser with the device's answer. @throws Slow, or an error of the connection */
export async function proxy(request: IncomingMessage, response: ServerResponse, way: Way): Promise<void> {
  const outgoing = send(request, way);
  response.once('close', () => outgoing.destroy());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    const timer = setTimeout(() => outgoing.destroy(new Slow()), answerWait);
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    outgoing.on('error', reject);
  });
  way.up(request.rawHeaders.join('').length);
  // a device may answer before it has read all
  pipeline(request, counted(way.up), outgoing).catch(() => undefined);
  const answer = await answered;
  const to = elsewhere(answer, request.url ?? '/', way.own);
  if (to) {
    answer.destroy();
    return void way.leaves(request, response, to);
  }
  const { statusCode: status = 502, headers } = answer;
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  const isReadable = ['identity', 'gzip', 'x-gzip', 'deflate'].includes(encoding);
  const hasBody = request.method !== 'HEAD' && status !== 204 && status !== 304;
  const isRewritten = hasBody && status !== 206 && isReadable && texts.test(headers['content-type'] ?? '');
  response.removeHeader('cache-control');
  response.writeHead(
    status,
    answer.statusMessage,
    forBrowser(headers, way.own, { page: way.page, frame: way.frame, isRewritten }),
  );
  if (!hasBody) response.flushHeaders();
  const steps = !isRewritten ? [] : [...(encoding === 'identity' ? [] : [createUnzip()]), way.own.rewriting()];
  await pipeline([answer, counted(way.down), ...steps, response]);
}

/** @returns where a redirect leads, unless that is the device at its own port */
function elsewhere(answer: IncomingMessage, path: string, own: OwnAddress): URL | null {
  const { statusCode = 0, headers } = answer;
  const { location } = headers;
  if (statusCode < 300 || statusCode > 399 || location === undefined) return null;
  const from = path.startsWith('/') ? own.origin + path : own.origin;
  if (!URL.canParse(location, from)) return null;
  const to = new URL(location, from);
  return to.origin === own.origin ? null : to;
}

/** Joins a WebSocket of the page with one of the device. */
export function proxyUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, way: Way): void {
  const { upgrade = 'websocket' } = request.headers;
  const outgoing = send(request, way, { connection: 'Upgrade', upgrade });
  const fail = () => socket.destroy();
  let joined: Duplex | null = null;
  socket.once('close', () => {
    outgoing.destroy();
    joined?.destroy();
  });
  outgoing.on('error', fail);
  const timer = setTimeout(fail, answerWait);
  outgoing.once('close', () => clearTimeout(timer));
  outgoing.once('response', (answer) => {
    socket.end(`HTTP/1.1 ${answer.statusCode ?? 502} \r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    answer.destroy();
  });
  outgoing.once('upgrade', (answer, stream, first) => {
    clearTimeout(timer);
    const given = forBrowser(answer.headers, way.own, { page: way.page, frame: way.frame, isRewritten: false });
    const lines = Object.entries({ ...given, connection: 'Upgrade', upgrade }).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => `${name}: ${one}\r\n`),
    );
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
    if (first.length > 0) socket.write(first);
    if (head.length > 0) stream.write(head);
    joined = stream;
    stream.on('error', fail);
    stream.once('close', fail);
    pipeline(socket, counted(way.up), stream).catch(fail);
    pipeline(stream, counted(way.down), socket).catch(fail);
  });
  outgoing.end();
}
