import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTelemetry } from '../../../../test/seed-statistics.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';

const now = new Date('2026-11-21T04:30:30Z');
const minutesAgo = (minutes: number) => new Date(Date.parse('2026-11-21T04:30:00Z') - minutes * 60_000);

let server: TestServer;
let owner: Registered;

interface Row {
  remark: string;
}

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
  owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, { now: () => now });
  const run = (text: string, values: unknown[]) => server.db.database.systemPool.query(text, values);
  const shops = [
    { name: 'Quiet', cpu: 70, used: 1, connections: 500, uptime: 900, sanity: 60, users: 2, bytes: 1000 },
    { name: 'Busy', cpu: 10, used: 3, connections: 20, uptime: 100, sanity: 100, users: 40, bytes: 9000 },
    { name: 'Silent', cpu: null, used: null, connections: null, uptime: null, sanity: null, users: null, bytes: 0 },
  ];
  for (const { name, cpu, used, connections, uptime, sanity, users, bytes } of shops) {
    const gwid = await telemetry.network(name);
    const gateway = await telemetry.device(gwid, { kind: 'gateway', online: true });
    await run('update network set gateway_serial = $1 where gwid = $2', [gateway, gwid]);
    const ap = await telemetry.device(gwid, { kind: 'ap', online: name !== 'Silent' });
    if (name === 'Busy') await telemetry.device(gwid, { kind: 'switch', online: true });
    await run('update device set remark = $1 where serial = $2', [name, ap]);
    if (cpu === null) continue;
    for (const serial of [gateway, ap]) {
      await run(
        `insert into device_latest (account_id, serial, at, uptime_s, cpu_pct, mem_used, mem_total, clients_total, sanity, edge)
         values ($1, $2, $3, $4, $5, $6, 4, $7, $8, $9)`,
        [owner.accountId, serial, now, uptime, cpu, used, users, sanity, JSON.stringify({ connections })],
      );
    }
    const report = { gwid, at: minutesAgo(3) };
    await telemetry.reports({ ...report, serial: ap, down_5g: bytes }, { ...report, serial: gateway, wan_down: bytes });
  }
});
afterAll(() => server.stop());

async function names(path: string, query: object): Promise<string[]> {
  const answer = await server.call<{ list: Row[] }>(path, { limit: 50, ...query }, owner);
  expect(answer.code, JSON.stringify(answer)).toBe(2000);
  return answer.data.list.map(({ remark }) => remark);
}

const up = ['Busy', 'Quiet', 'Silent'];
const down = ['Quiet', 'Busy', 'Silent'];

describe('networks in the order of a number', () => {
  it.each([
    ['cpu', up, down],
    ['memory', down, up],
    ['connections', up, down],
    ['running_time', up, down],
    ['online_user', down, up],
    ['rate', down, up],
  ])('%s, with unknown ones last', async (sort, ascending, descending) => {
    expect(await names('/api/v3/network/list', { sort, order: 'asc' })).toEqual(ascending);
    expect(await names('/api/v3/network/list', { sort, order: 'desc' })).toEqual(descending);
  });

  it('counts devices and online access points', async () => {
    expect((await names('/api/v3/network/list', { sort: 'device_num', order: 'desc' }))[0]).toBe('Busy');
    expect((await names('/api/v3/network/list', { sort: 'ap_online_num' }))[0]).toBe('Silent');
  });

  it('splits into pages without losing or repeating a network', async () => {
    const pages = [1, 2, 3].map((page) =>
      names('/api/v3/network/list', { sort: 'rate', order: 'desc', limit: 1, page }),
    );
    expect((await Promise.all(pages)).flat()).toEqual(up);
  });
});

describe('access points in the order of a number', () => {
  it.each([
    ['cpu', up, down],
    ['memory', down, up],
    ['connections', up, down],
    ['running_time', up, down],
    ['sanity', down, up],
    ['online_user', down, up],
    ['rate', down, up],
  ])('%s, with unknown ones last', async (sort, ascending, descending) => {
    expect(await names('/api/v3/ap/list', { sort, order: 'asc' })).toEqual(ascending);
    expect(await names('/api/v3/ap/list', { sort, order: 'desc' })).toEqual(descending);
  });
});

it('lists jobs by size and by end, open ones last', async () => {
  const insert = (operator: string, total: number, finished: Date | null) =>
    server.db.database.systemPool.query(
      `insert into job (account_id, id, type, status, total, params, created_by, operator, created_at, finished_at)
       values ($1, gen_random_uuid(), 'reboot', $5, $2, '{}', gen_random_uuid(), $3, now(), $4)`,
      [owner.accountId, total, operator, finished, finished ? 'succeeded' : 'running'],
    );
  await insert('large', 40, minutesAgo(9));
  await insert('small', 1, minutesAgo(5));
  await insert('open', 7, null);
  const jobs = async (query: object) => {
    const { data } = await server.call<{ list: { operator: string }[] }>('/api/v3/job/list', query, owner);
    return data.list.map(({ operator }) => operator);
  };
  expect(await jobs({ sort: 'total', order: 'desc' })).toEqual(['large', 'open', 'small']);
  expect(await jobs({ sort: 'finished_at', order: 'desc' })).toEqual(['small', 'large', 'open']);
  expect(await jobs({ sort: 'finished_at', order: 'asc' })).toEqual(['large', 'small', 'open']);
});
