import { sdwanShapes } from '@yunxun/contract';
import { bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Messages } from '../messages/index.ts';
import type { createSdwanPush } from './push.ts';
import { readNodes, saveDocument } from './store.ts';
import { type OrderRow, sdwanTables } from './tables.ts';

const { graceDays } = sdwanShapes.sdwanLimits;
const dayMs = 86_400_000;
/** 0: ended. */
const warnings = [30, 7, 1, 0] as const;

/** Warns before the end; takes tunnels down after the grace. Plans stay for a renewal. */
export function createSdwanExpiry({
  database,
  clock,
  push,
  messages,
}: {
  database: Database;
  clock: Clock;
  push: Pick<ReturnType<typeof createSdwanPush>, 'takeDown'>;
  messages: Pick<Messages, 'post'>;
}) {
  return async function expire(): Promise<void> {
    for (const order of await current()) await warn(order);
    const before = new Date(clock.now().getTime() - graceDays * dayMs);
    const due = await database.withSystem((tx) =>
      sdwanTables(tx)
        .selectFrom('sdwan_order as due')
        .selectAll()
        .where('due.status', '=', 'completed')
        .where('due.closed_at', 'is', null)
        .where('due.valid_until', '<', before)
        .execute(),
    );
    for (const order of due) await close(order, before);
  };

  async function current(): Promise<OrderRow[]> {
    const rows = await database.withSystem((tx) =>
      sdwanTables(tx)
        .selectFrom('sdwan_order')
        .selectAll()
        .distinctOn('account_id')
        .where('status', '=', 'completed')
        .orderBy('account_id')
        .orderBy('completed_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    );
    return rows.filter(({ closed_at }) => closed_at === null);
  }

  async function warn(order: OrderRow): Promise<void> {
    const { account_id: accountId, order_no, valid_from: from, valid_until: until } = order;
    if (!from || !until) return;
    const left = until.getTime() - clock.now().getTime();
    const term = until.getTime() - from.getTime();
    const step = warnings.findLast((days) => left <= days * dayMs && days * dayMs < term);
    if (step === undefined) return;
    await database.withSystem(async (tx) => {
      const marked = await sdwanTables(tx)
        .updateTable('sdwan_order')
        .set({ warned_days: step })
        .where('account_id', '=', accountId)
        .where('order_no', '=', order_no)
        .where((where) => where.or([where('warned_days', 'is', null), where('warned_days', '>', step)]))
        .returning('order_no')
        .executeTakeFirst();
      if (!marked) return;
      const own = { link: '/sdwan/package' } as const;
      if (step > 0) {
        const params = { days: Math.ceil(left / dayMs) };
        await messages.post(tx, accountId, { ...own, template: 'sdwanExpires', params });
      } else {
        const params = { days: Math.max(0, graceDays + Math.ceil(left / dayMs)) };
        await messages.post(tx, accountId, { ...own, template: 'sdwanExpired', params });
      }
    });
  }

  function close({ account_id: accountId, order_no: orderNo }: OrderRow, before: Date): Promise<void> {
    return database.withSystem(async (tx) => {
      await sdwanTables(tx)
        .updateTable('sdwan_order')
        .set({ closed_at: clock.now() })
        .where('account_id', '=', accountId)
        .where('order_no', '=', orderNo)
        .execute();
      const later = await sdwanTables(tx)
        .selectFrom('sdwan_order')
        .select('id')
        .where('account_id', '=', accountId)
        .where('status', '=', 'completed')
        .where('valid_until', '>=', before)
        .executeTakeFirst();
      if (later) return;
      const given = (await readNodes(tx, accountId)).filter(({ document }) => document !== null);
      for (const row of given) await saveDocument(tx, row, null);
      await push.takeDown(tx, bySystem(accountId), [...new Set(given.map(({ gwid }) => gwid))]);
    });
  }
}
