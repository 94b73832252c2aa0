import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFixture, today } from '../src/features/users/testing/fixture.ts';
import { insertStationRows } from '../src/telemetry/testing/stations.ts';
import { endpoints } from './endpoints.ts';

type Row = Record<string, unknown>;

let fixture: Awaited<ReturnType<typeof startFixture>>;

const sortsOf = (path: string): string[] => {
  const found = endpoints.find((each) => each.path === path);
  return (found!.body as { properties: { sort: { enum: string[] } } }).properties.sort.enum;
};
const exported = endpoints.map(({ path }) => path).filter((path) => path.endsWith('/export') && sortable(path));

function sortable(path: string): boolean {
  const found = endpoints.find((each) => each.path === path);
  return 'sort' in ((found?.body as { properties?: object } | undefined)?.properties ?? {});
}

beforeAll(async () => {
  fixture = await startFixture();
  const { server, owner, shop, ap } = fixture;
  const { database } = server.db;
  const at = new Date(Date.now() - 120_000);
  // ties and nulls in every sorted column
  const macs = Array.from({ length: 24 }, (_, n) => `3c22fb01${(n * 37).toString(16).padStart(4, '0')}`);
  await insertStationRows(
    database,
    'station',
    macs.map((mac, n) => ({
      account_id: owner.accountId,
      mac,
      first_seen: at,
      last_seen: at,
      random_mac: false,
      terminal_type: null,
      type_source: null,
      brand: null,
      os: null,
      hostname: n % 3 ? ['Ä', 'a', 'B', '收银台'][n % 4]! : null,
    })),
  );
  await insertStationRows(
    database,
    'station_open',
    macs.map((mac, n) => ({
      account_id: owner.accountId,
      serial: ap.lobby,
      mac,
      bssid: n % 2 ? `${ap.lobby.slice(0, 11)}5` : '',
      gwid: shop,
      band: n % 2 ? 5 : 0,
      ssid: n % 2 ? 'Guests' : null,
      port: null,
      ip: null,
      username: null,
      authenticated: false,
      started_at: at,
      last_at: at,
      down: n % 5,
      up: 0,
      rssi_sum: 0,
      rssi_n: 0,
      rssi: n % 2 && n % 3 ? -60 : null,
    })),
  );
  await insertStationRows(
    database,
    'station_day',
    macs.map((mac, n) => ({
      account_id: owner.accountId,
      day: today,
      gwid: shop,
      mac,
      first_at: at,
      last_at: at,
      seconds: 60,
      hours: 1,
      down: (n % 4) * 1000,
      up: 0,
      sessions: 1,
      is_new: false,
      authenticated: false,
      wireless: true,
    })),
  );
  for (let n = 0; n < 14; n += 1) {
    const input = {
      gwid: shop,
      name: `Camera-${n % 7}${n < 7 ? '' : 'b'}`,
      type: n % 2 ? 'camera' : 'printer',
      ip: `192.168.${(n * 5) % 7}.${200 - n}`,
      mode: 'tcp',
      detect_port: 554,
      web_port: null,
      shell_port: null,
    };
    expect((await server.call('/api/v3/peripheral/create', input, owner)).code).toBe(2000);
  }
});
afterAll(() => fixture.server.stop());

const filters: Record<string, object[]> = {
  '/api/v3/user_online/export': ['online', 'today', 'history'].map((tab) => ({ tab })),
  '/api/v3/asset/export': [{ random: 'include' }],
};
const identity = (row: Row) => row.mac ?? row.id;

it.each(exported)('%s has the order of its list, by every column and both ways', async (path) => {
  const { server, owner, shop } = fixture;
  for (const filter of filters[path] ?? [{}]) {
    for (const sort of [undefined, ...sortsOf(path)]) {
      for (const order of [undefined, 'asc', 'desc']) {
        const input = { gwid: shop, ...filter, ...(sort && { sort }), ...(order && { order }) };
        const shown = await server.call<{ list: Row[]; total: number }>(
          path.replace(/export$/, 'list'),
          { ...input, limit: 100 },
          owner,
        );
        const { data } = await server.call<{ url: string }>(path, { ...input, format: 'json' }, owner);
        const { rows } = (await (await fetch(server.url + data.url)).json()) as { rows: Row[] };
        expect(rows.length).toBeGreaterThan(10);
        expect({ ...input, rows: rows.map(identity) }).toEqual({ ...input, rows: shown.data.list.map(identity) });
      }
    }
  }
});

it('compares every export that can be sorted; the logs have tests of their own', () => {
  expect(exported.toSorted()).toEqual([
    '/api/v3/asset/export',
    '/api/v3/peripheral/export',
    '/api/v3/user_online/export',
  ]);
});
