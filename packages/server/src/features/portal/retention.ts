import { portalPrivacy as contract, type InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { accounts } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { portal } from './tables.ts';

const { usual } = contract.retentionLimits;
/** Days of visits and ungranted sessions. */
const triesDays = 7;

export async function retentionOf(tx: Tx, accountId: string): Promise<{ days: number }> {
  const row = await portal(tx)
    .selectFrom('portal_retention')
    .select('days')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return { days: row?.days ?? usual };
}

export async function saveRetention(tx: Tx, acting: Acting, { days }: InputOf<typeof contract.retentionSave>) {
  requireWholeAccount(acting, 'config.write');
  const { accountId } = acting;
  const before = await retentionOf(tx, accountId);
  await portal(tx)
    .insertInto('portal_retention')
    .values({ account_id: accountId, days })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ days }))
    .execute();
  const { name } = await accounts.accountOf(tx, accountId);
  await record(tx, acting, {
    action: 'portal.retention_save',
    object: { type: 'account', id: accountId, name },
    before,
    after: { days },
  });
  return {};
}

/** Deletes what each account no longer keeps; ungranted sessions and visits earlier. System transaction. */
export async function pruneSessions(tx: Tx, now: Date): Promise<void> {
  const days = sql`coalesce((select r.days from portal_retention r where r.account_id = t.account_id), ${usual})`;
  const isOld = (at: string) => sql`t.${sql.ref(at)} < ${now}::timestamptz - make_interval(days => ${days}::int)`;
  const tries = new Date(now.getTime() - triesDays * 86_400_000);
  await sql`delete from portal_session t where t.state = 'ended'
    and (${isOld('made_at')} or (t.granted_at is null and t.made_at < ${tries}))`.execute(tx);
  await sql`delete from portal_sms t where ${isOld('at')}`.execute(tx);
  await portal(tx).deleteFrom('portal_sponsor_request').where('at', '<', tries).execute();
  await portal(tx).deleteFrom('portal_visit').where('at', '<', tries).execute();
  await portal(tx).deleteFrom('portal_pay_pass').where('at', '<', tries).execute();
  await sql`delete from portal_terms t where ${isOld('first_at')}
    and not exists (select from portal_session s where s.account_id = t.account_id and s.terms_id = t.id)`.execute(tx);
}
