import type { fleetBatch as contract, DataOf } from '@yunxun/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newSerial } from '../../../../test/new-serial.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  owner = await server.register();
});

const call = <T = unknown>(path: string, input: object) => server.call<T>(path, input, owner);
const network = async (remark: string) =>
  (await call<{ gwid: string }>('/api/v3/network/create', { remark })).data.gwid;

async function device(gwid: string, remark: string): Promise<string> {
  const serial = newSerial();
  await server.db.database.systemPool.query(
    "insert into device (confirmed, account_id, serial, gwid, kind, remark, bound_at) values (true, $1, $2, $3, 'ap', $4, now())",
    [owner.accountId, serial, gwid, remark],
  );
  return serial;
}

describe('waiting devices', () => {
  async function waiting(remark: string, kind = 'ap'): Promise<string> {
    const serial = newSerial();
    await server.db.database.systemPool.query(
      'insert into device (confirmed, account_id, serial, kind, remark, bound_at) values (true, $1, $2, $3, $4, now())',
      [owner.accountId, serial, kind, remark],
    );
    return serial;
  }
  type Adopted = DataOf<typeof contract.adoptMany>;
  const adopt = (serials: string[], gwid: string) => call<Adopted>('/api/v3/device/adopt_many', { serials, gwid });

  it('are assigned in one act, with a result for each', async () => {
    const hall = await network('Hall');
    const yard = await network('Yard');
    const [first, second, router] = [await waiting('one'), await waiting('two'), await waiting('box', 'gateway')];
    const elsewhere = await device(yard, 'there');
    const answer = await adopt([second, first, elsewhere, router], hall);
    expect(answer.data.list).toEqual([
      { serial: second, result: 'assigned' },
      { serial: first, result: 'assigned' },
      { serial: elsewhere, result: 'placed' },
      { serial: router, result: 'gateway' },
    ]);
    const { data } = await call<{ list: { serial: string }[] }>('/api/v3/ap/list', { gwid: hall });
    expect(data.list.map(({ serial }) => serial).sort()).toEqual([first, second].sort());
    const { data: kept } = await call<{ total: number }>('/api/v3/ap/list', { gwid: yard });
    expect(kept.total).toBe(1);
    const { data: log } = await call<{ list: { action: string; after: object }[] }>('/api/v3/log/action/list', {});
    expect(log.list.filter(({ action }) => action === 'device.adopt')).toMatchObject([
      { after: { serials: [first, second, router].sort() } },
    ]);
    const late = await waiting('late', 'gateway');
    expect((await adopt([late], hall)).data.list).toEqual([{ serial: late, result: 'assigned' }]);
  });

  it('of another account are not found, and nothing is assigned', async () => {
    const hall = await network('Hall');
    const mine = await waiting('mine');
    const stranger = await server.register();
    const foreign = newSerial();
    await server.db.database.systemPool.query(
      "insert into device (confirmed, account_id, serial, kind, remark, bound_at) values (true, $1, $2, 'ap', 'theirs', now())",
      [stranger.accountId, foreign],
    );
    expect((await adopt([mine, foreign], hall)).code).toBe(4113);
    const { data } = await call<{ total: number }>('/api/v3/device/waiting/list', {});
    expect(data.total).toBe(1);
  });
});
