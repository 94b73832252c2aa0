import { billingCoupons, accountCoupons as contract } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid, refuseOutdated } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { accounts } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { yuan } from '../service.ts';
import {
  type AccountCoupon,
  changeCoupon,
  countCoupons,
  couponTables,
  isCodeTaken,
  listCoupons,
  lockCoupon,
  usesOf,
} from './account-coupon-store.ts';
import { dayMs, endOf, parseDiscount, presentDiscount, refuseEnded, refuseFixed } from './terms.ts';

const logged = (row: AccountCoupon) => ({
  code: row.code,
  ...presentDiscount(row),
  per_account: row.per_account,
  max_uses: row.max_uses,
  goods: row.goods,
  account_id: row.account_id,
  until: row.until.toISOString(),
});

export async function knownAccountCoupons(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return database.withSystem(async (tx) => {
    const rows = await couponTables(tx)
      .selectFrom('account_coupon')
      .select('id')
      .where('id', 'in', [...ids])
      .execute();
    return new Set(rows.map(({ id }) => id));
  });
}

async function requireAccount(tx: Tx, id: string | null): Promise<void> {
  if (id && !(await accounts.namesOfAccounts(tx, [id])).has(id)) invalid('account_id', 'validation.choice');
}

export function accountCouponRoutes({ database, clock }: { database: Database; clock: Clock }): Route[] {
  async function log(tx: Tx, acting: Acting, action: string, { id, name }: AccountCoupon, change: object) {
    await record(tx, acting, {
      action: `account_coupon.${action}`,
      object: { type: 'account_coupon', id, name },
      ...change,
    });
  }

  return implement(contract, {
    list: ({ input }) =>
      database.withSystem(async (tx) => {
        const { rows, total } = await listCoupons(tx, input);
        const ids = rows.flatMap(({ account_id }) => account_id ?? []);
        const names = await accounts.namesOfAccounts(tx, [...new Set(ids)]);
        return {
          list: rows.map(({ amount_fen: _amount, min_fen: _min, ...row }) => ({
            ...row,
            ...presentDiscount({ ...row, amount_fen: _amount, min_fen: _min }),
            account: row.account_id && (names.get(row.account_id) ?? ''),
            ended_at: row.ended_at?.toISOString() ?? null,
            created_at: row.created_at.toISOString(),
            until: row.until.toISOString(),
            taken_off: yuan(Number(row.taken_off)),
          })),
          total,
        };
      }),

    create: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        const { name, code, per_account, max_uses, goods, account_id, valid_days } = input;
        const discount = parseDiscount(input);
        await requireAccount(tx, account_id);
        const { coupons: limit } = billingCoupons.couponLimits;
        const used = await countCoupons(tx);
        if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
        const now = clock.now();
        const row = await couponTables(tx)
          .insertInto('account_coupon')
          .values({
            ...discount,
            id: newId(now.getTime()),
            version: 1,
            name,
            code,
            per_account,
            max_uses,
            goods: [...goods],
            account_id,
            enabled: true,
            created_at: now,
            until: new Date(now.getTime() + valid_days * dayMs),
            ended_at: null,
          })
          .onConflict((conflict) => conflict.column('code').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) throw new Failure('nameExists', { params: { kind: 'coupon' } });
        await log(tx, acting, 'create', row, { after: logged(row) });
        return { id: row.id };
      }),

    save: ({ acting, input }) =>
      database.withSystem(async (tx) => {
        const { id, name, code, per_account, max_uses, goods, account_id, until } = input;
        const before = await lockCoupon(tx, id);
        refuseEnded(before);
        refuseOutdated(before, input);
        const discount = parseDiscount(input);
        const { all: used } = await usesOf(tx, id, acting.accountId, '');
        refuseFixed(before, { ...discount, code }, used);
        if (used > 0 && account_id !== before.account_id) invalid('account_id', 'billing.coupon_fixed', { used });
        await requireAccount(tx, account_id);
        if (await isCodeTaken(tx, code, id)) throw new Failure('nameExists', { params: { kind: 'coupon' } });
        const row = await changeCoupon(tx, id, {
          ...discount,
          name,
          code,
          per_account,
          max_uses,
          goods: [...goods],
          account_id,
          version: before.version + 1,
          until: until ? await endOf(tx, acting.accountId, until, clock.now()) : before.until,
        });
        await log(tx, acting, 'change', row, { before: logged(before), after: logged(row) });
        return {};
      }),

    turn: ({ acting, input: { id, enabled } }) =>
      database.withSystem(async (tx) => {
        refuseEnded(await lockCoupon(tx, id));
        await log(tx, acting, 'switch', await changeCoupon(tx, id, { enabled }), { after: { enabled } });
        return {};
      }),

    end: ({ acting, input: { id } }) =>
      database.withSystem(async (tx) => {
        refuseEnded(await lockCoupon(tx, id));
        const row = await changeCoupon(tx, id, { enabled: false, ended_at: clock.now() });
        await log(tx, acting, 'end', row, { command: true });
        return {};
      }),
  });
}
