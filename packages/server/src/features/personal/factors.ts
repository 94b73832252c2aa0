import type { personalSecurity } from '@yunxun/contract';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { people } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { type PersonalDeps, personIn, selfIn, warn } from './context.ts';

type Parts = Pick<
  Handlers<typeof personalSecurity>,
  'totpBegin' | 'totpEnable' | 'totpDisable' | 'recoveryRenew' | 'passkeyBegin' | 'passkeyCreate' | 'passkeyDelete'
>;

export function factorHandlers(deps: PersonalDeps): Parts {
  const { database } = deps;
  const { passkeys, secondFactor } = deps.identity;
  return {
    totpBegin: ({ tx, identity }) => secondFactor.begin(tx, personIn(identity), identity.actor.name),

    async totpEnable({ tx, identity, acting, input }) {
      const person = personIn(identity);
      const codes = await secondFactor.enable(tx, person, input.code);
      if (!codes) throw new Failure('wrongSecondFactor');
      await record(tx, acting, { action: 'person.enable_totp', object: selfIn(identity) });
      await warn(tx, deps, person, 'secondFactorOn');
      return { recovery_codes: codes };
    },

    async totpDisable({ tx, identity, acting }) {
      const person = personIn(identity);
      if (!(await secondFactor.disable(tx, person))) throw new Failure('notFound');
      await record(tx, acting, { action: 'person.disable_totp', object: selfIn(identity) });
      await warn(tx, deps, person, 'secondFactorOff');
      return {};
    },

    async recoveryRenew({ tx, identity, acting }) {
      const person = personIn(identity);
      if (!(await secondFactor.isOn(tx, person))) throw new Failure('notFound');
      const codes = await secondFactor.renewCodes(tx, person);
      await record(tx, acting, { action: 'person.renew_recovery_codes', object: selfIn(identity) });
      await warn(tx, deps, person, 'recoveryCodesRenewed');
      return { recovery_codes: codes };
    },

    async passkeyBegin({ identity }) {
      const person = personIn(identity);
      return database.withSystem(async (tx) => {
        const { name } = await people.personOf(tx, person);
        return passkeys.begin(tx, person, { login: identity.actor.name, name });
      });
    },

    async passkeyCreate({ identity, acting, input }) {
      const person = personIn(identity);
      // own transaction: a ticket is consumed in any case
      const challenge = await database.withSystem((tx) => passkeys.takeChallenge(tx, person, input.ticket));
      if (!challenge) throw new Failure('tokenExpired');
      return database.withSystem(async (tx) => {
        const made = { challenge, response: input.response, name: input.name };
        const id = await passkeys.keep(tx, person, made);
        if (id === null) return invalid('response', 'validation.invalid');
        await record(tx, acting, {
          action: 'person.add_passkey',
          object: { type: 'passkey', id, name: input.name },
        });
        await warn(tx, deps, person, 'passkeyAdded', { name: input.name });
        return { id };
      });
    },

    async passkeyDelete({ identity, acting, input: { id } }) {
      const person = personIn(identity);
      await database.withSystem(async (tx) => {
        const name = await passkeys.remove(tx, person, id);
        await record(tx, acting, { action: 'person.delete_passkey', object: { type: 'passkey', id, name } });
        await warn(tx, deps, person, 'passkeyDeleted', { name });
      });
      return {};
    },
  };
}
