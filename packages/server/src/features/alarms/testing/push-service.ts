import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '../../../platform/database/index.ts';

export interface PushRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface PushService {
  url: string;
  requests: PushRequest[];
  status: number;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    service.requests.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
    response.writeHead(service.status, service.headers).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const service: PushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    status: 201,
    headers: {},
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return service;
}

export interface TestBrowser {
  path: string;
  ecdh: ECDH;
  auth: Buffer;
  subscription: { endpoint: string; p256dh: string; auth: string };
}

export function subscribe({ url }: Pick<PushService, 'url'>): TestBrowser {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys().toString('base64url');
  const auth = randomBytes(16);
  const path = `/push/${newId()}`;
  return { path, ecdh, auth, subscription: { endpoint: url + path, p256dh, auth: auth.toString('base64url') } };
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Decrypts the one record of a message as a browser does (RFC 8188, RFC 8291). @throws for an altered one */
export function decrypt({ ecdh, auth }: TestBrowser, body: Buffer): unknown {
  const [salt, recordSize, idLength] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > recordSize) throw new Error('more than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // padding: zeros after the delimiter of the last record
  const end = plain.lastIndexOf(2);
  if (plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no delimiter of a last record');
  return JSON.parse(plain.subarray(0, end).toString());
}

export interface VapidClaims {
  aud: string;
  exp: number;
  sub: string;
}

/** Verifies the JWT of a request as a push service does (RFC 8292). @throws unless `publicKey` signed it */
export function vapidClaims({ headers }: PushRequest, publicKey: string): VapidClaims {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('another key than the subscription has');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  if (alg !== 'ES256') throw new Error(`algorithm ${alg}`);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const options = { key: verifier, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), options, Buffer.from(signature, 'base64url')))
    throw new Error('the signature does not fit');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as VapidClaims;
}
