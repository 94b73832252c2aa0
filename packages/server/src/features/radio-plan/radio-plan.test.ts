import { deflateSync } from 'node:zlib';
import type { radioPlan as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSerial } from '../../../test/new-serial.ts';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { whileHeld } from '../configuration/testing/fixture.ts';

type Result = DataOf<typeof contract.planResult>;

let server: TestServer;
let owner: Registered;
let gwid: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await server.register();
  gwid = (await call<{ gwid: string }>('/api/v3/network/create', { remark: 'Hall' })).data.gwid;
});

const call = <T>(path: string, input: object) => server.call<T>(path, input, owner);
const run = (text: string, values: unknown[]) => server.db.database.systemPool.query(text, values);

const capabilities = {
  wifi: { a: { band: ['2G'], channels: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], htmode: ['HT20', 'HE20', 'HE40'] } },
};
const bssid = (serial: string) => `${serial.match(/../g)!.join(':')}`;

async function ap(remark: string, channel: number): Promise<string> {
  const serial = newSerial();
  await run(
    `insert into device (confirmed, account_id, serial, gwid, kind, remark, platform, capabilities, bound_at, first_seen, last_seen, online, online_since)
     values (true, $1, $2, $3, 'ap', $4, 'ap', $5, now(), now(), now(), true, now())`,
    [owner.accountId, serial, gwid, remark, JSON.stringify(capabilities)],
  );
  const state = {
    radios: [{ band: ['2G'], channel, channel_width: 20, tx_power: 20 }],
    interfaces: [{ name: 'up0v0', ssids: [{ ssid: 'Hall', bssid: bssid(serial), radio: { $ref: '#/radios/0' } }] }],
  };
  await run('insert into device_latest (account_id, serial, at, state) values ($1, $2, now(), $3)', [
    owner.accountId,
    serial,
    deflateSync(JSON.stringify({ state })),
  ]);
  return serial;
}

function hears(serial: string, others: readonly [string, number][]): void {
  server.program.bus.respond(`dev.${owner.accountId}.${serial}.rpc`, async () => ({
    serial,
    status: {
      error: 0,
      scan: others.map(([other, signal]) => ({ bssid: bssid(other), ssid: 'Hall', channel: 6, signal })),
    },
  }));
}

async function three(): Promise<[string, string, string]> {
  const [a, b, c] = [await ap('A', 6), await ap('B', 6), await ap('C', 6)];
  hears(a, [
    [b, -50],
    [c, -52],
  ]);
  hears(b, [
    [a, -50],
    [c, -55],
  ]);
  hears(c, [
    [a, -52],
    [b, -55],
  ]);
  const { code, data } = await call<{ job_id: string }>('/api/v3/ap/plan/scan', { gwid });
  expect(code).toBe(2000);
  const job = async () => (await call<{ status: string }>('/api/v3/job/detail', data)).data.status;
  await expect.poll(job).toBe('succeeded');
  return [a, b, c];
}

async function proposed(): Promise<Result> {
  const { code, message, data } = await call<{ id: string }>('/api/v3/ap/plan/start', { gwid, bands: ['2G'] });
  expect(code, message).toBe(2000);
  return (await call<Result>('/api/v3/ap/plan/result', { id: data.id })).data;
}

const ownChannel = async (serial: string) => {
  const { data } = await call<{ radios: { band: string; channel: number | null }[] }>('/api/v3/ap/override/get', {
    serial,
  });
  return data.radios.find(({ band }) => band === '2G')?.channel ?? null;
};

describe('a plan', () => {
  it('is made of what radios report and scans hear, applied as the devices’ own settings, and taken back', async () => {
    const serials = await three();
    const radio = { band: '2G', enabled: null, channel: 6, width: null, mode: null, power: null };
    await call('/api/v3/ap/override/save', { serial: serials[2], version: 0, radios: [radio], ssids_off: [] });
    const plan = await proposed();
    expect(plan).toMatchObject({ state: 'proposed', radios: 3, scanned: 3, aps: 3, changes: 2 });
    const after = new Map(serials.map((serial) => [serial, 6]));
    for (const item of plan.items) {
      expect(item).toMatchObject({ band: '2G', from_channel: 6 });
      expect(item.gain).toBeGreaterThan(0);
      after.set(item.serial, item.to_channel);
    }
    expect([...after.values()].toSorted((x, y) => x - y)).toEqual([1, 6, 11]);

    const applied = await call<{ job_id: string }>('/api/v3/ap/plan/apply', { id: plan.id });
    expect(applied.code).toBe(2000);
    expect((await call('/api/v3/job/detail', applied.data)).data).toMatchObject({ type: 'configuration', total: 2 });
    for (const { serial, to_channel } of plan.items) expect(await ownChannel(serial)).toBe(to_channel);
    expect((await call('/api/v3/ap/plan/apply', { id: plan.id })).code).toBe(4104);

    expect((await call('/api/v3/ap/plan/apply', { id: plan.id, back: true })).code).toBe(2000);
    expect(await Promise.all(serials.map(ownChannel))).toEqual([null, null, 6]);
    const history = await call<DataOf<typeof contract.planHistory>>('/api/v3/ap/plan/history', { gwid });
    expect(history.data.list).toMatchObject([{ id: plan.id, state: 'reverted', changes: 2 }]);
  });

  it('keeps radio settings saved at the same moment', async () => {
    const serials = await three();
    const radio = { band: '2G', enabled: null, channel: null, width: null, mode: null, power: null };
    const save = (serial: string, version: number, width: number) =>
      call<{ job_id: string }>('/api/v3/ap/override/save', {
        serial,
        version,
        ssids_off: [],
        radios: [{ ...radio, width }],
      });
    for (const serial of serials) {
      const { data } = await save(serial, 0, 20);
      const status = async () =>
        (await call<{ items: { status: string }[] }>('/api/v3/job/detail', { job_id: data.job_id })).data.items[0]
          ?.status;
      await expect.poll(status).toBe('waiting_offline');
    }
    const plan = await proposed();
    const [item] = plan.items;
    const { serial, to_channel: channel } = item!;
    let [saved, applied]: Promise<unknown>[] = [];
    await whileHeld(
      serial,
      async ({ waitedFor }) => {
        saved = save(serial, 1, 40);
        await waitedFor(1);
        applied = call('/api/v3/ap/plan/apply', { id: plan.id });
        await waitedFor(2);
      },
      server,
    );
    expect([await saved, await applied]).toMatchObject([{ code: 2000 }, { code: 2000 }]);
    expect((await call('/api/v3/ap/override/get', { serial })).data).toMatchObject({
      radios: [{ band: '2G', channel, width: 40 }],
    });
  });

  it('rolls back unchanged radios, and keeps later settings', async () => {
    await three();
    const plan = await proposed();
    const [first, second] = plan.items;
    await call('/api/v3/ap/plan/apply', { id: plan.id });
    const { serial } = first!;
    const own = (await call<{ version: number }>('/api/v3/ap/override/get', { serial })).data;
    const radio = { band: '2G', enabled: null, channel: 3, width: null, mode: null, power: 'low' };
    const saved = await call('/api/v3/ap/override/save', {
      serial,
      version: own.version,
      radios: [radio],
      ssids_off: [],
    });
    expect(saved.code).toBe(2000);
    expect((await call('/api/v3/ap/plan/apply', { id: plan.id, back: true })).code).toBe(2000);
    expect([await ownChannel(serial), await ownChannel(second!.serial)]).toEqual([3, null]);
    const { radios } = (await call<{ radios: object[] }>('/api/v3/ap/override/get', { serial })).data;
    expect(radios).toMatchObject([{ power: 'low' }]);
  });

  it('of last week is not applied any more', async () => {
    await three();
    const plan = await proposed();
    await run(`update radio_plan set created_at = now() - interval '8 days' where id = $1`, [plan.id]);
    expect((await call('/api/v3/ap/plan/apply', { id: plan.id })).code).toBe(4104);
  });

  it('may be applied in part, and put aside', async () => {
    await three();
    const plan = await proposed();
    const [first, second] = plan.items;
    await call('/api/v3/ap/plan/apply', { id: plan.id, serials: [first!.serial] });
    expect([await ownChannel(first!.serial), await ownChannel(second!.serial)]).toEqual([first!.to_channel, null]);
    const other = await proposed();
    expect((await call('/api/v3/ap/plan/discard', { id: other.id })).code).toBe(2000);
    expect((await call('/api/v3/ap/plan/apply', { id: other.id })).code).toBe(4104);
  });

  it('of access points that stand well changes nothing', async () => {
    await ap('A', 1);
    await ap('B', 6);
    expect(await proposed()).toMatchObject({ changes: 0, items: [], scanned: 0 });
  });
});
