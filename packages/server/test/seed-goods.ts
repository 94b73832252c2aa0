import type { Seed } from '@yunxun/contract';
import { newId } from '../src/platform/database/index.ts';
import type { Registered, TestServer } from './server.ts';

export async function makeGoods(
  server: TestServer,
  owner: Registered,
): Promise<Pick<Seed, 'package' | 'cardBatch' | 'usedCard' | 'coupon' | 'accountCoupon'>> {
  const call = async <T>(path: string, input: object): Promise<T> => {
    const answer = await server.call<T>(`/api/v3/${path}`, input, owner);
    if (answer.code !== 2000) throw new Error(`${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  const terms = { minutes: 60, bytes: 0, devices: 1, up_kbps: 0, down_kbps: 0, valid_days: 30, gwids: null };
  const made = { name: 'Hour', price: '3', ...terms, enabled: true };
  const { id: package_id } = await call<{ id: string }>('billing/package/create', made);
  const cards = { name: 'Spring', package_id, face: '3.00', count: 2, prefix: '', valid_days: 30 };
  const { id: batch_id } = await call<{ id: string }>('recharge_card/generate', cards);
  const { list } = await call<{ list: { id: string }[] }>('recharge_card/list', { batch_id });
  const { id } = list[0]!;
  await server.db.database.systemPool.query(
    'update billing_card set sold_at = now(), used_at = now() where account_id = $1 and id = $2',
    [owner.accountId, id],
  );
  const coupon = await call<{ id: string }>('billing/coupon/create', {
    name: 'Spring',
    code: 'SPRING26',
    kind: 'share',
    amount: '0',
    percent: 10,
    min_price: '0',
    per_person: 1,
    max_uses: 0,
    gwids: null,
    valid_days: 30,
  });
  const accountCoupon = { id: newId(), code: `X${newId().slice(-11).toUpperCase()}` };
  await server.db.database.systemPool.query(
    `insert into account_coupon (id, version, name, code, kind, amount_fen, percent, min_fen, per_account, max_uses, goods,
       account_id, enabled, created_at, until)
     values ($1, 1, 'Spring', $2, 'share', 0, 10, 0, 1, 0, '{sms,sdwan_package}', null, true, now(), now() + interval '30 days')`,
    [accountCoupon.id, accountCoupon.code],
  );
  return {
    accountCoupon,
    coupon: { id: coupon.id },
    package: { id: package_id },
    cardBatch: { id: batch_id },
    usedCard: { id },
  };
}
