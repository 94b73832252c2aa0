import type { users as contract, DataOf, InputOf } from '@yunxun/contract';
import { addDays, startOfDay } from '../../platform/calendar.ts';
import type { Tx } from '../../platform/database/index.ts';
import { type StationOrder, type StationQuery, stationPage } from '../../telemetry/read/index.ts';
import { type Shown, userRows } from './rows.ts';
import { listed, macsMarked } from './store.ts';

type ListInput = InputOf<typeof contract.list>;
/** What a list is filtered by, and its order. */
export type UserFilter = Omit<ListInput, 'page' | 'limit'>;

const mebibyte = 1024 * 1024;
/** The days of "seen" and "known", today included: those of the home page's models. */
const monthDays = 30;

/** What telemetry is asked for a list of who is, was today, or was ever there. */
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
    ...(input.auth ? { authenticated: input.auth !== 'none' } : {}),
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

/** The order of a list: as somebody asked, else the latest first. */
export function orderOf({ tab }: StationQuery, { sort, order }: Pick<ListInput, 'sort' | 'order'>): StationOrder {
  return {
    by: sort ?? (tab === 'online' ? 'login_at' : 'last_seen'),
    descending: (order ?? (sort ? 'asc' : 'desc')) === 'desc',
  };
}

/** The MACs that are on a list and that somebody with a right for some networks may know, last listed first. */
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

/** A page of terminals. */
export async function listUsers(tx: Tx, shown: Shown, input: ListInput): Promise<DataOf<typeof contract.list>> {
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
  return { list: await userRows(tx, { ...shown, gwids: query.gwids }, macs), total, as_of };
}
