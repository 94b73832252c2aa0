import type { layers, templatePush } from '@yunxun/contract';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { Targets } from './targets.ts';

export interface StandingBefore {
  scope: 'group' | 'network';
  ref: string;
  layerId: string | null;
  version: number | null;
}

interface ChangeTables {
  template_change: {
    account_id: string;
    id: string;
    layer_id: string;
    kind: layers.TemplateKind;
    name: string;
    version: number;
    takes_off: boolean;
    targets: Targets;
    plan: templatePush.PushPlan;
    standing_before: StandingBefore[];
    start_at: Date | null;
    created_at: Date;
    created_by: string;
  };
  template_round: {
    account_id: string;
    change_id: string;
    round: number;
    cause: (typeof templatePush.roundCauses)[number];
    job_id: string | null;
    created_at: Date;
    created_by: string;
  };
}

export type Change = ChangeTables['template_change'];
export type Round = ChangeTables['template_round'];

const db = (tx: Tx) => tables<ChangeTables>(tx);

export async function insertChange(tx: Tx, change: Change): Promise<void> {
  const json = <T>(value: T) => JSON.stringify(value) as T;
  const { targets, plan, standing_before } = change;
  await db(tx)
    .insertInto('template_change')
    .values({ ...change, targets: json(targets), plan: json(plan), standing_before: json(standing_before) })
    .execute();
}

/** Serialises its rounds. */
export function lockChange(tx: Tx, accountId: string, id: string): Promise<Change | undefined> {
  return db(tx)
    .selectFrom('template_change')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export function findChange(tx: Tx, accountId: string, id: string): Promise<Change | undefined> {
  return db(tx)
    .selectFrom('template_change')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function listChanges(
  tx: Tx,
  accountId: string,
  layerId: string | undefined,
  page: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: Change[]; total: number }> {
  let query = db(tx).selectFrom('template_change').where('account_id', '=', accountId);
  if (layerId) query = query.where('layer_id', '=', layerId);
  const order = page.descending ? 'desc' : 'asc';
  const rows = await query
    .selectAll()
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

export function roundsOf(tx: Tx, accountId: string, changeIds: readonly string[]): Promise<Round[]> {
  if (changeIds.length === 0) return Promise.resolve([]);
  return db(tx)
    .selectFrom('template_round')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('change_id', 'in', [...changeIds])
    .orderBy('change_id')
    .orderBy('round')
    .execute();
}

export async function insertRound(tx: Tx, round: Round): Promise<void> {
  await db(tx).insertInto('template_round').values(round).execute();
}

export async function knownChanges(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db(tx)
    .selectFrom('template_change')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
