import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { handshakeAfterFirstBytes } from './first-bytes.ts';

let server: ReturnType<typeof createServer>;
let began: { socket: Socket; waiting: number; listeners: number }[];

async function open(patience: number): Promise<Socket> {
  server = createServer();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const listeners = socket.listenerCount('readable') + socket.listenerCount('error') + socket.listenerCount('close');
    began.push({ socket, waiting: socket.readableLength, listeners });
  });
  handshakeAfterFirstBytes(server, patience);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
  return client;
}

beforeEach(() => {
  began = [];
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
