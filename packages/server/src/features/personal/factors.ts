import type { personalSecurity } from '@yunxun/contract';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Handlers } from '../../platform/http/call.ts';
import { deletePasskey, keepPasskey, passkeyCreation } from '../identity/passkeys.ts';
import { personOf } from '../identity/people.ts';
import { beginTotp, disableTotp, enableTotp, hasSecondFactor, renewRecoveryCodes } from '../identity/second-factor.ts';
import { openTicket, takeTicket } from '../identity/tickets.ts';
import { record } from '../logs/audit.ts';
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
      const who = personIn(identity);
      const codes = await enableTotp(tx, keys, who, input.code, clock.now());
      if (!codes) throw new Failure('wrongSecondFactor');
      await record(tx, acting, { action: 'person.enable_totp', object: selfIn(identity) });
      await warn(tx, deps, who, 'secondFactorOn');
      return { recovery_codes: codes };
    },

    async totpDisable({ tx, identity, acting }) {
      const who = personIn(identity);
      if (!(await disableTotp(tx, who))) throw new Failure('notFound');
      await record(tx, acting, { action: 'person.disable_totp', object: selfIn(identity) });
      await warn(tx, deps, who, 'secondFactorOff');
      return {};
    },

    async recoveryRenew({ tx, identity, acting }) {
      const who = personIn(identity);
      if (!(await hasSecondFactor(tx, who))) throw new Failure('notFound');
      const codes = await renewRecoveryCodes(tx, who);
      await record(tx, acting, { action: 'person.renew_recovery_codes', object: selfIn(identity) });
      await warn(tx, deps, who, 'recoveryCodesRenewed');
      return { recovery_codes: codes };
    },

    async passkeyBegin({ identity }) {
      const who = personIn(identity);
      return database.withSystem(async (tx) => {
        const { name } = await personOf(tx, who);
        const options = await passkeyCreation(tx, rp, who, { login: identity.actor.name, name });
        const ticket = await openTicket(
          tx,
          { kind: 'passkey_create', ...who, challenge: options.challenge },
          clock.now(),
        );
        return { ticket, options };
      });
    },

    async passkeyCreate({ identity, acting, input }) {
      const who = personIn(identity);
      const now = clock.now();
      // own transaction: a ticket is consumed in any case
      const ticket = await database.withSystem((tx) => takeTicket(tx, input.ticket, 'passkey_create', now));
      if (ticket?.account_id !== who.accountId || ticket.person_id !== who.personId || !ticket.challenge) {
        throw new Failure('tokenExpired');
      }
      const { challenge } = ticket;
      return database.withSystem(async (tx) => {
        const made = { challenge, response: input.response, name: input.name };
        const id = await keepPasskey(tx, rp, who, made, now);
        if (id === null) return invalid('response', 'validation.invalid');
        await record(tx, acting, {
          action: 'person.add_passkey',
          object: { type: 'passkey', id, name: input.name },
        });
        await warn(tx, deps, who, 'passkeyAdded', { name: input.name });
        return { id };
      });
    },

    async passkeyDelete({ identity, acting, input: { id } }) {
      const who = personIn(identity);
      await database.withSystem(async (tx) => {
        const name = await deletePasskey(tx, who, id);
        await record(tx, acting, { action: 'person.delete_passkey', object: { type: 'passkey', id, name } });
        await warn(tx, deps, who, 'passkeyDeleted', { name });
      });
      return {};
    },
  };
}
