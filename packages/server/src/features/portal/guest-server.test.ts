import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { relayLine } from '@yunxun/contract/device';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCertificate, makeKey } from '../../../test/conformance/peer/identity.ts';
import { ManualClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createGuestServer, type GuestServerOptions } from './guest-server.ts';
import { lineOf } from './relay-line.ts';

const clock = new ManualClock();
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
  async function serve(more: Partial<GuestServerOptions> = {}) {
    const options = { log: silentLog(), tls, trustedProxies: [], limitFactor: 1 };
    const app = await createGuestServer({ ...options, ...more });
    app.get('/line', async (request) => lineOf(request.raw.socket) ?? 'none');
    await app.listen({ port: 0, host: '0.0.0.0' });
    return { app, port: (app.server.address() as AddressInfo).port };
  }
  let count = 0;
  const newLine = (at = clock.now().getTime() / 1000) => {
    count += 1;
    const nonce = `${count}`.padEnd(22, 'n');
    return relayLine({ mac: '02:00:00:00:00:01', ip: '10.1.0.1', at: Math.floor(at), nonce }, 's'.repeat(43));
  };
  const from = (port: number, localAddress = '127.0.0.1') => connectPlain({ port, host: '127.0.0.1', localAddress });
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
    const line = newLine();
    const named = ask(first, line);
    await expect.poll(() => named.text).toContain(line.trim());
    const direct = ask(second, '');
    await expect.poll(() => direct.text).toMatch(/\r\n\r\nnone$/);
    await app.close();
  });

  it('counts for as many connections as one address may open, and for all of a trusted proxy', async () => {
    const { app, port } = await serve({ maxPerAddress: 2, trustedProxies: ['127.0.0.3', '10.0.0.0/8'] });
    const kept = [1, 2].map(() => ask(from(port), newLine()));
    await expect.poll(() => kept.every(({ text }) => text.includes('YUNXUN'))).toBe(true);
    const third = ask(from(port), newLine());
    await expect.poll(() => third.closed).toBe(true);
    expect(third.text).toBe('');
    const others = ['127.0.0.2', '127.0.0.3', '127.0.0.3', '127.0.0.3'].map((at) => ask(from(port, at), newLine()));
    await expect.poll(() => others.every(({ text }) => text.includes('YUNXUN'))).toBe(true);
    await app.close();
  });

  it('gives a newcomer the place of the address that has most', async () => {
    const { app, port } = await serve({ maxPerAddress: 3, maxConnections: 4 });
    const greedy = [1, 2, 3].map(() => ask(from(port), newLine()));
    await expect.poll(() => greedy.every(({ text }) => text.includes('YUNXUN'))).toBe(true);
    for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
      const guest = ask(from(port, address), newLine());
      await expect.poll(() => guest.text).toContain('YUNXUN');
    }
    await expect.poll(() => greedy.map(({ closed }) => closed)).toEqual([true, true, false]);
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
