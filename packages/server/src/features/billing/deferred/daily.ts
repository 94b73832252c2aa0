import { sql } from 'kysely';
import { addDays, dayOf, startOfDay } from '../../../platform/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import { accounts } from '../../identity/index.ts';
import { closedUntil } from '../books/months.ts';
import { lockMoney, post } from '../service.ts';
import { addSold, openItems, storeLiabilities } from './items.ts';
import { liabilityAt } from './liability.ts';
import { deferredTables } from './tables.ts';

interface Setting {
  since: Date;
  until: Date | null;
  booked_day: string;
  version: number;
}

export async function readSetting(tx: Tx, accountId: string): Promise<Setting | null> {
  const row = await deferredTables(tx)
    .selectFrom('billing_deferred_setting')
    .select(['since', 'until', 'version', sql<string>`booked_day::text`.as('booked_day')])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** Books each day of the account's zone that has ended since the last booked one. */
export async function bookDeferred(tx: Tx, accountId: string, now: Date): Promise<void> {
  await lockMoney(tx, accountId);
  const setting = await readSetting(tx, accountId);
  if (!setting) return;
  const { time_zone: zone } = await accounts.accountOf(tx, accountId);
  const last = addDays(dayOf(now, zone), -1);
  if (setting.booked_day >= last) return;
  const closed = await closedUntil(tx, accountId);
  // the last booked day may have ended in another zone
  const before = startOfDay(addDays(setting.booked_day, -1), zone);
  await addSoldOf(tx, accountId, setting, before, startOfDay(addDays(setting.booked_day, 1), zone));
  for (let day = addDays(setting.booked_day, 1); day <= last; day = addDays(day, 1)) {
    const [begin, end] = [startOfDay(day, zone), startOfDay(addDays(day, 1), zone)];
    await addSoldOf(tx, accountId, setting, begin, end);
    await bookDay(tx, accountId, { day, end, zone, closed });
  }
  await deferredTables(tx)
    .updateTable('billing_deferred_setting')
    .set({ booked_day: last })
    .where('account_id', '=', accountId)
    .execute();
}

export async function addSoldOf(
  tx: Tx,
  accountId: string,
  { since, until }: Pick<Setting, 'since' | 'until'>,
  begin: Date,
  end: Date,
): Promise<void> {
  const from = since > begin ? since : begin;
  const to = until && until < end ? until : end;
  if (from < to) await addSold(tx, accountId, from, to);
}

async function bookDay(
  tx: Tx,
  accountId: string,
  { day, end, zone, closed }: { day: string; end: Date; zone: string; closed: Date | null },
): Promise<void> {
  const changes = new Map<string | null, number>();
  const items = await openItems(tx, accountId, end);
  const changed = items.flatMap((item) => {
    const liabilityFen = liabilityAt(item, { day, end, zone });
    const changeFen = liabilityFen - item.liabilityFen;
    const ended = item.endsAt <= end;
    if (changeFen === 0 && !ended) return [];
    changes.set(item.networkId, (changes.get(item.networkId) ?? 0) + changeFen);
    return [{ source: item.source, sourceId: item.sourceId, liabilityFen, changeFen, ended }];
  });
  await storeLiabilities(tx, accountId, day, changed);
  const lastMoment = new Date(end.getTime() - 1);
  const at = closed && lastMoment < closed ? closed : lastMoment;
  for (const [gwid, fen] of changes)
    if (fen !== 0)
      await post(tx, {
        accountId,
        key: `deferral:${day}:${gwid ?? ''}`,
        kind: 'deferral',
        at,
        gwid,
        entries: [
          { ledger: 'earned', fen },
          { ledger: 'deferred', fen: -fen },
        ],
      });
}

export function createDeferredTask({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
  return async function bookAll(): Promise<void> {
    const rows = await deferredTables(database.system)
      .selectFrom('billing_deferred_setting')
      .select('account_id')
      .execute();
    const failed: Error[] = [];
    for (const { account_id: account } of rows)
      await database
        .withSystem((tx) => bookDeferred(tx, account, clock.now()))
        .catch((error: Error) => {
          log.warn({ account, reason: error.message }, 'deferred income not booked');
          failed.push(error);
        });
    if (failed.length > 0) throw new AggregateError(failed, 'deferred income was not booked');
  };
}
