import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import type { DeviceRef } from '../../../uplink/index.ts';
import { plannedLimitMs } from './cause.ts';

export interface PlannedAbsence extends DeviceRef {
  began: Date;
}

/** Milliseconds: others notice a restart before the console loses the device. */
const slackMs = 2 * 60_000;

/** Returns when the console took these devices away, lately enough to explain what happened after `since`. */
export async function plannedAbsences(tx: Tx, refs: readonly DeviceRef[], since: Date): Promise<PlannedAbsence[]> {
  const from = new Date(since.getTime() - plannedLimitMs);
  const { rows } = await sql<PlannedAbsence>`
    with wanted as (
      select * from unnest(${refs.map(({ accountId }) => accountId)}::uuid[],
        ${refs.map(({ serial }) => serial)}::text[]) as w (account_id, serial))
    select account_id as "accountId", serial, o.began_at as began
    from wanted join device_outage o using (account_id, serial)
    where o.cause = 'planned' and o.began_at >= ${from}
    union all
    select account_id, serial, lost.began
    from wanted join device d using (account_id, serial)
    cross join lateral (values (d.restarting_since),
      (case when not d.online and d.offline_cause = 'planned' then d.offline_since end)) as lost (began)
    where lost.began >= ${from}
  `.execute(tx);
  return rows;
}

export function explains({ began }: Pick<PlannedAbsence, 'began'>, at: Date): boolean {
  const after = at.getTime() - began.getTime();
  return after >= -slackMs && after <= plannedLimitMs;
}
