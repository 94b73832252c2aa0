import type { fleet as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { comeOnline, endDevices, enrol, listedAs } from '../../../test/conformance/device-client.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { ManualClock } from '../../platform/clock.ts';

const minute = 60_000;
const clock = new ManualClock(new Date(Date.now() - 5 * 3_600_000));
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ clock });
  owner = await server.register();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});

async function alone(remark: string) {
  const answer = await server.call<{ gwid: string }>('/api/v3/network/create', { remark }, owner);
  expect(answer).toMatchObject({ code: 2000 });
  const { data } = answer;
  const identity = await enrol(server, owner, { gwid: data.gwid });
  const on = () => comeOnline(server, owner, identity);
  return { on, away: () => listedAs(server, owner, identity.serial, { status: 'offline' }) };
}

/** Returns minutes offline, and of console downtime. */
async function offline(): Promise<[string, number, number][]> {
  const { data } = await server.call<DataOf<typeof contract.attention>>('/api/v3/overview/attention', {}, owner);
  return data.offline.list.map(({ remark, since, unheard_s }) => [
    remark,
    Math.round((clock.now().getTime() - Date.parse(since!)) / minute),
    unheard_s / 60,
  ]);
}

test('the time for which the console itself was away is said beside how long a device has been offline', async () => {
  const left = await alone('left-before');
  const stays = await alone('comes-back');
  const lost = await alone('gone-meanwhile');
  await (await left.on()).cut();
  await left.away();
  await lost.on();
  await stays.on();
  clock.advance(2 * minute);
  expect(await offline()).toEqual([['left-before', 2, 0]]);
  await server.restart(() => clock.advance(2 * 60 * minute));
  await lost.away();
  const back = await stays.on();
  clock.advance(2 * minute);
  expect(await offline()).toEqual([
    ['left-before', 124, 120],
    ['gone-meanwhile', 122, 120],
  ]);
  // a restart of upgrade length is no gap
  await back.cut();
  await stays.away();
  await server.restart(() => clock.advance(2 * minute));
  expect(await offline()).toEqual([
    ['left-before', 126, 120],
    ['gone-meanwhile', 124, 120],
    ['comes-back', 2, 0],
  ]);
});
