import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit, type Database, type Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { accountOf } from '../identity/accounts.ts';
import { ownerOf } from '../identity/all-accounts.ts';
import { countLetter } from '../identity/codes.ts';
import type { Rule } from './store.ts';

export interface MailDeps {
  database: Database;
  clock: Clock;
  outbox: Pick<Outbox, 'queue' | 'flush'>;
}

/** New passwords on their way to the addresses of their rule. */
export function createPasswordMail({ database, clock, outbox }: MailDeps) {
  return {
    /**
     * Counts what somebody sends to addresses of their choice with a click, as invitations and codes are counted; what a
     * plan sends is once a day at most. In a transaction of its own: a request has no grant on the counters.
     * @throws Failure tooManyRequests
     */
    async count({ ip }: Acting, { rule: { emails } }: Rule): Promise<void> {
      if (ip === null || emails.length === 0) return;
      await database.withSystem(async (tx) => {
        for (const target of emails.toSorted())
          await countLetter(tx, { channel: 'email', target }, { ip }, clock.now());
      });
    },

    /** Queues the mail with a password, in the transaction that makes it; once the next one is due it is not sent any more. */
    async queue(tx: Tx, { account_id: accountId, name, ssid, rule }: Rule, password: string, next: Date | null) {
      if (rule.emails.length === 0) return;
      const locale = (await ownerOf(tx, accountId))?.locale ?? 'zh-CN';
      const params = { ssid, password, name, account: (await accountOf(tx, accountId)).name };
      const letter = { accountId, channel: 'email', template: 'wifiPassword', params, locale } as const;
      for (const to of rule.emails) await outbox.queue(tx, { ...letter, to, ...(next && { expiresAt: next }) });
      afterCommit(tx, () => void outbox.flush());
    },
  };
}

/** A mailbox has one name, however it is written. */
export function oneEach(emails: readonly string[]): string[] {
  return [...new Set(emails.map((email) => email.toLowerCase()))];
}
