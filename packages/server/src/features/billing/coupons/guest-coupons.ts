import { billingCoupons as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { type Selectable, sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, refuseOutdated } from '../../../platform/failure.ts';
import type { UnbindParticipant } from '../../fleet/index.ts';
import { record } from '../../logs/index.ts';
import { type CouponTable, goodsTables, lockGoods } from '../goods/tables.ts';
import { yuan } from '../service.ts';
import { dayMs, endOf, parseDiscount, presentDiscount, refuseEnded, refuseFixed, takenOffBy } from './terms.ts';

type Unbound = Parameters<UnbindParticipant['remove']>[1];

type List = DataOf<typeof contract.list>;

export type CouponRefusal = 'coupon_unknown' | 'coupon_over' | 'coupon_used' | 'coupon_minimum';

/** Orders that expire give their use back. */
const uses = (device: string | null) => sql<number>`(
  select count(*)::int from billing_coupon_use u
  join billing_order o on o.account_id = u.account_id and o.order_no = u.order_no
  where u.account_id = c.account_id and u.coupon_id = c.id and o.state in ('incomplete', 'completed', 'refunded')
    and (${device}::text is null or u.device = ${device}))`;

/** Yuan only. */
const takenOff = sql<number>`(
  select coalesce(sum(u.fen), 0)::bigint from billing_coupon_use u
  join billing_order o on o.account_id = u.account_id and o.order_no = u.order_no
  where u.account_id = c.account_id and u.coupon_id = c.id and o.state = 'completed' and o.currency = 'CNY')`;

function couponsOf(tx: Tx, accountId: string) {
  return goodsTables(tx).selectFrom('billing_coupon as c').where('c.account_id', '=', accountId);
}

export async function knownCoupons(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await goodsTables(tx)
    .selectFrom('billing_coupon')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function usableCoupons(tx: Tx, accountId: string, now: Date): Promise<number> {
  const { count } = await couponsOf(tx, accountId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('c.enabled', '=', true)
    .where('c.ended_at', 'is', null)
    .where('c.until', '>', now)
    .where(sql<boolean>`(c.max_uses = 0 or ${uses(null)} < c.max_uses)`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes coupons for this network alone. Orders keep the price. */
export async function forgetNetworkOfCoupons(tx: Tx, { acting, accountId, gwid }: Unbound): Promise<number> {
  if (!gwid) return 0;
  const gone = await goodsTables(tx)
    .deleteFrom('billing_coupon')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`gwids = array[${gwid}::uuid]`)
    .returning(['id', 'name'])
    .execute();
  for (const { id, name } of gone)
    await record(tx, acting, { action: 'coupon.delete', object: { type: 'coupon', id, name }, gwid });
  const narrowed = await goodsTables(tx)
    .updateTable('billing_coupon')
    .set({ gwids: sql<string[]>`array_remove(gwids, ${gwid}::uuid)` })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${gwid}::uuid = any(gwids)`)
    .executeTakeFirst();
  return gone.length + Number(narrowed.numUpdatedRows);
}

/**
 * Locks the coupon; returns what it takes off, in fen.
 * @param device hash of the buyer's device
 */
export async function applyCoupon(
  tx: Tx,
  { accountId, gwid }: { accountId: string; gwid: string },
  asked: { code: string; fen: number; device: string; now: Date },
): Promise<{ id: string; fen: number } | { refused: CouponRefusal; minFen?: number }> {
  const coupon = await couponsOf(tx, accountId)
    .selectAll('c')
    .where('c.code', '=', asked.code)
    .forUpdate()
    .executeTakeFirst();
  const isKnown = coupon && (coupon.enabled || coupon.ended_at) && (!coupon.gwids || coupon.gwids.includes(gwid));
  if (!isKnown) return { refused: 'coupon_unknown' };
  if (coupon.ended_at || coupon.until <= asked.now) return { refused: 'coupon_over' };
  if (asked.fen < coupon.min_fen) return { refused: 'coupon_minimum', minFen: coupon.min_fen };
  const { all, own } = await couponsOf(tx, accountId)
    .select([uses(null).as('all'), uses(asked.device).as('own')])
    .where('c.id', '=', coupon.id)
    .executeTakeFirstOrThrow();
  if (coupon.max_uses > 0 && all >= coupon.max_uses) return { refused: 'coupon_over' };
  if (coupon.per_person > 0 && own >= coupon.per_person) return { refused: 'coupon_used' };
  return { id: coupon.id, fen: takenOffBy(coupon, asked.fen) };
}

export async function insertCouponUse(
  tx: Tx,
  use: { account_id: string; order_no: string; coupon_id: string; gwid: string; device: string; fen: number },
): Promise<void> {
  await goodsTables(tx)
    .insertInto('billing_coupon_use')
    .values(use)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const shown = (row: Selectable<CouponTable> & { used: number; taken_off: number }): List['list'][number] => ({
  id: row.id,
  name: row.name,
  code: row.code,
  ...presentDiscount(row),
  per_person: row.per_person,
  max_uses: row.max_uses,
  gwids: row.gwids,
  enabled: row.enabled,
  version: row.version,
  ended_at: row.ended_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  until: row.until.toISOString(),
  used: row.used,
  taken_off: yuan(Number(row.taken_off)),
});

const logged = (row: Selectable<CouponTable>) => ({
  code: row.code,
  ...presentDiscount(row),
  per_person: row.per_person,
  max_uses: row.max_uses,
  gwids: row.gwids,
  until: row.until.toISOString(),
});

export function createCoupons({ clock }: { clock: Clock }) {
  return {
    async list(tx: Tx, acting: Acting, input: InputOf<typeof contract.list>): Promise<List> {
      requireWholeAccount(acting, 'billing.read');
      const { page = 1, limit = 10, keyword = '', sort = 'created_at', order = 'desc' } = input;
      const found = couponsOf(tx, acting.accountId).where(
        sql<boolean>`strpos(lower(c.name || ' ' || c.code), ${keyword.toLowerCase()}) > 0`,
      );
      const rows = await found
        .selectAll('c')
        .select([uses(null).as('used'), takenOff.as('taken_off')])
        .orderBy(sql`${sql.ref(sort === 'min_price' ? 'min_fen' : sort)} ${sql.raw(order)}`)
        .orderBy('c.id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return { list: rows.map(shown), total: Number(total) };
    },

    /** @throws Failure nameExists, limitReached */
    async create(tx: Tx, acting: Acting, input: InputOf<typeof contract.create>): Promise<{ id: string }> {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      const { name, code, kind, amount, percent, min_price, per_person, max_uses, gwids, valid_days } = input;
      const discount = parseDiscount(input);
      await lockGoods(tx, accountId);
      const { count } = await couponsOf(tx, accountId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const { coupons: most } = contract.couponLimits;
      if (Number(count) >= most) throw new Failure('limitReached', { params: { limit: most, used: Number(count) } });
      const now = clock.now();
      const id = newId(now.getTime());
      const inserted = await goodsTables(tx)
        .insertInto('billing_coupon')
        .values({
          account_id: accountId,
          id,
          name,
          code,
          ...discount,
          per_person,
          max_uses,
          gwids: gwids && [...gwids],
          enabled: true,
          version: 1,
          created_at: now,
          until: new Date(now.getTime() + valid_days * dayMs),
          ended_at: null,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'code']).doNothing())
        .returning('id')
        .executeTakeFirst();
      if (!inserted) throw new Failure('nameExists', { params: { kind: 'coupon' } });
      await record(tx, acting, {
        action: 'coupon.create',
        object: { type: 'coupon', id, name },
        after: { code, kind, amount, percent, min_price, per_person, max_uses, gwids, valid_days },
      });
      return { id };
    },

    /** @throws Failure nameExists, changedMeanwhile; Invalid beside what was used */
    async save(tx: Tx, acting: Acting, input: InputOf<typeof contract.save>): Promise<object> {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      const { id, name, code, per_person, max_uses, gwids, until } = input;
      await lockGoods(tx, accountId);
      const before = await couponsOf(tx, accountId)
        .selectAll('c')
        .where('c.id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const { used } = await couponsOf(tx, accountId)
        .select(uses(null).as('used'))
        .where('c.id', '=', id)
        .executeTakeFirstOrThrow();
      refuseEnded(before);
      refuseOutdated(before, input);
      const discount = parseDiscount(input);
      refuseFixed(before, { ...discount, code }, used);
      const same = await couponsOf(tx, accountId).select('c.id').where('c.code', '=', code).executeTakeFirst();
      if (same && same.id !== id) throw new Failure('nameExists', { params: { kind: 'coupon' } });
      const changed = await goodsTables(tx)
        .updateTable('billing_coupon')
        .set({
          ...discount,
          name,
          code,
          per_person,
          max_uses,
          gwids: gwids && [...gwids],
          version: before.version + 1,
          until: until ? await endOf(tx, accountId, until, clock.now()) : before.until,
        })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await record(tx, acting, {
        action: 'coupon.change',
        object: { type: 'coupon', id, name },
        before: logged(before),
        after: logged(changed),
      });
      return {};
    },

    /** @throws Failure changedMeanwhile */
    async end(tx: Tx, acting: Acting, { id }: InputOf<typeof contract.end>): Promise<object> {
      requireWholeAccount(acting, 'billing.write');
      const row = await goodsTables(tx)
        .updateTable('billing_coupon')
        .set({ enabled: false, ended_at: clock.now() })
        .where('account_id', '=', acting.accountId)
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returning('name')
        .executeTakeFirst();
      if (!row) throw new Failure('changedMeanwhile', { params: { kind: 'coupon_ended' } });
      await record(tx, acting, { action: 'coupon.end', object: { type: 'coupon', id, name: row.name }, command: true });
      return {};
    },

    /** @throws Failure changedMeanwhile */
    async turn(tx: Tx, acting: Acting, { id, enabled }: InputOf<typeof contract.turn>): Promise<object> {
      requireWholeAccount(acting, 'billing.write');
      const row = await goodsTables(tx)
        .updateTable('billing_coupon')
        .set({ enabled })
        .where('account_id', '=', acting.accountId)
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returning('name')
        .executeTakeFirst();
      if (!row) throw new Failure('changedMeanwhile', { params: { kind: 'coupon_ended' } });
      await record(tx, acting, {
        action: 'coupon.switch',
        object: { type: 'coupon', id, name: row.name },
        after: { enabled },
      });
      return {};
    },
  };
}
