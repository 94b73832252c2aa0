import { sql } from 'kysely';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { grouped } from '../../../platform/grouped.ts';
import type { Log } from '../../../platform/log.ts';
import { fleetDevices, fleetNetworks } from '../../fleet/index.ts';
import { accounts } from '../../identity/index.ts';
import { type AlarmTable, alarmTables } from '../tables.ts';
import { maySendAt } from './hours.ts';
import { informedRecipients } from './informed-recipients.ts';
import { type MessageDeps, makeMessages } from './messages-out.ts';
import { type DropReason, type Item, type NoticeTable, notifyTables } from './tables.ts';
import { verdictOf } from './verdict.ts';

export interface DispatchDeps extends MessageDeps {
  database: Database;
  log: Log;
}

/** Per run. */
const maxNotices = 5000;

type Alarm = Omit<AlarmTable, 'subject'>;
type Notice = Omit<NoticeTable, 'state'>;

/** Uses one transaction per subscription. */
export function createDispatch(deps: DispatchDeps) {
  const { database, clock, log } = deps;

  async function run(): Promise<void> {
    const now = clock.now();
    await database.withSystem((tx) => addRepeats(tx, now));
    const { rows } = await sql<{ accountId: string; id: string }>`
      select account_id as "accountId", subscription_id as id from alarm_notice where state = 'waiting'
      group by 1, 2 having min(due_at) <= ${now}
    `.execute(database.system);
    for (const { accountId, id } of rows) {
      try {
        await database.withSystem((tx) => dispatch(tx, accountId, id, now));
      } catch (error) {
        log.warn({ err: error, account: accountId, subscription: id }, 'notices of a subscription not sent');
      }
    }
  }

  async function dispatch(tx: Tx, accountId: string, id: string, now: Date): Promise<void> {
    const subscription = await notifyTables(tx)
      .selectFrom('alarm_subscription')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      // the evaluation's decisions refer to it
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!subscription) return;
    // deferred notices must not keep out a FATAL one
    const { rows: waiting } = await sql<Notice>`
      select n.* from alarm_notice n join alarm a on a.account_id = n.account_id and a.id = n.alarm_id
      where n.account_id = ${accountId} and n.subscription_id = ${id} and n.state = 'waiting'
      order by a.level = 'FATAL' desc, n.at, n.id limit ${maxNotices} for update of n
    `.execute(tx);
    const byAlarm = grouped(waiting, (row) => row.alarm_id);
    const ids = [...byAlarm.keys()];
    const { name, time_zone: zone } = await accounts.accountOf(tx, accountId);
    const alarms = await alarmTables(tx)
      .selectFrom('alarm')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('id')
      .forShare()
      .execute();
    const notified = await notifiedOf(tx, accountId, id, ids);
    const sent: { alarm: Alarm; event: Item['event']; notices: Notice[] }[] = [];
    for (const alarm of alarms) {
      const notices = byAlarm.get(alarm.id)!;
      const events = notices.map(({ event }) => event);
      const verdict = verdictOf(
        { state: alarm.state, isFolded: alarm.cause_id !== null },
        events,
        notified.has(alarm.id),
      );
      if ('drop' in verdict) await finish(tx, notices, verdict, now);
      else if (!subscription.enabled && verdict.send !== 'recovered') await finish(tx, notices, { drop: 'off' }, now);
      else if (maySendAt(subscription, alarm.level, now, zone)) sent.push({ alarm, event: verdict.send, notices });
    }
    if (sent.length === 0) return;
    const items = await itemsOf(tx, accountId, sent);
    const recovered = sent.flatMap(({ alarm, event }) => (event === 'recovered' ? [alarm.id] : []));
    const batch = {
      test: false,
      subscription: { id, name: subscription.name },
      account: { id: accountId, name },
      locale: subscription.locale,
      zone,
      items,
    };
    const informed = await informedRecipients(tx, accountId, id, recovered);
    const batchId = await makeMessages(tx, deps, subscription, batch, informed);
    for (const { notices, event } of sent) {
      const chosen = notices.findLast((one) => one.event === event)!;
      await finish(tx, [chosen], { batchId }, now);
      await finish(
        tx,
        notices.filter((one) => one !== chosen),
        { drop: 'known' },
        now,
      );
    }
  }

  return { run };
}

async function finish(
  tx: Tx,
  notices: readonly Notice[],
  end: { drop: DropReason } | { batchId: string },
  now: Date,
): Promise<void> {
  const first = notices[0];
  if (!first) return;
  const ids = notices.map(({ id }) => id);
  await notifyTables(tx)
    .updateTable('alarm_notice')
    .set(
      'drop' in end
        ? { state: 'dropped', reason: end.drop, decided_at: now }
        : { state: 'sent', batch_id: end.batchId, decided_at: now },
    )
    .where('account_id', '=', first.account_id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Returns incidents that last by the latest message. */
async function notifiedOf(tx: Tx, accountId: string, subscriptionId: string, ids: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select distinct on (alarm_id) alarm_id as id, event from alarm_notice
      where account_id = ${accountId} and subscription_id = ${subscriptionId} and alarm_id = any(${[...ids]}::uuid[])
        and (state = 'sent' or (event = 'recovered' and reason = 'silenced'))
      order by alarm_id, decided_at desc, at desc) l
    where event <> 'recovered'
  `.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** Repeats unacknowledged incidents, if the subscription says so. */
async function addRepeats(tx: Tx, now: Date): Promise<void> {
  const { rows } = await sql<{ account_id: string; subscription_id: string; alarm_id: string }>`
    select n.account_id, n.subscription_id, n.alarm_id
    from alarm a
      join alarm_notice n on n.account_id = a.account_id and n.alarm_id = a.id
      join alarm_subscription s on s.account_id = n.account_id and s.id = n.subscription_id
    where a.state = 'firing' and a.cause_id is null and s.enabled and s.repeat_hours > 0
      and a.level = any(s.levels) and (s.kinds = '{}' or a.kind = any(s.kinds))
      and (s.scope <> 'networks' or a.gwid = any(s.scope_ids))
    group by n.account_id, n.subscription_id, n.alarm_id, s.repeat_hours
    having max(n.decided_at) filter (where n.state = 'sent') <= ${now}::timestamptz - make_interval(hours => s.repeat_hours)
      and not bool_or(n.state = 'waiting')
  `.execute(tx);
  if (rows.length === 0) return;
  await notifyTables(tx)
    .insertInto('alarm_notice')
    .values(
      rows.map((row) => ({
        ...row,
        id: newId(),
        event: 'repeated' as const,
        at: now,
        due_at: now,
        reason: null,
        batch_id: null,
        decided_at: null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const severity = { FATAL: 0, MIDDLE: 1, GENERAL: 2 } as const;

/** Lists lasting ones first, then worst. */
async function itemsOf(
  tx: Tx,
  accountId: string,
  sent: readonly { alarm: Alarm; event: Item['event'] }[],
): Promise<Item[]> {
  const networks = await fleetNetworks.names(
    tx,
    accountId,
    sent.flatMap(({ alarm }) => alarm.gwid ?? []),
  );
  const devices = await fleetDevices.names(
    tx,
    accountId,
    sent.flatMap(({ alarm }) => alarm.serial ?? []),
  );
  return sent
    .toSorted(
      (a, b) =>
        Number(a.event === 'recovered') - Number(b.event === 'recovered') ||
        severity[a.alarm.level] - severity[b.alarm.level] ||
        a.alarm.began_at.getTime() - b.alarm.began_at.getTime(),
    )
    .map(({ alarm, event }) => {
      const network = (alarm.gwid && networks.get(alarm.gwid)) ?? alarm.network;
      return {
        event,
        alarm_id: alarm.id,
        kind: alarm.kind,
        level: alarm.level,
        gwid: alarm.gwid,
        network,
        name: alarm.serial === null ? network : (devices.get(alarm.serial)?.name ?? alarm.name),
        serial: alarm.serial,
        part: alarm.part,
        began_at: alarm.began_at.toISOString(),
        recovered_at: alarm.recovered_at?.toISOString() ?? null,
        count: alarm.count,
        value: alarm.value,
        threshold: alarm.threshold,
        devices_hit: alarm.devices_hit,
        clients_hit: alarm.clients_hit,
      };
    });
}
