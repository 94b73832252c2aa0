import type { configuration } from '@yunxun/contract';
import { sql } from 'kysely';
import { type Tx, tables } from '../../platform/database/index.ts';
import type { PlanBand, Power, Proposal } from './propose.ts';

interface PlanTable {
  account_id: string;
  id: string;
  gwid: string;
  state: 'proposed' | 'applied' | 'reverted' | 'discarded';
  bands: PlanBand[];
  dfs: boolean;
  radios: number;
  scanned: number;
  aps: number;
  operator: string;
  created_at: Date;
  applied_at: Date | null;
  job_id: string | null;
}

interface ItemTable {
  account_id: string;
  plan_id: string;
  serial: string;
  band: PlanBand;
  from_channel: number | null;
  to_channel: number;
  from_power: Power;
  to_power: Power;
  gain: number;
  own_before: configuration.RadioSettings | null;
  applied: boolean;
}

interface PlanTables {
  radio_plan: PlanTable;
  radio_plan_item: ItemTable;
}

export type Plan = PlanTable;
export type PlanItem = ItemTable;

const db = (tx: Tx) => tables<PlanTables>(tx);

export async function insertPlan(
  tx: Tx,
  plan: Omit<Plan, 'applied_at' | 'job_id'>,
  changes: readonly Proposal[],
): Promise<void> {
  await db(tx)
    .insertInto('radio_plan')
    .values({ ...plan, applied_at: null, job_id: null })
    .execute();
  if (changes.length === 0) return;
  await db(tx)
    .insertInto('radio_plan_item')
    .values(
      changes.map((change) => ({
        account_id: plan.account_id,
        plan_id: plan.id,
        serial: change.serial,
        band: change.band,
        from_channel: change.fromChannel,
        to_channel: change.toChannel,
        from_power: change.fromPower,
        to_power: change.toPower,
        gain: change.gain,
        own_before: null,
        applied: false,
      })),
    )
    .execute();
}

/** `lock`: until the end of the transaction. */
export function findPlan(tx: Tx, accountId: string, id: string, lock = false): Promise<Plan | undefined> {
  const found = db(tx).selectFrom('radio_plan').selectAll().where('account_id', '=', accountId).where('id', '=', id);
  return (lock ? found.forUpdate() : found).executeTakeFirst();
}

/** Returns the largest gain first. */
export function itemsOf(tx: Tx, accountId: string, planId: string): Promise<PlanItem[]> {
  return db(tx)
    .selectFrom('radio_plan_item')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('plan_id', '=', planId)
    .orderBy('gain', 'desc')
    .orderBy('serial')
    .orderBy('band')
    .execute();
}

export async function updatePlan(
  tx: Tx,
  accountId: string,
  id: string,
  patch: Partial<Pick<Plan, 'state' | 'applied_at' | 'job_id'>>,
): Promise<void> {
  await db(tx).updateTable('radio_plan').set(patch).where('account_id', '=', accountId).where('id', '=', id).execute();
}

export async function noteApplied(
  tx: Tx,
  { account_id, plan_id, serial, band }: PlanItem,
  before: configuration.RadioSettings | null,
): Promise<void> {
  await db(tx)
    .updateTable('radio_plan_item')
    .set({ applied: true, own_before: before && sql<configuration.RadioSettings>`${JSON.stringify(before)}::jsonb` })
    .where('account_id', '=', account_id)
    .where('plan_id', '=', plan_id)
    .where('serial', '=', serial)
    .where('band', '=', band)
    .execute();
}

export async function changesOf(tx: Tx, accountId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom('radio_plan_item')
    .select((select) => ['plan_id', select.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('plan_id', 'in', [...ids])
    .groupBy('plan_id')
    .execute();
  return new Map(rows.map(({ plan_id, count }) => [plan_id, Number(count)]));
}

export async function plansOf(
  tx: Tx,
  accountId: string,
  gwid: string,
  page: { limit: number; offset: number },
): Promise<{ list: Plan[]; total: number }> {
  const all = db(tx).selectFrom('radio_plan').where('account_id', '=', accountId).where('gwid', '=', gwid);
  const list = await all
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { list, total: Number(total) };
}

export async function knownPlans(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db(tx)
    .selectFrom('radio_plan')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
