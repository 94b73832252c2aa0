import { expect } from 'vitest';
import { accessPoint, endDevices, enrol, type Identity, listedAs } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import type { FirmwareOptions } from '../../../../test/conformance/peer/firmware.ts';
import { asOwner } from '../../../../test/database.ts';
import { numbered } from '../../../../test/numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

export const fixture = {} as { server: TestServer; owner: Registered };

export async function startFixture(): Promise<void> {
  fixture.server = await startTestServer();
  fixture.owner = await fixture.server.register();
}

export async function stopFixture(): Promise<void> {
  await endDevices();
  await fixture.server.stop();
}

export interface Saved {
  job_id: string;
  version: number;
  offline: boolean;
}

export const key = 'welcome-2026';
export const ssid = (name: string, more: object = {}) => ({
  enabled: true,
  name,
  security: 'psk2',
  key,
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: false,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
  ...more,
});
export const radio = (band: string, more: object) => ({
  band,
  enabled: null,
  channel: null,
  width: null,
  mode: null,
  power: null,
  ...more,
});

export const call = <T>(path: string, body: object) => fixture.server.call<T>(path, body, fixture.owner);
export const save = (gwid: string, version: number, ssids: object[], more: object = {}) =>
  call<Saved>('/api/v3/network/wireless/save', { gwid, version, ssids, radios: [], ...more });
export const wireless = async (gwid: string) =>
  (
    await call<{ version: number; ssids: { id: string; name: string; key_set: boolean }[] }>(
      '/api/v3/network/wireless/get',
      { gwid },
    )
  ).data;
export const config = async (serial: string) =>
  (
    await call<{
      state: string;
      reasons: string[];
      desired: { uuid: number; document: unknown } | null;
      active: { uuid: number } | null;
      can_retry: boolean;
    }>('/api/v3/device/config/get', { serial })
  ).data;
export const items = async (job: string) =>
  (await call<{ items: { status: string; reason: string | null }[] }>('/api/v3/job/detail', { job_id: job })).data
    .items;

export const ended = (answer: { data: Saved | { job_id: string } }, ...statuses: string[]) =>
  expect.poll(async () => (await items(answer.data.job_id)).map(({ status }) => status)).toEqual(statuses);
export const expectConfig = (serial: string, wanted: object) => expect.poll(() => config(serial)).toMatchObject(wanted);

export async function network(): Promise<{ gwid: string; identity: Identity }> {
  const { data } = await call<{ gwid: string }>('/api/v3/network/create', { remark: numbered(fixture.owner, 'Shop') });
  return { gwid: data.gwid, identity: await enrol(fixture.server, fixture.owner, { gwid: data.gwid }) };
}

export async function online(identity: Identity, more: Partial<FirmwareOptions> = {}): Promise<AccessPoint> {
  const device = accessPoint(identity, { shell: 'runs', ...more });
  await device.connect();
  await listedAs(fixture.server, fixture.owner, identity.serial, { status: 'online' });
  return device;
}

export const running = (device: AccessPoint) => JSON.stringify(device.flash.files.get(device.flash.active));
export const pushes = (device: AccessPoint) =>
  device.received.filter(({ command }) => command?.method === 'configure').length;

export interface Holder {
  query(text: string, values?: unknown[]): Promise<unknown>;
  /** Waits for `by` blocked transactions, background ones included. */
  waitedFor(by: number): Promise<void>;
}

export const whileHeld = (
  serial: string,
  work: (holder: Holder) => Promise<void>,
  { db } = fixture.server,
): Promise<void> =>
  asOwner(db.owner, async (client) => {
    const waiting = async () => {
      // statistics are cached per transaction; every role sees ungranted locks
      await client.query('select pg_stat_clear_snapshot()');
      const { rowCount } = await client.query(`
        select distinct pid from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`);
      return rowCount;
    };
    await client.query('begin');
    await client.query('select from config_state where serial = $1 for update', [serial]);
    await work({
      query: (text, values) => client.query(text, values),
      waitedFor: (by) => expect.poll(waiting).toBeGreaterThanOrEqual(by),
    });
    await client.query('rollback');
  });
