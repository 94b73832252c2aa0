import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import type { HttpOptions } from './http-options.ts';
import { createHttp } from './server.ts';
import { mountUploads } from './upload.ts';

const max = 17 * 1024 * 1024;
const folder = '/take/';
const kept: Buffer[] = [];
const open: Socket[] = [];
const answers: (() => void)[] = [];
let app: FastifyInstance;

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  kept.length = 0;
  answers.length = 0;
  await app.close();
});

async function listen(arriveWithin: number): Promise<void> {
  const options = {
    clock: systemClock,
    log: silentLog(),
    tls: null,
    trustedProxies: [],
    isFull: () => false,
    limitFactor: 1000,
    arriveWithin,
  };
  app = await createHttp(options as unknown as HttpOptions);
  app.post('/call', async () => ({}));
  app.post('/slow', async () => new Promise((answer) => answers.push(() => answer({}))));
  const keep = async (file: Buffer) => kept.push(file) > 0;
  mountUploads(app, folder, async (accountId) => ({ accountId, max, keep }), 1000);
  await app.listen({ host: '127.0.0.1', port: 0 });
}

function begin(path: string, type: string, bytes: number, first: string): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  open.push(socket);
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: console\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n${first}`,
  );
  return socket;
}

const head = '--x\r\nContent-Disposition: form-data; name="data"; filename="a"\r\n\r\n';
const tail = '\r\n--x--\r\n';
const form = 'multipart/form-data; boundary=x';
const bring = (account: string, bytes: number) =>
  begin(`${folder}${account}`, form, head.length + bytes + tail.length, head);
const status = async (socket: Socket) => String((await once(socket, 'data'))[0]).slice(9, 12);

it('a file may take longer to come than a call', async () => {
  await listen(200);
  const file = bring('one', 10);
  const slow = begin('/slow', 'application/json', 2, '{}');
  const call = begin('/call', 'application/json', 2, '{');
  expect(await status(call)).toBe('408');
  if (!call.closed) await once(call, 'close');
  file.write(`0123456789${tail}`);
  expect(await status(file)).toBe('200');
  answers[0]!();
  expect(await status(slow)).toBe('200');
  expect(kept.map(String)).toEqual(['0123456789']);
});

it('files of one account that come slowly leave room for those of others', async () => {
  await listen(60_000);
  const slow = Array.from({ length: 6 }, () => bring('one', max));
  expect(await Promise.race(slow.map(status))).toBe('503');
  const small = (account: string) => {
    const socket = bring(account, 10);
    socket.write(`0123456789${tail}`);
    return status(socket);
  };
  expect(await small('two')).toBe('200');
  for (const socket of slow) socket.destroy();
  const large = () => {
    const socket = bring('one', max);
    socket.write(Buffer.alloc(max));
    socket.write(tail);
    return status(socket);
  };
  await expect.poll(large).toBe('200');
});
