import type { billingCoupons, accountCoupons as contract, InputOf } from '@yunxun/contract';
import { type Selectable, sql } from 'kysely';
import { type Tx, tables } from '../../../platform/database/index.ts';
import type { Discount } from './terms.ts';

export type CouponGoods = billingCoupons.CouponGoods;

export interface AccountCouponTable extends Discount {
  id: string;
  version: number;
  name: string;
  code: string;
  per_account: number;
  max_uses: number;
  goods: CouponGoods[];
  account_id: string | null;
  enabled: boolean;
  created_at: Date;
  until: Date;
  ended_at: Date | null;
}

interface UseTable {
  account_id: string;
  order_no: string;
  coupon_id: string;
  code: string;
  item: string;
  fen: number;
}

export type AccountCoupon = Selectable<AccountCouponTable>;
export type CouponUse = Selectable<UseTable>;

export const couponTables = (tx: Tx) =>
  tables<{ account_coupon: AccountCouponTable; account_coupon_use: UseTable }>(tx);

const holding = sql`o.state in ('incomplete', 'completed', 'refunded')`;

const used = sql<number>`(
  select count(distinct (u.account_id, u.item))::int from account_coupon_use u
  join billing_order o on o.account_id = u.account_id and o.order_no = u.order_no
  where u.coupon_id = c.id and ${holding})`;

/** Yuan only. */
const takenOff = sql<number>`(
  select coalesce(sum(u.fen), 0)::bigint from account_coupon_use u
  join billing_order o on o.account_id = u.account_id and o.order_no = u.order_no
  where u.coupon_id = c.id and o.state = 'completed' and o.currency = 'CNY')`;

const sortColumns = {
  created_at: 'c.created_at',
  code: 'c.code',
  until: 'c.until',
  min_price: 'c.min_fen',
  per_account: 'c.per_account',
  used: 'used',
  taken_off: 'taken_off',
} as const;

/** System role, as all of this file that reads coupons. */
export async function listCoupons(
  tx: Tx,
  { page = 1, limit = 10, keyword = '', sort = 'created_at', order = 'desc' }: InputOf<typeof contract.list>,
) {
  const found = couponTables(tx)
    .selectFrom('account_coupon as c')
    .where(sql<boolean>`strpos(lower(c.name || ' ' || c.code), ${keyword.toLowerCase()}) > 0`);
  const rows = await found
    .selectAll('c')
    .select([used.as('used'), takenOff.as('taken_off')])
    .orderBy(sql.ref(sortColumns[sort]), order)
    .orderBy('c.id', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export async function countCoupons(tx: Tx): Promise<number> {
  const { count } = await couponTables(tx)
    .selectFrom('account_coupon')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function lockCoupon(tx: Tx, id: string): Promise<AccountCoupon> {
  return couponTables(tx)
    .selectFrom('account_coupon')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function isCodeTaken(tx: Tx, code: string, exceptId: string): Promise<boolean> {
  const row = await couponTables(tx)
    .selectFrom('account_coupon')
    .select('id')
    .where('code', '=', code)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function changeCoupon(
  tx: Tx,
  id: string,
  change: Partial<Omit<AccountCouponTable, 'id'>>,
): Promise<AccountCoupon> {
  return couponTables(tx)
    .updateTable('account_coupon')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function couponByCode(tx: Tx, accountId: string, code: string): Promise<AccountCoupon | undefined> {
  return couponTables(tx)
    .selectFrom('account_coupon')
    .selectAll()
    .where('code', '=', code)
    .where(({ eb, or }) => or([eb('account_id', 'is', null), eb('account_id', '=', accountId)]))
    .executeTakeFirst();
}

export async function validCoupons(tx: Tx, accountId: string, now: Date): Promise<AccountCoupon[]> {
  return couponTables(tx)
    .selectFrom('account_coupon')
    .selectAll()
    .where(({ eb, or }) => or([eb('account_id', 'is', null), eb('account_id', '=', accountId)]))
    .where('enabled', '=', true)
    .where('until', '>', now)
    .orderBy('until')
    .orderBy('id')
    .execute();
}

/** @param item not counted: its orders are one use */
export async function usesOf(
  tx: Tx,
  couponId: string,
  accountId: string,
  item: string,
): Promise<{ all: number; own: number }> {
  const { rows } = await sql<{ all: number; own: number }>`
    select count(distinct (u.account_id, u.item))::int as "all",
      (count(distinct u.item) filter (where u.account_id = ${accountId}))::int as own
    from account_coupon_use u
    join billing_order o on o.account_id = u.account_id and o.order_no = u.order_no
    where u.coupon_id = ${couponId} and ${holding} and (u.account_id <> ${accountId} or u.item <> ${item})`.execute(tx);
  return rows[0]!;
}

export async function insertUse(tx: Tx, use: CouponUse): Promise<void> {
  await couponTables(tx)
    .insertInto('account_coupon_use')
    .values(use)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function useOf(tx: Tx, accountId: string, orderNo: string): Promise<CouponUse | null> {
  const row = await couponTables(tx)
    .selectFrom('account_coupon_use')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('order_no', '=', orderNo)
    .executeTakeFirst();
  return row ?? null;
}
