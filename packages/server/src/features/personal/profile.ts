import { personal } from '@yunxun/contract';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { bindingCodes, people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type PersonalDeps, personIn, selfIn } from './context.ts';

type Parts = Pick<Handlers<typeof personal>, 'saveQq' | 'saveName' | 'rotateBindingCode' | 'savePersonalization'>;

export function profileHandlers({ database }: PersonalDeps): Parts {
  return {
    async saveQq({ tx, identity, acting, input: { qq } }) {
      const person = personIn(identity);
      const before = (await people.personOf(tx, person)).qq;
      await people.saveSelf(tx, person, { qq });
      await record(tx, acting, {
        action: 'person.save_qq',
        object: selfIn(identity),
        before: { qq: before },
        after: { qq },
        inverse: { path: personal.saveQq.path, input: { qq: before } },
      });
      return { qq };
    },
    async saveName({ tx, identity, acting, input: { name } }) {
      const person = personIn(identity);
      const before = (await people.personOf(tx, person)).name;
      await people.saveSelf(tx, person, { name });
      await record(tx, acting, {
        action: 'person.save_name',
        object: selfIn(identity),
        before: { name: before },
        after: { name },
        inverse: { path: personal.saveName.path, input: { name: before } },
      });
      return { name };
    },
    rotateBindingCode: ({ acting }) =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting, 'network.bind');
        const code = await bindingCodes.replaceBindingCode(tx, acting.accountId);
        await record(tx, acting, {
          action: 'account.rotate_binding_code',
          object: { type: 'account', id: acting.accountId, name: acting.actor!.name },
        });
        return { account_code: code };
      }),
    async savePersonalization({ tx, identity, acting, input }) {
      const person = personIn(identity);
      const before = await people.personalization(tx, person);
      await people.savePersonalization(tx, person, input);
      const after = await people.personalization(tx, person);
      await record(tx, acting, {
        action: 'person.personalize',
        object: selfIn(identity),
        before,
        after,
        inverse: { path: personal.savePersonalization.path, input: before },
      });
      return after;
    },
  };
}
