import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

export const fapiaoSettings = {
  version: 0,
  enabled: true,
  seller_name: 'Lakeside Hotel',
  seller_tax_no: '91350100M000100Y43',
  rate: 6,
  goods_name: 'Internet access',
  goods_code: '3010300000000000000',
  issuer: 'manual',
};

/** Lets guests ask for invoices; one is asked for, one failed. */
export async function makeFapiao(server: TestServer, owner: Registered): Promise<Pick<Seed, 'fapiao'>> {
  await server.call('/api/v3/billing/fapiao/settings/save', fapiaoSettings, owner);
  const { systemPool } = server.db.database;
  const ask = async (state: 'asked' | 'failed') => {
    const [id, order] = [newId(), newId()];
    await systemPool.query(
      `insert into billing_order
         (account_id, order_no, key, kind, subject, fen, payer, method, state, created_at, expires_at, paid_at)
       values ($1, $2, $2, 'portal_package', '{"name":"Day"}', 990, 'guest', 'sandbox', 'completed', now(), now(), now())`,
      [owner.accountId, order],
    );
    await systemPool.query(
      `insert into fapiao
         (account_id, id, order_no, state, live, fen, tax_fen, buyer, seller, issuer, locale, asked_at, reason)
       values ($1, $2, $3, $4::text, true, 990, 56, $5, $6, 'manual', 'en', now(),
         case when $4::text = 'failed' then 'wrong title' end)`,
      [
        owner.accountId,
        id,
        order,
        state,
        { kind: 'person', name: 'Li Lei', tax_no: '', email: 'lilei@example.com' },
        { name: 'Lakeside Hotel', tax_no: '91350100M000100Y43', rate: 6, goods_name: 'Internet', goods_code: '' },
      ],
    );
    return id;
  };
  return { fapiao: { id: await ask('asked'), failedId: await ask('failed') } };
}
