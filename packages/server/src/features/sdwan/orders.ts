import { type DataOf, type InputOf, type sdwanOrders, sdwanShapes } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { containing } from '../../platform/search/index.ts';
import { ledger, type OrderKind, type OwnOrders } from '../billing/index.ts';
import { installationSettings } from '../installation/index.ts';
import { record } from '../logs/index.ts';
import { type OrderRow, sdwanTables } from './tables.ts';

type BillingOrder = Parameters<OrderKind['paid']>[1];

type Contract = typeof sdwanOrders;
type Order = DataOf<Contract['orderDetail']>;
type Package = sdwanOrders.SdwanPackage;

const { sdwanLimits: limits } = sdwanShapes;
const setting = 'sdwan_packages';
const day = 86_400_000;

/** Sells nothing until the administrator decides. */
const standard: Package[] = [
  {
    id: 'standard',
    name: 'Standard',
    nodes: 50,
    widthband: 1000,
    foreign_widthband: 500,
    months: 12,
    price_fen: 0,
  },
];

/** Of the newest completed order. */
export interface Entitlement {
  trial: boolean;
  packageId: string | null;
  nodes: number;
  widthband: number;
  foreign_widthband: number;
  validUntil: Date;
  /** Tunnels stay until `closesAt`. */
  expired: boolean;
  closesAt: Date;
}

export async function readEntitlement(tx: Tx, accountId: string, now: Date): Promise<Entitlement | null> {
  const row = await current(tx, accountId);
  if (!row?.valid_until) return null;
  const { nodes, widthband, foreign_widthband } = row;
  return {
    trial: row.kind === 'trial',
    packageId: row.package_id,
    nodes,
    widthband,
    foreign_widthband,
    validUntil: row.valid_until,
    expired: row.valid_until <= now,
    closesAt: new Date(row.valid_until.getTime() + limits.graceDays * day),
  };
}

function current(tx: Tx, accountId: string): Promise<OrderRow | undefined> {
  return sdwanTables(tx)
    .selectFrom('sdwan_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'completed')
    .orderBy('completed_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export async function trialUsed(tx: Tx, accountId: string): Promise<boolean> {
  const row = await sdwanTables(tx)
    .selectFrom('sdwan_order')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'trial')
    .executeTakeFirst();
  return row !== undefined;
}

export interface SdwanOrdersDeps {
  clock: Clock;
  database: Database;
  billing: Pick<OwnOrders, 'create'>;
  publicUrl: string;
}

const billingKind = 'sdwan_package';

/** Milliseconds of a payment page. */
const attemptMs = 30 * 60_000;

export function createOrders({ clock, database, billing, publicUrl }: SdwanOrdersDeps) {
  const packages = async (): Promise<Package[]> =>
    (await installationSettings.readSetting<Package[]>(database.system, setting)) ?? standard;

  function find(tx: Tx, accountId: string, orderNo: string): Promise<OrderRow | undefined> {
    return sdwanTables(tx)
      .selectFrom('sdwan_order')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('order_no', '=', orderNo)
      .forUpdate()
      .executeTakeFirst();
  }

  /** @throws Failure orderUnknown */
  async function lock(tx: Tx, accountId: string, orderNo: string): Promise<OrderRow> {
    const row = await find(tx, accountId, orderNo);
    if (!row) throw new Failure('orderUnknown');
    return row;
  }

  /** Begins a renewal at the present end, else now. */
  async function complete(
    tx: Tx,
    accountId: string,
    order: OrderRow,
    paid: Pick<BillingOrder, 'orderNo' | 'fen'> | null = null,
  ): Promise<OrderRow> {
    const now = clock.now();
    const until = (await current(tx, accountId))?.valid_until ?? now;
    const from = order.kind === 'renewal' && until > now ? until : now;
    const end = new Date(from);
    if (order.kind === 'trial') end.setTime(end.getTime() + limits.trialDays * day);
    else end.setUTCMonth(end.getUTCMonth() + order.months);
    return sdwanTables(tx)
      .updateTable('sdwan_order')
      .set({
        status: 'completed',
        completed_at: now,
        valid_from: from,
        valid_until: end,
        ...(paid && { billing_order_no: paid.orderNo, amount_fen: paid.fen }),
      })
      .where('account_id', '=', accountId)
      .where('order_no', '=', order.order_no)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  async function offered(tx: Tx, accountId: string, { kind, package_id: id }: InputOf<Contract['orderCreate']>) {
    if (kind === 'trial') {
      if (await trialUsed(tx, accountId)) throw new Failure('limitReached', { params: { limit: 1, used: 1 } });
      const bands = { widthband: 100, foreign_widthband: 100 };
      return { ...bands, package_id: null, name: 'trial', nodes: limits.trialNodes, months: 0, amount_fen: 0 };
    }
    const before = kind === 'renewal' ? (await current(tx, accountId))?.package_id : id;
    const found = (await packages()).find((each) => each.id === before);
    if (!found) return invalid(kind === 'renewal' ? 'kind' : 'package_id', 'validation.choice');
    const { id: packageId, price_fen: amount, ...given } = found;
    return { ...given, package_id: packageId, amount_fen: amount };
  }

  /** @param fen negative: from the balance */
  async function credit(
    tx: Tx,
    { accountId, orderNo, refundedFen, currency }: BillingOrder,
    fen: number,
    again = '',
  ): Promise<void> {
    const entries = [
      { ledger: 'recharged', fen },
      { ledger: 'expense', fen: -fen },
    ] as const;
    const key = `sdwan:${orderNo}:${refundedFen}${again}`;
    await ledger.post(tx, { accountId, key, kind: 'refund', at: clock.now(), gwid: null, currency, entries });
  }

  return {
    async packages(tx: Tx, accountId: string): Promise<DataOf<Contract['packageList']>> {
      const available = !(await trialUsed(tx, accountId));
      return { list: await packages(), trial: { nodes: limits.trialNodes, days: limits.trialDays, available } };
    },

    async savePackages(tx: Tx, acting: Acting, { list }: InputOf<Contract['packageSave']>): Promise<void> {
      const before = await packages();
      if (new Set(list.map(({ id }) => id)).size < list.length) invalid('list', 'validation.duplicate');
      await database.withSystem((system) => installationSettings.writeSetting(system, setting, list));
      const object = { type: 'sdwan_package', id: acting.accountId, name: 'SD-WAN' } as const;
      await record(tx, acting, { action: 'sdwan_package.save', object, before: { list: before }, after: { list } });
    },

    async list(
      tx: Tx,
      accountId: string,
      input: InputOf<Contract['orderList']>,
    ): Promise<DataOf<Contract['orderList']>> {
      const { page = 1, limit = 10, status, keyword, sort = 'created_at', order = 'desc' } = input;
      let found = sdwanTables(tx).selectFrom('sdwan_order').where('account_id', '=', accountId);
      if (status) found = found.where('status', '=', status);
      if (keyword) found = found.where('order_no', 'ilike', containing(keyword));
      const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const newest = found.selectAll().orderBy(sort, order).orderBy('id', order);
      const rows = await newest
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return { list: rows.map(shown), total };
    },

    detail: async (tx: Tx, accountId: string, orderNo: string): Promise<Order> =>
      shown(await lock(tx, accountId, orderNo)),

    /** @throws Failure limitReached for a second trial; Invalid for an unknown package */
    async create(tx: Tx, acting: Acting, input: InputOf<Contract['orderCreate']>): Promise<Order> {
      const { accountId } = acting;
      const at = clock.now();
      const id = newId(at.getTime());
      const orderNo = `SD${at.toISOString().slice(0, 10).replaceAll('-', '')}${id.replaceAll('-', '').slice(-12)}`;
      const row = await sdwanTables(tx)
        .insertInto('sdwan_order')
        .values({
          account_id: accountId,
          order_no: orderNo,
          id,
          kind: input.kind,
          created_at: at,
          status: 'incomplete',
          ...(await offered(tx, accountId, input)),
          completed_at: null,
          valid_from: null,
          valid_until: null,
          closed_at: null,
          billing_order_no: null,
          warned_days: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const done = row.amount_fen === 0 ? await complete(tx, accountId, row) : row;
      const object = { type: 'sdwan_order', id, name: orderNo } as const;
      await record(tx, acting, { action: 'sdwan_order.create', object, after: shown(done) });
      return shown(done);
    },

    /**
     * Does nothing for a paid order. @throws Failure orderUnknown, balanceInsufficient; Invalid for an unknown method
     */
    async pay(
      tx: Tx,
      acting: Acting,
      { order_no: orderNo, method = 'balance', coupon }: InputOf<Contract['orderPay']>,
    ): Promise<DataOf<Contract['orderPay']>> {
      const { accountId } = acting;
      const row = await lock(tx, accountId, orderNo);
      if (row.status === 'completed') return { ...shown(row), pay_url: null, transfer: null };
      const isProvider = method !== 'balance' && method !== 'manual';
      const attempt = isProvider ? Math.floor(clock.now().getTime() / attemptMs) : 0;
      const { pay_url, transfer } = await billing.create(tx, {
        accountId,
        kind: billingKind,
        subject: { order_no: orderNo },
        fen: row.amount_fen,
        method,
        coupon,
        item: orderNo,
        returnUrl: `${publicUrl}/sdwan/order`,
        key: `sdwan:${orderNo}:${method}:${attempt}${coupon ? `:${coupon}` : ''}`,
      });
      const now = await lock(tx, accountId, orderNo);
      const object = { type: 'sdwan_order', id: row.id, name: orderNo } as const;
      await record(tx, acting, { action: 'sdwan_order.pay', object, after: { ...shown(now), method, coupon } });
      return { ...shown(now), pay_url, transfer };
    },

    kind: {
      kind: billingKind,
      ledger: 'expense',
      title: () => ({ key: billingKind, params: {} }),
      /** Credits a second payment, or one of a cancelled order, to the balance. */
      async paid(tx, order) {
        const row = await find(tx, order.accountId, sdwanOrderNo(order));
        if (row?.status === 'incomplete') await complete(tx, order.accountId, row, order);
        else await credit(tx, order, order.fen);
      },
      async refunded(tx, order, fen) {
        const row = await find(tx, order.accountId, sdwanOrderNo(order));
        if (row?.billing_order_no !== order.orderNo) return credit(tx, order, -fen);
        await sdwanTables(tx)
          .updateTable('sdwan_order')
          .set({ valid_until: clock.now(), refunded_until: sql<null>`valid_until` })
          .where('account_id', '=', order.accountId)
          .where('order_no', '=', row.order_no)
          .where('valid_until', '>', clock.now())
          .execute();
      },
      async refundFailed(tx, order, fen) {
        const row = await find(tx, order.accountId, sdwanOrderNo(order));
        if (row?.billing_order_no !== order.orderNo) return credit(tx, order, fen, `:${newId()}`);
        await sdwanTables(tx)
          .updateTable('sdwan_order')
          .set({ valid_until: sql<Date>`refunded_until`, refunded_until: null })
          .where('account_id', '=', order.accountId)
          .where('order_no', '=', row.order_no)
          .where('refunded_until', 'is not', null)
          .execute();
      },
    } satisfies OrderKind,

    /** @throws Failure orderUnknown, inUse for a paid order */
    async cancel(tx: Tx, acting: Acting, orderNo: string): Promise<void> {
      const row = await lock(tx, acting.accountId, orderNo);
      if (row.status === 'completed') throw new Failure('inUse');
      await sdwanTables(tx)
        .deleteFrom('sdwan_order')
        .where('account_id', '=', acting.accountId)
        .where('order_no', '=', orderNo)
        .execute();
      const object = { type: 'sdwan_order', id: row.id, name: orderNo } as const;
      await record(tx, acting, { action: 'sdwan_order.cancel', object, before: shown(row) });
    },
  };
}

const sdwanOrderNo = ({ subject }: BillingOrder) => (subject as { order_no: string }).order_no;

const shown = (row: OrderRow): Order => ({
  id: row.id,
  order_no: row.order_no,
  kind: row.kind,
  package_id: row.package_id,
  name: row.name,
  nodes: row.nodes,
  widthband: row.widthband,
  foreign_widthband: row.foreign_widthband,
  months: row.months,
  amount_fen: row.amount_fen,
  status: row.status,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
  valid_from: row.valid_from?.toISOString() ?? null,
  valid_until: row.valid_until?.toISOString() ?? null,
});
