import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { yuan } from '../service.ts';
import { fapiaoTables } from './tables.ts';

const ofDevices = (devices: readonly Buffer[]) =>
  sql<boolean>`order_no in (select o.order_no from billing_order o where o.account_id = fapiao.account_id
    and o.payer = 'guest' and o.subject ->> 'device' = any (${devices.map((device) => device.toString('hex'))}::text[]))`;

const settled = ['issued', 'failed', 'cancelled', 'red'] as const;

export async function exportFapiaos(tx: Tx, accountId: string, devices: readonly Buffer[]) {
  const rows = await fapiaoTables(tx)
    .selectFrom('fapiao')
    .select(['order_no', 'state', 'fen', 'buyer', 'number', 'asked_at'])
    .where('account_id', '=', accountId)
    .where(ofDevices(devices))
    .orderBy('asked_at', 'desc')
    .execute();
  return rows.map(({ fen, buyer, asked_at, ...row }) => ({
    ...row,
    ...buyer,
    amount: yuan(fen),
    asked_at: asked_at.toISOString(),
  }));
}

/** Erases e-mails, and titles of persons, of settled ones: failed ones cannot be asked for again. @returns how many */
export async function eraseFapiaos(tx: Tx, accountId: string, devices: readonly Buffer[]): Promise<number> {
  const done = await fapiaoTables(tx)
    .updateTable('fapiao')
    .set({
      buyer: sql<string>`buyer || '{"email":""}' || case when buyer ->> 'kind' = 'person' then '{"name":""}' else '{}' end::jsonb`,
      state: sql`case when state = 'failed' and original is null then 'cancelled' else state end`,
      live: sql<boolean>`live and state <> 'failed'`,
    })
    .where('account_id', '=', accountId)
    .where('state', 'in', [...settled])
    .where(sql<boolean>`sent_fen is null`)
    .where(ofDevices(devices))
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}
