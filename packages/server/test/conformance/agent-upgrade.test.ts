import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { fleet as contract, DataOf } from '@yunxun/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../server.ts';
import { accessPoint, endDevices, enrol, type Identity, killedDuring, listedAs, overdue } from './device-client.ts';
import type { AccessPoint } from './peer/access-point.ts';

let server: TestServer;
let owner: Registered;
let built: string;
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'yunxun-edge-dist-'));
  writeFileSync(join(built, 'yunxun-edge.mjs'), 'the bundle');
  writeFileSync(join(built, 'version'), '0.9.0\n');
  server = await startTestServer({ edgeDir: built });
});
afterEach(endDevices);
afterAll(async () => {
  await server.stop();
  rmSync(built, { recursive: true });
});

type Preview = DataOf<typeof contract.agentUpgradePreview>;
interface Job {
  type: string;
  status: string;
  items: { serial: string; status: string; reason: string | null }[];
}
const identities = new Map<string, Identity>();

async function box(version: string): Promise<AccessPoint> {
  const identity = await enrol(server, owner, { platform: 'olg' });
  identities.set(identity.serial, identity);
  return start(identity.serial, version);
}

async function start(
  serial: string,
  version: string,
  bootCause = 'coldboot',
  status = 'online',
  fetchMs = 0,
): Promise<AccessPoint> {
  const firmware = version === 'none' ? {} : { firmware: `Yunxun edge ${version}` };
  const device = accessPoint(identities.get(serial)!, { ...firmware, bootCause, actionMs: 10, fetchMs });
  await device.connect();
  await listedAs(server, owner, serial, { status });
  return device;
}

const ask = async <T>(path: string, input: object): Promise<T> => {
  const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
  expect(answer, path).toMatchObject({ code: 2000 });
  return answer.data;
};
const preview = (serials: string[]) => ask<Preview>('device/agent/upgrade/preview', { serials });
const begin = async (serials: string[]) => (await ask<{ job_id: string }>('device/agent/upgrade', { serials })).job_id;
const job = (id: string) => ask<Job>('job/detail', { job_id: id });
const stateOf = async (id: string, serial: string) => (await job(id)).items.find((item) => item.serial === serial);

async function taken(device: AccessPoint, version: string, cause: string): Promise<void> {
  const { params } = await device.command('upgrade');
  expect(params).toMatchObject({ uri: 'http://localhost/edge/yunxun-edge.mjs' });
  await device.until('the restart', () => device.socket === null);
  await start(device.options.serial, version, cause);
}

it('takes one first, then the next, then the rest, each once the one before is here with the new version', async () => {
  owner = await server.register();
  const boxes = await Promise.all(['0.1.0', '0.2.0', '0.8.9', '0.9.0-rc.1'].map(box));
  const others = await Promise.all([box('0.9.0'), box('0.10.0'), box('none')]);
  const serials = [...boxes, ...others].map(({ options }) => options.serial);
  const reported = await preview(serials);
  expect(reported.version).toBe('0.9.0');
  expect(reported.devices.map(({ wave }) => wave)).toEqual([0, 1, 2, 2]);
  expect(reported.left_out.map(({ serial, why }) => [serial, why]).toSorted()).toEqual(
    others.map(({ options }, at) => [options.serial, at < 2 ? 'current' : 'other']).toSorted(),
  );

  const id = await begin(serials);
  const order = reported.devices.map(({ serial }) => boxes.find(({ options }) => options.serial === serial)!);
  const upgrades = (device: AccessPoint) =>
    device.received.filter(({ command }) => command?.method === 'upgrade').length;
  await order[0]!.command('upgrade');
  expect(order.map(upgrades)).toEqual([1, 0, 0, 0]);
  await taken(order[0]!, '0.9.0', 'upgrade');
  await order[1]!.command('upgrade');
  expect(order.slice(2).map(upgrades)).toEqual([0, 0]);
  await taken(order[1]!, '0.9.0', 'upgrade');
  await Promise.all(order.slice(2).map((device) => taken(device, '0.9.0', 'upgrade')));
  await expect.poll(async () => (await job(id)).status).toBe('succeeded');
  const { items, type } = await job(id);
  expect(type).toBe('agent_upgrade');
  expect(items.filter(({ status }) => status === 'succeeded')).toHaveLength(4);
  expect(
    items
      .filter(({ status }) => status === 'skipped')
      .map(({ reason }) => reason)
      .toSorted(),
  ).toEqual(['job.agent_current', 'job.agent_current', 'job.agent_other']);
});

it('stops when the first device returns to its old version: no other is upgraded, and the items say why', async () => {
  owner = await server.register();
  const boxes = await Promise.all(['0.1.0', '0.1.0', '0.1.0'].map(box));
  const serials = boxes.map(({ options }) => options.serial);
  const [canary] = (await preview(serials)).devices;
  const id = await begin(serials);
  const first = boxes.find(({ options }) => options.serial === canary!.serial)!;
  await taken(first, '0.1.0', 'upgradefailed');
  await expect
    .poll(() => stateOf(id, canary!.serial))
    .toMatchObject({ status: 'failed', reason: 'job.agent_returned' });
  await expect.poll(async () => (await job(id)).status).toBe('failed');
  expect((await ask<{ list: object[] }>('log/upgrade/list', { result: 'failed' })).list).toMatchObject([
    { serial: canary!.serial, from_version: 'Yunxun edge 0.1.0', to_version: '0.9.0', reason: 'upgradefailed' },
  ]);
  const rest = (await job(id)).items.filter(({ serial }) => serial !== canary!.serial);
  expect(rest.map(({ status, reason }) => [status, reason])).toEqual([
    ['cancelled', 'job.wave_stopped'],
    ['cancelled', 'job.wave_stopped'],
  ]);
  for (const device of boxes)
    if (device !== first) expect(device.received.some(({ command }) => command?.method === 'upgrade')).toBe(false);
});

it('logs the upgrade of a device that never returns as failed', async () => {
  owner = await server.register();
  const device = await box('0.1.0');
  const { serial } = device.options;
  const id = await begin([serial]);
  await device.command('upgrade');
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'waiting_offline', reason: 'job.upgrading' });
  await device.cut();
  await listedAs(server, owner, serial, { status: expect.not.stringMatching(/^online$/) });
  await overdue(server, 'agent-upgrade-look', id, serial);
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'failed', reason: 'job.not_returned' });
  expect((await ask<{ list: object[] }>('log/upgrade/list', { result: 'failed' })).list).toMatchObject([
    { serial, action: 'upgrade', to_version: '0.9.0', reason: 'job.not_returned', job_id: id },
  ]);
});

it('waits through a reconnect that comes before the restart', async () => {
  owner = await server.register();
  const device = await box('0.1.0');
  const { serial } = device.options;
  const id = await begin([serial]);
  await device.command('upgrade');
  await device.until('the restart', () => device.socket === null);
  await start(serial, '0.1.0', 'socket', 'restarting');
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'waiting_offline', reason: 'job.upgrading' });
  await start(serial, '0.9.0', 'upgrade');
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'succeeded' });
});

it('sends the command once to a device that was downloading when the server was killed', async () => {
  owner = await server.register();
  const identity = await enrol(server, owner, { platform: 'olg' });
  const { serial } = identity;
  identities.set(serial, identity);
  const device = await start(serial, '0.1.0', 'coldboot', 'online', 600_000);
  const id = await begin([serial]);
  await device.command('upgrade');
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'running' });
  await killedDuring(server, id, device);
  identities.set(serial, { ...identity, port: server.program.devicePort! });
  const again = await start(serial, '0.1.0', 'socket');
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'waiting_offline', reason: 'job.upgrading' });
  expect(again.received.some(({ command }) => command?.method === 'upgrade')).toBe(false);
  await again.cut();
  await start(serial, '0.9.0', 'upgrade');
  await expect.poll(() => stateOf(id, serial)).toMatchObject({ status: 'succeeded' });
});

it('is refused while all are away', async () => {
  owner = await server.register();
  const device = await box('0.1.0');
  const { serial } = device.options;
  await device.cut();
  await listedAs(server, owner, serial, { status: 'offline' });
  expect((await server.call('/api/v3/device/agent/upgrade', { serials: [serial] }, owner)).code).toBe(4102);
});
