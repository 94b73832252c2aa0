import type { users as contract, DataOf, InputOf } from '@yunxun/contract';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { SessionTotals } from '../../telemetry/index.ts';
import { type StationOrder, type StationQuery, stationPage } from '../../telemetry/read/index.ts';
import { guestDays, guestsNow } from '../portal/index.ts';
import { type Shown, userRows } from './rows.ts';
import { listed, macsMarked } from './store.ts';

type ListInput = InputOf<typeof contract.list>;
export type UserFilter = Omit<ListInput, 'page' | 'limit'>;

const mebibyte = 1024 * 1024;
/** With today, as on the home page. */
const monthDays = 30;

export async function queryOf(tx: Tx, shown: Shown, input: UserFilter): Promise<StationQuery> {
  const { accountId, day } = shown;
  const { tab, keyword } = input;
  const month = startOfDay(addDays(day, 1 - monthDays), shown.zone);
  return {
    tab: tab === 'today' || tab === 'history' ? tab : 'online',
    day,
    gwids: input.gwid ? [input.gwid] : shown.gwids,
    visible: shown.visible,
    macs: input.vip ? await macsMarked(tx, accountId, { vip: true }) : null,
    keyword,
    ...(tab === 'today' ? { leftSince: startOfDay(day, shown.zone) } : {}),
    ...(keyword ? { alsoMacs: await macsMarked(tx, accountId, { remark: keyword }) } : {}),
    ...(input.terminal ? { terminal: input.terminal === 'unknown' ? null : input.terminal } : {}),
    ...(input.random ? { random: input.random === 'true' } : {}),
    ...(input.auth ? { authenticated: input.auth !== 'none', guests: await guestMacs(tx, shown, input) } : {}),
    ...(input.flow_above ? { flowAbove: Number(input.flow_above) * mebibyte } : {}),
    ...(input.band ? { band: Number(input.band) } : {}),
    ...(input.rssi_below ? { rssiBelow: Number(input.rssi_below) } : {}),
    ...(input.seen ? { seenSince: month } : {}),
    ...(input.known === 'new' ? { firstSince: month } : {}),
    ...(input.known === 'old' ? { firstBefore: month } : {}),
    serial: input.serial,
    ssid: input.ssid,
  };
}

async function guestMacs(tx: Tx, { accountId, gwids, day, zone, now }: Shown, { tab, gwid }: UserFilter) {
  const within = { gwids: gwid ? [gwid] : gwids, now };
  const macs =
    tab === 'today'
      ? (await guestDays(tx, accountId, { ...within, from: day, zone })).map(({ mac }) => mac)
      : await guestsNow(tx, accountId, within);
  return macs.filter((mac) => mac !== null);
}

export function orderOf({ tab }: StationQuery, { sort, order }: Pick<ListInput, 'sort' | 'order'>): StationOrder {
  return {
    by: sort ?? (tab === 'online' ? 'login_at' : 'last_seen'),
    descending: (order ?? (sort ? 'asc' : 'desc')) === 'desc',
  };
}

/** Returns MACs visible to a delegation, newest first. */
export async function listedUsers(
  tx: Tx,
  shown: Shown,
  list: 'blocked' | 'allowed',
  keyword?: string,
): Promise<string[]> {
  const macs = (await listed(tx, shown.accountId, list, keyword)).map(({ mac }) => mac);
  if (!shown.gwids || macs.length === 0) return macs;
  const seen: StationQuery = { tab: 'history', day: shown.day, gwids: shown.gwids, macs };
  const page = { limit: macs.length, offset: 0 };
  const known = new Set((await stationPage(tx, shown.accountId, seen, { by: 'mac', descending: false }, page)).macs);
  return macs.filter((mac) => known.has(mac));
}

export async function listUsers(
  tx: Tx,
  shown: Shown,
  input: ListInput,
  totals: Pick<SessionTotals, 'complete'>,
): Promise<DataOf<typeof contract.list>> {
  const limit = input.limit ?? 10;
  const page = { limit, offset: ((input.page ?? 1) - 1) * limit };
  const as_of = shown.now.toISOString();
  if (input.tab === 'blocked' || input.tab === 'allowed') {
    const macs = await listedUsers(tx, shown, input.tab, input.keyword);
    const list = await userRows(tx, shown, macs.slice(page.offset, page.offset + limit));
    return { list, total: macs.length, as_of };
  }
  const query = await queryOf(tx, shown, input);
  const { macs, total } = await stationPage(tx, shown.accountId, query, orderOf(query, input), page);
  await totals.complete(tx, shown.accountId, macs);
  return { list: await userRows(tx, { ...shown, gwids: query.gwids }, macs), total, as_of };
}
