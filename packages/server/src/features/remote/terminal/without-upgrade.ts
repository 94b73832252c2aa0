import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { usualBodyBytes } from '@yunxun/contract';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves a request that offers another protocol, such as h2c, as if it offered none (RFC 9110, section 7.8). Node hands
 * over all of them once somebody listens for WebSockets, without their bodies.
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
  response.once('finish', () => socket.end());
  let body = head;
  const take = () => {
    if (body.length < length) return;
    socket.off('data', add);
    plain.push(body.subarray(0, length));
    plain.push(null);
    serve(plain, response);
  };
  const add = (chunk: Buffer) => {
    body = Buffer.concat([body, chunk]);
    take();
  };
  socket.on('data', add);
  take();
}
