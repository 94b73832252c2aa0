import type { alarms as contract, DataOf } from '@yunxun/contract';
import { networksOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { levelCurve, levelStepS } from '../../telemetry/read/past-levels.ts';
import { members } from '../identity/index.ts';
import { type History, levelsOf, poolsOf } from './past.ts';
import { alarmTables } from './tables.ts';

/** Milliseconds shown before the begin. */
const beforeMs = 60 * 60_000;

/**
 * Returns a curve if its history is stored.
 * @throws Failure notFound
 */
export async function alarmMetric(
  tx: Tx,
  accountId: string,
  now: Date,
  id: string,
  { historyOf }: Pick<History, 'historyOf'>,
): Promise<DataOf<typeof contract.metric>> {
  const row = await alarmTables(tx)
    .selectFrom('alarm')
    .select(['kind', 'serial', 'began_at', 'recovered_at', 'threshold'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new Failure('notFound');
  const history = levelsOf(historyOf(row.kind));
  if (!history || row.serial === null) return { curve: null };
  const { level } = history;
  const from = new Date(row.began_at.getTime() - beforeMs);
  const { serial, threshold } = row;
  const pools = await poolsOf(tx, accountId, history, serial);
  if (pools.pools?.has(serial) === false) return { curve: null };
  const curve = await levelCurve(tx, accountId, { level, serial, from, to: row.recovered_at ?? now, ...pools });
  if (curve.values.every((value) => value === null)) return { curve: null };
  return { curve: { from: curve.from.toISOString(), step: levelStepS, values: curve.values, threshold } };
}

/** Returns possible assignees, the caller first. */
export async function alarmPeople(database: Database, acting: Acting): Promise<DataOf<typeof contract.people>> {
  const { accountId, userId, actor } = acting;
  const self = actor && userId !== null ? [{ id: userId, name: actor.name }] : [];
  if (actor && networksOf(actor)) return { list: self };
  const people = await database.withSystem((tx) => members.contactsOf(tx, accountId));
  return { list: [...self, ...people.flatMap(({ id, name }) => (id === userId ? [] : [{ id, name }]))] };
}
