import type { DataOf, statistics, users as usersContract, wirelessMonitor } from '@yunxun/contract';
import { expect } from 'vitest';
import type { Registered, TestServer } from '../../server.ts';

export interface Shown {
  online: number;
  authenticated: number;
  today: number;
  todayAuthenticated: number;
  /** Bytes; of 0–6 and 19–24 h. */
  uplink: number;
  stage: [number, number];
  /** 2.4, 5 and 6 GHz: clients now, bytes down and up today. */
  bands: [number, number | null, number | null][];
  wirelessToday: [number | null, number | null];
  week: number | null;
  /** Yesterday and today: users, new, returning. */
  trend: (number | null)[][];
  authenticatedDays: number;
  users: number;
  newUsers: number;
  visits: number;
  /** Below 30 minutes, up to an hour, longer. */
  dwell: [number, number, number];
  parts: [number, number];
  random: number;
  types: Record<string, number>;
  unknownTypes: number;
  list: Row[];
  listToday: [string, number][];
  /** Clients with an address that begins with `found`. */
  foundToday: string[];
  /** Bytes per closed five minutes, by band; null: no report. */
  series: (number | null)[][];
}

export interface Row {
  mac: string;
  serial: string;
  gwid: string;
  bssid: string | null;
  band: number;
  /** Null: not measured. */
  down: number | null;
  up: number | null;
  since: number;
}

export const found = '192.168.1.1';

export interface Look {
  server: TestServer;
  owner: Registered;
  gwid: string | null;
  begin: number;
}

export async function look({ server, owner, gwid, begin }: Look): Promise<Shown> {
  const of = gwid ? { gwid } : {};
  const ask = async <T>(path: string, input: object = {}): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/${path}`, { ...of, ...input }, owner);
    expect(answer, JSON.stringify(answer)).toMatchObject({ code: 2000 });
    return answer.data;
  };
  const complex = await ask<DataOf<typeof statistics.complex>>('user_stat/complex');
  const aps = await ask<DataOf<typeof statistics.apComplex>>('user_stat/ap_complex');
  const trend = await ask<DataOf<typeof statistics.clientNum>>('user_stat/client_num', { day: 7 });
  const flow = await ask<DataOf<typeof statistics.flowModel>>('user_stat/flow_model', { day: 30 });
  const model = await ask<DataOf<typeof statistics.userModel>>('user_stat/user_model', { day: 30 });
  type List = DataOf<typeof usersContract.list>;
  const online = await ask<List>('user_online/list', { tab: 'online', limit: 200, sort: 'mac' });
  const today = await ask<List>('user_online/list', { tab: 'today', limit: 200, sort: 'mac' });
  const addressed = await ask<List>('user_online/list', { tab: 'today', limit: 200, sort: 'mac', keyword: found });
  const air = await ask<DataOf<typeof wirelessMonitor.wirelessSeries>>('wireless/series', { step: '5m' });
  expect([online.total, today.total]).toEqual([online.list.length, today.list.length]);
  const lines = [air.current.flow['2.4G'], air.current.flow['5G'], air.current.flow['6G']];
  const first = (begin - Date.parse(air.from)) / 300_000;
  const slots = (Date.parse(air.to) - begin) / 300_000;
  return {
    online: complex.current_online,
    authenticated: complex.current_auth,
    today: complex.today_online_amount,
    todayAuthenticated: complex.today_auth_amount,
    uplink: complex.cumulative_flow.total,
    stage: [value(flow.stage, '0~6'), value(flow.stage, '19~00')],
    bands: aps.bands.map((band) => [band.online, band.download, band.upload]),
    wirelessToday: [aps.ap_flow.download, aps.ap_flow.upload],
    week: aps.ap_flow.week_flow,
    trend: trend.slice(-2).map((row) => [row.online_number, row.new_user_number, row.old_user_number]),
    authenticatedDays: value(flow.auth_type, 'portal'),
    users: model.users,
    newUsers: value(model.user_label, 'new'),
    visits: model.visits,
    dwell: [
      value(model.user_time, '<30'),
      value(model.user_time, '>30'),
      model.visits - value(model.user_time, '<30') - value(model.user_time, '>30'),
    ],
    parts: [value(model.client_time_block, '0~6'), value(model.client_time_block, '19~00')],
    random: model.random_mac,
    types: Object.fromEntries(flow.client_type.map((entry) => [entry.name, entry.value])),
    unknownTypes: flow.client_type_unknown,
    list: online.list.map((row) => ({
      mac: row.mac,
      serial: row.serial!,
      gwid: row.gwid!,
      bssid: row.bssid,
      band: row.band!,
      down: row.down,
      up: row.up,
      since: (Date.parse(row.login_at!) - begin) / 1000,
    })),
    listToday: today.list.map((row) => [row.mac, row.flow_today]),
    foundToday: addressed.list.map((row) => row.mac),
    series: Array.from({ length: slots }, (_, slot) => lines.map((line) => line[first + slot] ?? null)),
  };
}

function value(list: readonly { name: string; value: number }[], name: string): number {
  return list.find((entry) => entry.name === name)?.value ?? 0;
}
