import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeKey } from '../../../test/conformance/peer/identity.ts';
import { silentLog } from '../../platform/log.ts';
import { lineOf } from './first-bytes.ts';
import { createGuestServer } from './guest-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'yunxun-guests-'));
const tls = { certFile: join(folder, 'tls.pem'), keyFile: join(folder, 'tls.key') };
const key = makeKey();
writeFileSync(tls.certFile, makeCertificate({ commonName: 'guests', key }));
writeFileSync(tls.keyFile, key.keyPem);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(port: number, text: string) {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(text));
  const seen = { secure: false, text: '', closed: false };
  socket.on('secureConnect', () => Object.assign(seen, { secure: true }));
  socket.on('data', (data) => Object.assign(seen, { text: seen.text + data.toString() }));
  socket.on('error', () => undefined);
  socket.on('close', () => Object.assign(seen, { closed: true }));
  return seen;
}

it('answers over TLS, ends connections that never send a request, and closes with open ones', async () => {
  const options = { log: silentLog(), tls, trustedProxies: [], limitFactor: 1 };
  const hasty = await createGuestServer({ ...options, arriveWithinMs: 300 });
  const patient = await createGuestServer(options);
  await Promise.all([hasty.listen({ port: 0, host: '127.0.0.1' }), patient.listen({ port: 0, host: '127.0.0.1' })]);
  const portOf = ({ server }: typeof hasty) => (server.address() as AddressInfo).port;
  const [silent, half] = [open(portOf(hasty), ''), open(portOf(hasty), 'GET /healthz HTTP/1.1\r\nhost: a')];
  await expect.poll(() => [silent.closed, half.closed]).toEqual([true, true]);
  const served = open(portOf(patient), 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => served.text).toContain('alive');
  const idle = open(portOf(patient), '');
  await expect.poll(() => idle.secure).toBe(true);
  await Promise.all([hasty.close(), patient.close()]);
  await expect.poll(() => idle.closed).toBe(true);
});

describe('the line of a gateway', () => {
  async function serve() {
    const app = await createGuestServer({ log: silentLog(), tls, trustedProxies: [], limitFactor: 1 });
    app.get('/line', async (request) => lineOf(request.raw.socket) ?? 'none');
    await app.listen({ port: 0, host: '0.0.0.0' });
    return { app, port: (app.server.address() as AddressInfo).port };
  }
  const ask = (socket: Socket, line: string) => {
    socket.on('error', () => undefined);
    socket.write(line);
    const secure = connect({ socket, rejectUnauthorized: false });
    const seen = { text: '', closed: false };
    secure.on('error', () => undefined);
    secure.on('data', (data) => Object.assign(seen, { text: seen.text + data.toString() }));
    socket.on('close', () => Object.assign(seen, { closed: true }));
    secure.write('GET /line HTTP/1.1\r\nhost: a\r\n\r\n');
    return seen;
  };

  it('stays with its connection, where another has the same address and port of the client', async () => {
    const { app, port } = await serve();
    const localAddress = '127.0.0.1';
    const first = connectPlain({ port, host: '127.0.0.1', localAddress });
    await once(first, 'connect');
    const second = connectPlain({ port, host: '127.0.0.2', localAddress, localPort: first.localPort! });
    await once(second, 'connect');
    const named = ask(first, 'YUNXUN one\n');
    await expect.poll(() => named.text).toContain('YUNXUN one');
    const direct = ask(second, '');
    await expect.poll(() => direct.text).toMatch(/\r\n\r\nnone$/);
    await app.close();
  });

  it('has a limit of size, wherever it ends', async () => {
    const { app, port } = await serve();
    const long = ask(connectPlain({ port, host: '127.0.0.1' }), `YUNXUN ${'x'.repeat(4000)}\n`);
    await expect.poll(() => long.closed).toBe(true);
    expect(long.text).toBe('');
    await app.close();
  });
});
