import type { users as contract, DataOf } from '@yunxun/contract';
import { macOfSerial } from '@yunxun/contract/device';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { TableFile } from '../../platform/http/download.ts';
import { endedSessions, openSessions, stationMacs } from '../../telemetry/read/index.ts';
import { sessionRows } from './detail.ts';
import { listedUsers, orderOf, queryOf, type UserFilter } from './list.ts';
import { userRows } from './rows.ts';
import { shownTo } from './shown.ts';

type UserRow = DataOf<typeof contract.update>;
type ClientSessionRow = DataOf<typeof contract.history>['list'][number];

const at = (time: string | null) => (time === null ? null : new Date(time));
const band = (value: number | null) =>
  value === null ? null : value === 0 ? 'wired' : value === 2 ? '2.4G' : `${value}G`;

/** Null: all. */
async function visible(tx: Tx): Promise<string[] | null> {
  const { rows } = await sql<{ gwids: string[] | null }>`select platform.networks() as gwids`.execute(tx);
  return rows[0]?.gwids ?? null;
}

/** Exports clients; phone numbers stay masked. */
export function userFile(clock: Clock): TableFile<UserFilter, UserRow> {
  return {
    name: 'terminals',
    permission: 'user.read',
    columns: {
      mac: (row) => macOfSerial(row.mac),
      random_mac: (row) => row.random_mac,
      online: (row) => row.online,
      hostname: (row) => row.hostname,
      remark: (row) => row.remark,
      vip: (row) => row.vip,
      list: (row) => row.list,
      type: (row) => row.terminal.type,
      brand: (row) => row.terminal.brand,
      os: (row) => row.terminal.os,
      network: (row) => row.network,
      device: (row) => row.device,
      ssid: (row) => row.ssid,
      band: (row) => band(row.band),
      ip: (row) => row.ip,
      ipv6: (row) => row.ipv6,
      rssi_dbm: (row) => row.rssi,
      account: (row) => row.phone_masked ?? row.account,
      session_since: (row) => at(row.login_at),
      session_down_bytes: (row) => row.down,
      session_up_bytes: (row) => row.up,
      today_bytes: (row) => row.flow_today,
      first_seen: (row) => at(row.first_seen),
      last_seen: (row) => at(row.last_seen),
    },
    json: (row) => row,
    async begin(first, { accountId, filter }, limit) {
      return { keys: await keys(), rows };

      async function keys(): Promise<readonly string[]> {
        const shown = await shownTo(first, accountId, await visible(first), clock.now());
        if (filter.tab === 'blocked' || filter.tab === 'allowed')
          return listedUsers(first, shown, filter.tab, filter.keyword);
        const query = await queryOf(first, shown, filter);
        return stationMacs(first, accountId, query, orderOf(query, filter), limit);
      }

      async function rows(tx: Tx, macs: readonly string[]): Promise<UserRow[]> {
        const shown = await shownTo(tx, accountId, await visible(tx), clock.now());
        const onList = filter.tab === 'blocked' || filter.tab === 'allowed';
        return userRows(tx, onList ? shown : { ...shown, gwids: filter.gwid ? [filter.gwid] : shown.gwids }, macs);
      }
    },
  };
}

export function sessionFile(): TableFile<{ mac: string }, ClientSessionRow> {
  return {
    name: 'stays',
    permission: 'user.read',
    columns: {
      time: (row) => at(row.started_at),
      ended_at: (row) => at(row.ended_at),
      end_reason: (row) => row.end_reason,
      network: (row) => row.network,
      device: (row) => row.device,
      ssid: (row) => row.ssid,
      bssid: (row) => row.bssid,
      band: (row) => band(row.band),
      ip: (row) => row.ip,
      ipv6: (row) => row.ipv6,
      down_bytes: (row) => row.down,
      up_bytes: (row) => row.up,
      rssi_mean_dbm: (row) => (row.rssi_mean === null ? null : Math.round(row.rssi_mean)),
      rssi_min_dbm: (row) => row.rssi_min,
    },
    json: (row) => row,
    async page(tx, { accountId, filter: { mac } }, after, limit) {
      const gwids = await visible(tx);
      const open = after === null ? await openSessions(tx, accountId, { mac, gwids }) : [];
      const before = after?.ended_at ? new Date(after.ended_at) : null;
      // sessions may end at the same instant
      const ended = await endedSessions(tx, accountId, { mac, gwids, before, limit: Math.max(0, limit - open.length) });
      return sessionRows(tx, accountId, [...open, ...ended]);
    },
  };
}
