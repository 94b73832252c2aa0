import type { AlarmSubscription } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import { purgeEnded } from './informed-recipients.ts';
import { type DeliveryTable, type EndpointTable, notifyTables, type SubscriptionTable } from './tables.ts';

export async function endpointsOf(tx: Tx, accountId: string, id?: string): Promise<EndpointTable[]> {
  const all = notifyTables(tx)
    .selectFrom('alarm_endpoint')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null);
  return (id ? all.where('subscription_id', '=', id) : all).orderBy('position').execute();
}

export async function findSubscription(
  tx: Tx,
  accountId: string,
  id: string,
  lock = false,
): Promise<SubscriptionTable | undefined> {
  const found = notifyTables(tx)
    .selectFrom('alarm_subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('ended_at', 'is', null);
  return (lock ? found.forNoKeyUpdate() : found).executeTakeFirst();
}

interface Counted {
  sent: number;
  recipients: number;
}

export async function readSubscriptions(tx: Tx, accountId: string): Promise<AlarmSubscription[]> {
  const rows = await notifyTables(tx)
    .selectFrom('alarm_subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const endpoints = grouped(await endpointsOf(tx, accountId), (row) => row.subscription_id);
  const last = await sql<Pick<DeliveryTable, 'subscription_id' | 'created_at' | 'state'> & Counted>`
    select s.id as subscription_id, newest.created_at, b.state, b.sent, b.recipients from alarm_subscription s
    cross join lateral (
      select batch_id, created_at from alarm_delivery d where d.account_id = s.account_id and d.subscription_id = s.id
      order by created_at desc limit 1) newest
    cross join lateral (
      select count(*)::int as recipients, (count(*) filter (where d.state = 'sent'))::int as sent,
        case when bool_or(d.state = 'failed') then 'failed' when bool_or(d.state = 'waiting') then 'waiting' else 'sent' end as state
      from alarm_delivery d where d.account_id = s.account_id and d.batch_id = newest.batch_id) b
    where s.account_id = ${accountId}
  `.execute(tx);
  const lastOf = new Map(last.rows.map((row) => [row.subscription_id, row]));
  return rows.map((row) => {
    const newest = lastOf.get(row.id);
    return {
      id: row.id,
      version: row.version,
      ...givenOf(row),
      endpoints: (endpoints.get(row.id) ?? []).map(({ id, type, shown, has_secret }) => ({
        id,
        type,
        shown,
        has_secret,
      })),
      last: newest
        ? { at: newest.created_at.toISOString(), state: newest.state, sent: newest.sent, recipients: newest.recipients }
        : null,
    };
  });
}

export function givenOf(row: SubscriptionTable): Omit<AlarmSubscription, 'id' | 'version' | 'endpoints' | 'last'> {
  const { name, enabled, locale, levels, kinds, scope: type, scope_ids: ids, members, member_channels } = row;
  const { schedule, quiet, digest_minutes, repeat_hours, recovery } = row;
  return {
    name,
    enabled,
    locale,
    levels,
    kinds,
    scope: { type, ids },
    members,
    member_channels,
    schedule,
    quiet,
    digest_minutes,
    repeat_hours,
    recovery,
  };
}

export async function writeSubscription(tx: Tx, row: SubscriptionTable): Promise<void> {
  const values = { ...row, schedule: JSON.stringify(row.schedule) as never };
  const { account_id: _account, id: _id, created_at: _created, ...changed } = values;
  await notifyTables(tx)
    .insertInto('alarm_subscription')
    .values(values)
    .onConflict((conflict) => conflict.columns(['account_id', 'id']).doUpdateSet(changed))
    .execute();
}

export interface MovedEndpoint {
  from: string;
  row: EndpointTable;
}

/** Former addresses stay for recoveries. */
export async function writeEndpoints(
  tx: Tx,
  { account_id: accountId, id }: Pick<SubscriptionTable, 'account_id' | 'id'>,
  { endpoints, moved, now }: { endpoints: readonly EndpointTable[]; moved: readonly MovedEndpoint[]; now: Date },
): Promise<void> {
  const kept = endpoints.map((one) => one.id);
  await notifyTables(tx)
    .updateTable('alarm_endpoint')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('subscription_id', '=', id)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`id <> all(${kept}::uuid[])`)
    .execute();
  if (endpoints.length > 0)
    await notifyTables(tx)
      .insertInto('alarm_endpoint')
      .values([...endpoints])
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'id']).doUpdateSet(({ ref }) => ({
          position: ref('excluded.position'),
          shown: ref('excluded.shown'),
          has_secret: ref('excluded.has_secret'),
          sealed: ref('excluded.sealed'),
        })),
      )
      .execute();
  for (const { from, row } of moved) {
    await notifyTables(tx).insertInto('alarm_endpoint').values(row).execute();
    await notifyTables(tx)
      .updateTable('alarm_delivery')
      .set({ endpoint_id: row.id })
      .where('account_id', '=', accountId)
      .where('endpoint_id', '=', from)
      .where('state', '=', 'sent')
      .execute();
  }
  await purgeEnded(tx, accountId);
}

export async function removeSubscription(tx: Tx, accountId: string, id: string, now: Date): Promise<void> {
  await notifyTables(tx)
    .updateTable('alarm_subscription')
    .set({ enabled: false, ended_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
  await purgeEnded(tx, accountId);
}

export async function knownSubscriptions(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await notifyTables(tx)
    .selectFrom('alarm_subscription')
    .select('id')
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}
