import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { countMessage } from '../../platform/outbox/message-limits.ts';
import { accounts } from '../identity/index.ts';
import type { Rule } from './store.ts';

export interface MailDeps {
  database: Database;
  clock: Clock;
  outbox: Pick<Outbox, 'queue' | 'flush'>;
}

export function createPasswordMail({ database, clock, outbox }: MailDeps) {
  return {
    /**
     * Limits manual sends. Own transaction: request roles cannot write counters.
     * @throws Failure tooManyRequests
     */
    async count({ ip }: Acting, { rule: { emails } }: Rule): Promise<void> {
      if (ip === null || emails.length === 0) return;
      await database.withSystem(async (tx) => {
        for (const target of emails.toSorted())
          await countMessage(tx, { channel: 'email', target }, { ip }, clock.now());
      });
    },

    /** Queues in the transaction of the password; expires with the next one. */
    async queue(tx: Tx, { account_id: accountId, name, ssid, rule }: Rule, password: string, next: Date | null) {
      if (rule.emails.length === 0) return;
      const locale = (await accounts.ownerOf(tx, accountId))?.locale ?? 'zh-CN';
      const params = { ssid, password, name, account: (await accounts.accountOf(tx, accountId)).name };
      const message = { accountId, channel: 'email', template: 'wifiPassword', params, locale } as const;
      for (const to of rule.emails) await outbox.queue(tx, { ...message, to, ...(next && { expiresAt: next }) });
      afterCommit(tx, () => void outbox.flush());
    },
  };
}

/** Removes duplicates, ignoring case. */
export function oneEach(emails: readonly string[]): string[] {
  return [...new Set(emails.map((email) => email.toLowerCase()))];
}
