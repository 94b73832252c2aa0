import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { DeviceRef } from '../../../uplink/index.ts';

/** Events that are a problem for a time. */
export type AlarmingEvent = 'crash' | 'sdwan_path';

/** Milliseconds that a problem outlasts its last event. */
export const eventHoldMs: Readonly<Record<AlarmingEvent, number>> = { crash: 86_400_000, sdwan_path: 3_600_000 };

/** Events within the hold are one problem. */
export interface EventPeriod extends DeviceRef {
  event: AlarmingEvent;
  /** SD-WAN network; empty for a crash. */
  part: string;
  since: Date;
  ended: Date | null;
}

/**
 * Finds problems that last, or ended after `since`; of all accounts with the system role.
 * @param except ids of events that are no problem
 */
export async function eventPeriods(
  tx: Tx,
  { now, since, accountId, except = [] }: { now: Date; since: Date; accountId?: string; except?: readonly string[] },
): Promise<EventPeriod[]> {
  const only = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
  const counts = except.length === 0 ? sql`true` : sql`id <> all (${[...except]}::uuid[])`;
  const { crash, sdwan_path: path } = eventHoldMs;
  const { rows } = await sql<EventPeriod>`
    with event as (
      select account_id, serial, at, case when type = 'sdwan.path' then 'sdwan_path' else 'crash' end as event,
        case when type = 'sdwan.path' then coalesce(payload ->> 'network', '') else '' end as part,
        make_interval(secs => (case when type = 'sdwan.path' then ${path}::float8 else ${crash}::float8 end) / 1000) as hold
      from device_event
      where type in ('crashlog', 'rebootLog', 'sdwan.path') and at <= ${now} and ${only} and ${counts}
        and (type <> 'rebootLog' or payload ->> 'type' = 'crashlog')
    ), marked as (
      select *, coalesce(at - lag(at) over own > hold, true) as begins from event
      window own as (partition by account_id, serial, event, part order by at)
    ), numbered as (
      select *, count(*) filter (where begins) over (partition by account_id, serial, event, part order by at) as n
      from marked
    )
    select account_id as "accountId", serial, event, part, min(at) as since,
      case when max(at + hold) <= ${now} then max(at + hold) end as ended
    from numbered group by account_id, serial, event, part, n
    having max(at + hold) > ${since}
  `.execute(tx);
  return rows;
}
