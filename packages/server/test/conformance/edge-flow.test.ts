import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../src/platform/clock.ts';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

/** Traffic by application: counted once, acknowledged after the commit. */

const clock = new ManualClock();
let server: TestServer;
let owner: Registered;
let gateway: AccessPoint;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
  const { data } = await server.call<{ gwid: string }>('/api/v3/network/create', { remark: 'Inn' }, owner);
  gateway = accessPoint(await enrol(server, owner, { gwid: data.gwid }));
  await gateway.connect();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

interface FlowModel {
  app_source: string;
  app_times: { name: string; value: number }[];
  app_stage: { items: { name: string; value: number }[] }[];
}

async function shown(): Promise<{ source: string; uses: Record<string, number>; bytes: Record<string, number> }> {
  const { data } = await server.call<FlowModel>('/api/v3/user_stat/flow_model', { day: 30 }, owner);
  const bytes: Record<string, number> = {};
  for (const { items } of data.app_stage)
    for (const { name, value } of items) if (value > 0) bytes[name] = (bytes[name] ?? 0) + value;
  return {
    source: data.app_source,
    uses: Object.fromEntries(data.app_times.filter(({ value }) => value > 0).map(({ name, value }) => [name, value])),
    bytes,
  };
}

const quarter = Math.floor(clock.now().getTime() / 900_000) * 900;
const row = (category: string, down: number, up: number, uses = 1, more: object = {}) => ({
  at: quarter,
  mac: '3c22fb000001',
  category,
  down,
  up,
  uses,
  ...more,
});

let answers = 0;
async function bring(seq: unknown, rows: unknown): Promise<void> {
  const { serial } = gateway.options;
  gateway.notify('yunxun.flow', { serial, seq, at: quarter, rows } as Record<string, unknown>);
  answers += 1;
  const { params } = await gateway.command('yunxun.taken', answers);
  expect(params).toEqual({ serial, seq });
}

it('is taken, answered, and counted once however often it comes', async () => {
  expect((await shown()).source).toBe('none');
  await bring(1, [row('Video', 4000, 400), row('IM', 30, 20, 5)]);
  await bring(1, [row('Video', 4000, 400), row('IM', 30, 20, 5)]);
  await bring(2, [row('Video', 1000, 0, 0)]);
  await bring(1, [row('Game', 9, 9)]);
  expect(await shown()).toEqual({ source: 'complete', uses: { IM: 5, Video: 1 }, bytes: { Video: 5400, IM: 50 } });
});

it('makes nothing of rows that are none, and goes on', async () => {
  const before = await shown();
  const hostile = [
    null,
    7,
    'x',
    [],
    row('Gambling', 5, 5),
    row('Video', -5, Number.NaN),
    row('Video', 7, 7, 1, { mac: '<script>' }),
    row('Video', 7, 7, 1, { at: 4e18 }),
    row('Video', 7, 7, 1, { at: 0 }),
    row('Video', 7, 7, 1, { at: 'soon' }),
  ];
  await bring(3, hostile);
  await bring(4, 'nothing');
  await bring(5, { 0: row('Video', 1, 1) });
  const after = await shown();
  expect(after.bytes).toEqual(before.bytes);
  await bring(6, [row('Video', 1, 0, 0)]);
  expect((await shown()).bytes).toMatchObject({ Video: 5401 });
});

it('without a number is no delivery, and is not answered', async () => {
  const { serial } = gateway.options;
  for (const seq of [null, 'x', -1, {}, undefined])
    gateway.notify('yunxun.flow', { serial, seq, at: quarter, rows: [row('Game', 1, 1)] });
  await bring(7, []);
  expect((await shown()).bytes.Game).toBeUndefined();
});

it('of a device without a network is discarded', async () => {
  const free = accessPoint(await enrol(server, owner));
  await free.connect();
  const { serial } = free.options;
  free.notify('yunxun.flow', { serial, seq: 1, at: quarter, rows: [row('Test', 1, 1)] });
  expect((await free.command('yunxun.taken')).params).toEqual({ serial, seq: 1 });
  expect((await shown()).bytes.Test).toBeUndefined();
});

it('that is more than a gateway can have is not taken until its time has come', async () => {
  const greedy = accessPoint(await enrol(server, owner));
  await greedy.connect();
  const { serial } = greedy.options;
  let asked = 0;
  const bringAll = async (from: number, to: number) => {
    for (let seq = from; seq <= to; seq += 1) greedy.notify('yunxun.flow', { serial, seq, at: quarter, rows: [] });
    // a session's messages are processed in order
    asked += 1;
    greedy.notify('yunxun.renew', { serial, csr: '' });
    await greedy.command('yunxun.certificate', asked, 30_000);
  };
  const taken = () =>
    greedy.received.flatMap(({ command }) => (command?.method === 'yunxun.taken' ? command.params : []));
  await bringAll(1, 130);
  expect(taken()).toHaveLength(120);
  expect(taken().at(-1)).toEqual({ serial, seq: 120 });
  clock.advance(60_000);
  await bringAll(131, 140);
  expect(taken().slice(120)).toEqual([131, 132, 133, 134].map((seq) => ({ serial, seq })));
});
