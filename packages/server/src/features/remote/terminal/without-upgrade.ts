import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { usualBodyBytes } from '@yunxun/contract';

/** Milliseconds for the body. */
const arriveWithin = 60_000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves a request that offers another protocol, such as h2c, as if it offered none (RFC 9110, section 7.8). Node hands
 * over all of them, without their bodies, once WebSockets are served.
 */
export function serveWithoutUpgrade(request: IncomingMessage, socket: Socket, head: Buffer, serve: Serve): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (request.headers['transfer-encoding'] !== undefined || !(length <= usualBodyBytes))
    return void socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const plain = new IncomingMessage(socket);
  Object.assign(plain, {
    method,
    url,
    headers,
    rawHeaders,
    httpVersion,
    httpVersionMajor,
    httpVersionMinor,
    complete: true,
  });
  const response = new ServerResponse(plain);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => socket.destroy(), arriveWithin);
  socket.once('close', () => clearTimeout(late));
  const add = (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes < length) return;
    clearTimeout(late);
    socket.off('data', add);
    plain.push(Buffer.concat(chunks).subarray(0, length));
    plain.push(null);
    serve(plain, response);
  };
  socket.on('data', add);
  add(head);
}
