import type { AlarmEventType, AlarmKind, AlarmLevel, AlarmState } from '@yunxun/contract';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { fleetDevices } from '../../fleet/index.ts';
import { type NoticeTable, notifyTables, type SubscriptionTable } from './tables.ts';

export const dispatchTask = 'alarms-notify';

/** Rows of one statement. */
const batch = 1000;

export interface Change {
  id: string;
  kind: AlarmKind;
  level: AlarmLevel;
  state: AlarmState;
  gwid: string;
  serial: string | null;
  cause: string | null;
  type: AlarmEventType;
  at: Date;
}

const events: Partial<Record<AlarmEventType, NoticeTable['event']>> = {
  opened: 'opened',
  reopened: 'opened',
  unfolded: 'opened',
  // its notice may have been dropped; informed recipients get no second one
  unsilenced: 'opened',
  silence_ended: 'silence_ended',
  recovered: 'recovered',
  uncovered: 'recovered',
  resolved: 'recovered',
};

/** Writes notices with the changes: none for folded incidents, recoveries to recipients of the opening. */
export async function decideNotices(tx: Tx, accountId: string, changes: readonly Change[]): Promise<void> {
  const wanted = changes.filter(({ type }) => events[type]);
  if (wanted.length === 0) return;
  const subscriptions = await notifyTables(tx)
    .selectFrom('alarm_subscription')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
  if (subscriptions.length === 0) return;
  const groups = await groupsOf(tx, accountId, subscriptions, wanted);
  const notified = await notifiedSubscriptions(tx, accountId, wanted);
  const rows = wanted.flatMap((change) => {
    const event = events[change.type]!;
    return subscriptions
      .filter((one) =>
        event === 'recovered'
          ? one.recovery && notified.get(change.id)?.has(one.id)
          : one.enabled && change.state === 'firing' && change.cause === null && isAbout(one, change, groups),
      )
      .map((one) => rowOf(accountId, one, change, event));
  });
  for (let at = 0; at < rows.length; at += batch)
    await notifyTables(tx)
      .insertInto('alarm_notice')
      .values(rows.slice(at, at + batch))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (rows.length > 0) await enqueue(tx, dispatchTask, {}, { key: dispatchTask, queue: dispatchTask });
}

function rowOf(accountId: string, one: SubscriptionTable, change: Change, event: NoticeTable['event']) {
  return {
    account_id: accountId,
    id: newId(),
    subscription_id: one.id,
    alarm_id: change.id,
    event,
    at: change.at,
    due_at: new Date(change.at.getTime() + one.digest_minutes * 60_000),
    state: 'waiting' as const,
    reason: null,
    batch_id: null,
    decided_at: null,
  };
}

function isAbout(one: SubscriptionTable, change: Change, groups: ReadonlyMap<string, string | null>): boolean {
  if (!one.levels.includes(change.level)) return false;
  if (one.kinds.length > 0 && !one.kinds.includes(change.kind)) return false;
  if (one.scope === 'all') return true;
  if (one.scope === 'networks') return one.scope_ids.includes(change.gwid);
  const group = change.serial === null ? null : groups.get(change.serial);
  return group != null && one.scope_ids.includes(group);
}

async function groupsOf(
  tx: Tx,
  accountId: string,
  subscriptions: readonly SubscriptionTable[],
  changes: readonly Change[],
): Promise<ReadonlyMap<string, string | null>> {
  if (!subscriptions.some(({ scope }) => scope === 'groups')) return new Map();
  const refs = changes.flatMap(({ serial }) => (serial === null ? [] : [{ accountId, serial }]));
  return new Map((await fleetDevices.placed(tx, refs)).map(({ serial, groupId }) => [serial, groupId]));
}

async function notifiedSubscriptions(
  tx: Tx,
  accountId: string,
  changes: readonly Change[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const ids = changes.flatMap(({ id, type }) => (events[type] === 'recovered' ? [id] : []));
  if (ids.length === 0) return new Map();
  const rows = await notifyTables(tx)
    .selectFrom('alarm_notice')
    .select(['alarm_id', 'subscription_id'])
    .distinct()
    .where('account_id', '=', accountId)
    .where((where) => where('alarm_id', '=', where.fn.any(where.val(ids))))
    .where('state', '<>', 'dropped')
    .execute();
  return new Map(
    [...grouped(rows, (row) => row.alarm_id)].map(([id, list]) => [
      id,
      new Set(list.map((row) => row.subscription_id)),
    ]),
  );
}
