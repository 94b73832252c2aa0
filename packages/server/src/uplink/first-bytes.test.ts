import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { handshakeAfterFirstBytes } from './first-bytes.ts';

let server: ReturnType<typeof createServer>;
let began: { socket: Socket; waiting: number; listeners: number }[];
let counting = () => {};

async function open(timeout: number): Promise<Socket> {
  server = createServer();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const listeners = socket.listenerCount('readable') + socket.listenerCount('error') + socket.listenerCount('close');
    began.push({ socket, waiting: socket.readableLength, listeners });
    counting();
  });
  handshakeAfterFirstBytes(server, timeout);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
  return client;
}

beforeEach(() => {
  began = [];
  counting = () => {};
});
afterEach(() => {
  for (const { socket } of began) socket.destroy();
  server.close();
});

it('begins with the first bytes, which are there to be handed on, and leaves nothing of the wait', async () => {
  const client = await open(60_000);
  expect(began).toEqual([]);
  client.write('hello');
  await expect.poll(() => began).toMatchObject([{ waiting: 5, listeners: 0 }]);
  client.destroy();
});

it('cuts one that says nothing', async () => {
  const client = await open(50);
  await once(client, 'close');
  expect(began).toEqual([]);
});

it('begins nothing with one that was closed without a word', async () => {
  const client = await open(60_000);
  client.end();
  await once(client, 'close');
  expect(began).toEqual([]);
});

it('starts a few per event-loop iteration, however many arrive at once', async () => {
  const clients = [await open(60_000)];
  const { port } = server.address() as AddressInfo;
  let accepted = 1;
  server.on('connection', () => {
    accepted += 1;
  });
  for (let at = 1; at < 40; at += 1) clients.push(connect(port, '127.0.0.1'));
  await expect.poll(() => accepted).toBe(40);
  const turns: number[] = [];
  let turn = 0;
  counting = () => {
    if (turn === 0)
      setImmediate(() => {
        turns.push(turn);
        turn = 0;
      });
    turn += 1;
  };
  for (const client of clients) client.write('hello');
  await expect.poll(() => turns.reduce((sum, one) => sum + one, 0)).toBe(40);
  expect(Math.max(...turns)).toBeLessThanOrEqual(10);
  for (const client of clients) client.destroy();
});
