import { personal } from '@yunxun/contract';
import type { Database } from '../../platform/database/index.ts';
import { implement, type Route } from '../../platform/http/call.ts';
import { replaceBindingCode } from '../identity/accounts.ts';
import { personalization, savePersonalization } from '../identity/people.ts';
import { record } from '../logs/audit.ts';

/** The personal centre: profile and personalization. */
export function personalRoutes({ database }: { database: Database }): Route[] {
  return implement(personal, {
    rotateBindingCode: ({ acting }) =>
      database.withSystem(async (tx) => {
        const code = await replaceBindingCode(tx, acting.accountId);
        await record(tx, acting, {
          action: 'account.rotate_binding_code',
          object: { type: 'account', id: acting.accountId, name: acting.actor!.name },
        });
        return { account_code: code };
      }),
    savePersonalization: ({ identity: { actor }, acting, input }) =>
      database.withSystem(async (tx) => {
        const who = { accountId: actor.homeAccountId, personId: actor.userId };
        const before = await personalization(tx, who);
        await savePersonalization(tx, who, input);
        const after = await personalization(tx, who);
        await record(tx, acting, {
          action: 'person.personalize',
          object: { type: 'person', id: actor.userId, name: actor.name },
          before,
          after,
        });
        return after;
      }),
  });
}
