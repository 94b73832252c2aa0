import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { ManualClock } from '../manual-clock.ts';
import type { PlanService } from '../render/plan.ts';
import { ntp } from './ntp.ts';
import { createServing, type Serving } from './serving.ts';

const now = Date.parse('2026-11-29T12:00:00.250Z');
/** Seconds from 1900 to 1970. */
const era = 2_208_988_800;

let serving: Serving | null = null;
afterEach(() => serving?.stop());

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}

function request(version = 4, mode = 3): Buffer {
  const packet = Buffer.alloc(48);
  packet[0] = (version << 3) | mode;
  packet[2] = 6;
  packet.write('clients!', 40, 'latin1');
  return packet;
}

async function answered(port: number, packets: readonly Buffer[]): Promise<Buffer> {
  const socket = createSocket('udp4');
  const answer = once(socket, 'message') as Promise<[Buffer]>;
  const sending = setInterval(() => {
    for (const packet of packets) socket.send(packet, port, '127.0.0.1');
  }, 20);
  try {
    return (await answer)[0];
  } finally {
    clearInterval(sending);
    socket.close();
  }
}

function serve(services: PlanService[], more: { isSet?: () => boolean; clock?: ManualClock } = {}) {
  const plan = { services };
  const lines: string[] = [];
  const clock = more.clock ?? new ManualClock(now);
  const isClockSet = more.isSet ?? (() => true);
  serving = createServing({ host: { plan }, clock, isClockSet, log: (line) => lines.push(line), served: { ntp } });
  serving.settled();
  return { plan, lines, clock };
}

it('answers a client with the time of the host', async () => {
  const port = await freePort();
  serve([{ service: 'ntp', address: '127.0.0.1', port }]);
  const reply = await answered(port, [request(3)]);
  expect(reply).toHaveLength(48);
  expect([reply[0], reply[1], reply[2]]).toEqual([(3 << 3) | 4, 10, 6]);
  expect(reply.toString('latin1', 24, 32)).toBe('clients!');
  for (const at of [16, 32, 40]) {
    expect(reply.readUInt32BE(at) - era).toBe(Math.floor(now / 1000));
    expect(reply.readUInt32BE(at + 4)).toBe(2 ** 30);
  }
});

it('answers only requests of clients, and nothing before the clock is set', async () => {
  const port = await freePort();
  let asked = 0;
  const isSet = () => {
    asked += 1;
    return asked > 2;
  };
  serve([{ service: 'ntp', address: '127.0.0.1', port }], { isSet });
  const strangers = [Buffer.alloc(47), request(4, 4), request(4, 6), request(0), request(5), Buffer.from('a')];
  const reply = await answered(port, [...strangers, request(2)]);
  expect(reply[0]! >> 3).toBe(2);
  expect(asked).toBeGreaterThan(2);
});

it('waits for a port that another server of the host has, and says so once', async () => {
  const other = createSocket('udp4').bind(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address();
  const { lines, clock } = serve([{ service: 'ntp', address: '127.0.0.1', port }]);
  await expect.poll(() => lines).toEqual([expect.stringMatching(/^ntp: .*EADDRINUSE/)]);
  clock.advance(5000);
  await expect.poll(() => clock.pending).toBe(1);
  other.close();
  await once(other, 'close');
  clock.advance(5000);
  expect((await answered(port, [request()]))[1]).toBe(10);
  expect(lines).toHaveLength(1);
});

it('ends with the network that had it', async () => {
  const port = await freePort();
  const { plan } = serve([{ service: 'ntp', address: '127.0.0.1', port }]);
  await answered(port, [request()]);
  plan.services = [];
  serving!.settled();
  const next = createSocket('udp4');
  next.bind(port, '127.0.0.1');
  await once(next, 'listening');
  next.close();
});
