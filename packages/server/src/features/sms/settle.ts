import type { Tx } from '../../platform/database/index.ts';
import { ledger } from '../billing/index.ts';
import type { SmsDeps } from './send.ts';
import { type SmsRow, smsTables } from './tables.ts';

export const settleTask = 'sms-settle';
/** Messages per transaction. */
const batch = 200;

export function createSettle({ database, clock, outbox }: Pick<SmsDeps, 'database' | 'clock' | 'outbox'>) {
  async function settleOne(tx: Tx, row: SmsRow, state: 'outbox' | 'sent' | 'failed', reason: string | null) {
    const { account_id: accountId, id, gwid, fee_fen: fee } = row;
    const at = clock.now();
    const isGivenBack = state !== 'sent' && fee > 0;
    await smsTables(tx)
      .updateTable('sms_message')
      .set({ state, reason, settled_at: at, ...(isGivenBack ? { fee_fen: 0 } : {}) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    if (!isGivenBack) return;
    const entries = [{ ledger: 'sms', fen: fee } as const, { ledger: 'expense', fen: -fee } as const];
    await ledger.post(tx, { accountId, key: `sms-return:${id}`, kind: 'sms_return', at, gwid, entries });
  }

  /** @returns the last message read, or null after the last batch */
  function settleBatch(after: string | null): Promise<string | null> {
    return database.withSystem(async (tx) => {
      let open = smsTables(tx).selectFrom('sms_message').selectAll().where('settled_at', 'is', null);
      if (after) open = open.where('id', '>', after);
      const rows = await open.orderBy('id').limit(batch).forUpdate().skipLocked().execute();
      const states = await outbox.statesOf(rows.map((row) => row.outbox_id));
      for (const row of rows) {
        const found = states.get(row.outbox_id);
        // the outbox deletes old messages
        if (!found) await settleOne(tx, row, 'failed', 'expired');
        else if (found.isInFile) await settleOne(tx, row, 'outbox', null);
        else if (found.state !== 'waiting') await settleOne(tx, row, found.state, found.error);
      }
      return rows.length === batch ? rows.at(-1)!.id : null;
    });
  }

  return async function settle(): Promise<void> {
    for (let after = await settleBatch(null); after !== null; ) after = await settleBatch(after);
  };
}
