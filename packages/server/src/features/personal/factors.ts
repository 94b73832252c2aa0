import type { personalSecurity } from '@yunxun/contract';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { deletePasskey, keepPasskey, passkeyCreation } from '../identity/passkeys.ts';
import { personOf } from '../identity/people.ts';
import { beginTotp, disableTotp, enableTotp, hasSecondFactor, renewRecoveryCodes } from '../identity/second-factor.ts';
import { openTicket, takeTicket } from '../identity/tickets.ts';
import { record } from '../logs/index.ts';
import { type PersonalDeps, personIn, selfIn, warn } from './context.ts';

type Parts = Pick<
  Handlers<typeof personalSecurity>,
  'totpBegin' | 'totpEnable' | 'totpDisable' | 'recoveryRenew' | 'passkeyBegin' | 'passkeyCreate' | 'passkeyDelete'
>;

export function factorHandlers(deps: PersonalDeps): Parts {
  const { database, clock, keys, rp } = deps;
  return {
    totpBegin: ({ tx, identity }) => beginTotp(tx, keys, personIn(identity), identity.actor.name),

    async totpEnable({ tx, identity, acting, input }) {
      const person = personIn(identity);
      const codes = await enableTotp(tx, keys, person, input.code, clock.now());
      if (!codes) throw new Failure('wrongSecondFactor');
      await record(tx, acting, { action: 'person.enable_totp', object: selfIn(identity) });
      await warn(tx, deps, person, 'secondFactorOn');
      return { recovery_codes: codes };
    },

    async totpDisable({ tx, identity, acting }) {
      const person = personIn(identity);
      if (!(await disableTotp(tx, person))) throw new Failure('notFound');
      await record(tx, acting, { action: 'person.disable_totp', object: selfIn(identity) });
      await warn(tx, deps, person, 'secondFactorOff');
      return {};
    },

    async recoveryRenew({ tx, identity, acting }) {
      const person = personIn(identity);
      if (!(await hasSecondFactor(tx, person))) throw new Failure('notFound');
      const codes = await renewRecoveryCodes(tx, person);
      await record(tx, acting, { action: 'person.renew_recovery_codes', object: selfIn(identity) });
      await warn(tx, deps, person, 'recoveryCodesRenewed');
      return { recovery_codes: codes };
    },

    async passkeyBegin({ identity }) {
      const person = personIn(identity);
      return database.withSystem(async (tx) => {
        const { name } = await personOf(tx, person);
        const options = await passkeyCreation(tx, rp, person, { login: identity.actor.name, name });
        const ticket = await openTicket(
          tx,
          { kind: 'passkey_create', ...person, challenge: options.challenge },
          clock.now(),
        );
        return { ticket, options };
      });
    },

    async passkeyCreate({ identity, acting, input }) {
      const person = personIn(identity);
      const now = clock.now();
      // own transaction: a ticket is consumed in any case
      const ticket = await database.withSystem((tx) => takeTicket(tx, input.ticket, 'passkey_create', now));
      if (ticket?.account_id !== person.accountId || ticket.person_id !== person.personId || !ticket.challenge) {
        throw new Failure('tokenExpired');
      }
      const { challenge } = ticket;
      return database.withSystem(async (tx) => {
        const made = { challenge, response: input.response, name: input.name };
        const id = await keepPasskey(tx, rp, person, made, now);
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
        const name = await deletePasskey(tx, person, id);
        await record(tx, acting, { action: 'person.delete_passkey', object: { type: 'passkey', id, name } });
        await warn(tx, deps, person, 'passkeyDeleted', { name });
      });
      return {};
    },
  };
}
