import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import type { Outbox, OutboxMessage } from '../../platform/outbox/index.ts';
import { ledger } from '../billing/index.ts';
import type { Messages } from '../messages/index.ts';
import { phoneHash } from './phone-hash.ts';
import { areSmsSold, smsPriceFen } from './sale.ts';
import { type SmsRow, smsTables } from './tables.ts';

export interface SmsDeps {
  database: Database;
  clock: Clock;
  keys: AccountKeys;
  outbox: Pick<Outbox, 'queue' | 'statesOf' | 'toFile'>;
  messages: Pick<Messages, 'post'>;
}

export type AccountSms = Omit<OutboxMessage, 'accountId' | 'channel'> & {
  accountId: string;
  /** Network concerned, or null. */
  gwid: string | null;
  purpose: SmsRow['purpose'];
};

/** Returns the messages left. The journal is the balance. */
export async function smsLeft(tx: Tx, accountId: string): Promise<number> {
  return Math.floor((await ledger.sum(tx, accountId, 'sms')) / smsPriceFen);
}

export function createSmsSender({ database, clock, keys, outbox, messages }: SmsDeps) {
  /** Warns once until the next purchase. */
  async function warnIfLow(tx: Tx, accountId: string, gwid: string | null): Promise<void> {
    const left = await smsLeft(tx, accountId);
    const { numUpdatedRows } = await smsTables(tx)
      .updateTable('sms_account')
      .set({ warned_at: clock.now() })
      .where('account_id', '=', accountId)
      .where('warned_at', 'is', null)
      .where('low_balance', '>=', left)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const link = gwid ? `/sms_pay_log/${gwid}` : '/billing/balance';
    await messages.post(tx, accountId, { template: 'smsLow', params: { left }, link });
  }

  return {
    /**
     * Takes the fee in the caller's transaction; writes nothing if the balance is too low. Without a provider it is free.
     * @returns the outbox id @throws Failure balanceInsufficient
     */
    async queue(tx: Tx, { gwid, purpose, ...message }: AccountSms): Promise<string> {
      const { accountId, to, template } = message;
      const toFile = await outbox.toFile('sms');
      const fee_fen = !toFile && (await areSmsSold(database)) ? smsPriceFen : 0;
      if (fee_fen > 0) await ledger.requireSms(tx, accountId, fee_fen);
      const [id, at] = [newId(), clock.now()];
      const outbox_id = await outbox.queue(tx, { ...message, channel: 'sms' });
      await smsTables(tx)
        .insertInto('sms_message')
        .values({
          account_id: accountId,
          id,
          gwid,
          phone_masked: maskLogin(to),
          phone_hash: await phoneHash(tx, keys, accountId, to),
          purpose,
          template,
          outbox_id,
          fee_fen,
          at,
          state: toFile ? 'outbox' : 'queued',
          reason: null,
          settled_at: null,
        })
        .execute();
      if (fee_fen > 0) {
        const entries = [{ ledger: 'expense', fen: fee_fen } as const, { ledger: 'sms', fen: -fee_fen } as const];
        await ledger.post(tx, { accountId, key: `sms:${id}`, kind: 'sms_send', at, gwid, entries });
        await warnIfLow(tx, accountId, gwid);
      }
      return outbox_id;
    },

    /** Makes the messages to a number unfindable by it. */
    async forget(tx: Tx, accountId: string, phone: string): Promise<void> {
      const hash = await phoneHash(tx, keys, accountId, phone);
      if (!hash) return;
      await smsTables(tx)
        .updateTable('sms_message')
        .set({ phone_hash: null })
        .where('account_id', '=', accountId)
        .where('phone_hash', '=', hash)
        .execute();
    },
  };
}

export type SmsSender = ReturnType<typeof createSmsSender>;
