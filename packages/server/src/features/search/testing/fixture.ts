import { expect } from 'vitest';
import { seedPerson } from '../../../../test/seed-account.ts';
import { makeTelemetry } from '../../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { ManualClock } from '../../../platform/clock.ts';
import { insertStationRows } from '../../../telemetry/testing/stations.ts';
import { addMember } from '../../identity/rights.ts';
import type { Hit } from '../source.ts';

// mutable: set when the server starts
export const clock = new ManualClock(new Date());
export const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);
export const [phone, laptop, stranger] = ['3c22fb00aa01', '8c85900b1c2d', '3c22fb00aa99'];

export let server: TestServer;
export let owner: Registered;
/** A member of the account that is limited to the network of West Lake. */
export let limited: As;
export let lake: string;
export let depot: string;
export let lobby: string;
export let yard: string;

export const pool = () => server.db.database.systemPool;
export const name = (serial: string, remark: string, model: string, address: string) =>
  pool().query('update device set remark = $2, model = $3, public_address = $4 where serial = $1', [
    serial,
    remark,
    model,
    address,
  ]);

export async function hits(keyword: string, as: As = owner, more: object = {}): Promise<Hit[]> {
  const answer = await server.call<{ list: Hit[]; total: number }>('/api/v3/search/query', { keyword, ...more }, as);
  expect(answer.code, JSON.stringify(answer.errors)).toBe(2000);
  expect(answer.data.total).toBe(answer.data.list.length);
  return answer.data.list;
}
export const ids = async (keyword: string, kind: string, as?: As) =>
  (await hits(keyword, as)).filter((hit) => hit.kind === kind).map(({ id }) => id);

export async function startSearch(): Promise<void> {
  server = await startTestServer({ clock });
  owner = await server.register();
  const telemetry = await makeTelemetry(server, owner, clock);
  lake = await telemetry.network('西湖店');
  depot = await telemetry.network('Depot-North');
  lobby = await telemetry.device(lake, { kind: 'ap', online: true });
  yard = await telemetry.device(depot, { kind: 'ap', online: true });
  await name(lobby, '大堂 AP', 'EAP101', '203.0.113.7');
  await name(yard, 'Yard', 'EAP102', '198.51.100.20');
  const account_id = owner.accountId;
  const seen = (mac: string, hostname: string | null) => ({
    account_id,
    mac,
    hostname,
    first_seen: ago(900),
    last_seen: ago(1),
    random_mac: false,
    terminal_type: null,
    type_source: null,
    brand: null,
    os: null,
  });
  await insertStationRows(server.db.database, 'station', [
    seen(phone, 'Annas-iPhone'),
    seen(laptop, '张三的电脑'),
    seen(stranger, null),
  ]);
  const open = (serial: string, gwid: string, mac: string, ip: string, username: string | null) => ({
    account_id,
    serial,
    mac,
    bssid: 'a0b1c2d3e4f5',
    gwid,
    ssid: 'Staff',
    band: 5,
    ip,
    username,
    authenticated: username !== null,
    started_at: ago(30),
    last_at: ago(1),
    rssi: -50,
  });
  await insertStationRows(server.db.database, 'station_open', [
    open(lobby, lake, phone, '192.168.10.21', '13800001111'),
    open(yard, depot, laptop, '192.168.11.200', null),
    open(yard, depot, stranger, '10.20.30.40', null),
  ]);
  await server.call('/api/v3/user_online/update', { mac: stranger, remark: 'Forklift-scanner' }, owner);
  const member = await seedPerson(server);
  await server.db.database.withSystem((tx) =>
    addMember(
      tx,
      owner.accountId,
      { accountId: member.accountId, personId: member.personId },
      { role: 'admin', gwids: [lake] },
      clock.now(),
    ),
  );
  limited = { token: member.token, account: owner.accountId };
}

export const stopSearch = () => server.stop();
