import { sql } from 'kysely';
import type { AlarmSource } from '../alarms/index.ts';

/** Minutes in which failed sign-ins are counted. */
const windowMinutes = 30;

export const portalAlarms: AlarmSource<'portal_failed'> = {
  kinds: { portal_failed: null },
  async read(tx, { now, trackedNetworks }) {
    const { rows } = await sql<{ accountId: string; gwid: string; failed: number }>`
      select account_id as "accountId", gwid,
        (count(*) filter (where failure is not null and online_at is null))::int as failed
      from portal_visit
      where at > ${now}::timestamptz - make_interval(mins => ${windowMinutes}) and at <= ${now} group by 1, 2
    `.execute(tx);
    const seen = new Set(rows.map(({ gwid }) => gwid));
    const silent = trackedNetworks('portal_failed').flatMap((one) =>
      seen.has(one.gwid) ? [] : [{ ...one, failed: 0 }],
    );
    return [...rows, ...silent].map(({ accountId, gwid, failed }) => ({
      accountId,
      gwid,
      serial: null,
      part: '',
      kind: 'portal_failed' as const,
      isProblem: true,
      since: null,
      measured: failed,
      value: failed,
    }));
  },
};
