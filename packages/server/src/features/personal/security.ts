import { limits, type personal, type personalSecurity } from '@yunxun/contract';
import { hashPassword } from '../../platform/crypto/password.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Caller, Handlers, Identity } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { people, sessions } from '../identity/index.ts';
import { record, recordSignIn } from '../logs/index.ts';
import { type PersonalDeps, personIn, selfIn, warn } from './context.ts';
import { scoreOf } from './score.ts';

type Parts = Pick<Handlers<typeof personalSecurity>, 'confirm' | 'overview'> &
  Pick<Handlers<typeof personal>, 'savePassword' | 'saveWithdrawalPassword'>;
type Secret = { password: string } | { code: string };

export function securityHandlers(deps: PersonalDeps): Parts {
  const { database, clock, bus } = deps;
  const { passkeys: keptPasskeys, secondFactor } = deps.identity;

  /**
   * Logs wrong secrets.
   * @returns the kind of secret @throws Failure wrongPassword, wrongSecondFactor, accountLocked, tooManyRequests
   */
  async function prove(identity: Identity, secret: Secret, caller: Caller): Promise<'password' | 'totp' | 'recovery'> {
    try {
      return await deps.identity.confirm(personIn(identity), identity.sessionId, secret);
    } catch (error) {
      if (error instanceof Failure) {
        const reasons = { wrongPassword: 'wrong_password', accountLocked: 'locked', wrongSecondFactor: 'wrong_code' };
        const reason = reasons[error.code as keyof typeof reasons] ?? null;
        const method = 'password' in secret ? 'password' : 'totp';
        if (reason) await logConfirmation(identity, caller, { method, result: 'failed', reason });
      }
      throw error;
    }
  }

  async function logConfirmation(
    identity: Identity,
    caller: Caller,
    outcome: { method: string; result: 'success' | 'failed'; reason: string | null },
  ): Promise<Date> {
    const person = personIn(identity);
    const now = clock.now();
    await database.withSystem(async (tx) => {
      if (outcome.result === 'success') {
        await sessions.markSession(tx, person.accountId, identity.sessionId, { confirmed_at: now });
      }
      await recordSignIn(tx, {
        account_id: person.accountId,
        person_id: person.personId,
        login: identity.actor.name,
        action: 'confirm',
        ip: caller.ip,
        user_agent: caller.userAgent,
        new_place: false,
        ...outcome,
      });
    });
    return new Date(now.getTime() + limits.confirmMinutes * 60_000);
  }

  return {
    async confirm({ identity, input, caller, setToken }) {
      const { password, code } = input;
      if (password === undefined && code === undefined) invalid('password', 'validation.required');
      const secret = password === undefined ? { code: code ?? '' } : { password };
      const method = await prove(identity, secret, caller);
      const until = await logConfirmation(identity, caller, { method, result: 'success', reason: null });
      const { token, remembered } = await database.withSystem((tx) =>
        sessions.renewSession(tx, identity.actor.homeAccountId, identity.sessionId, clock.now()),
      );
      setToken(token);
      return { until: until.toISOString(), remembered };
    },

    async overview({ tx, identity }) {
      const user = personIn(identity);
      const person = await people.personOf(tx, user);
      const passkeys = await keptPasskeys.list(tx, user);
      const left = await secondFactor.codesLeft(tx, user);
      const safety = {
        hasPassword: person.password_hash !== null,
        passwordChangedAt: person.password_changed_at,
        mobile: person.mobile,
        email: person.email,
        totp: person.totp_enabled_at !== null,
        passkeys: passkeys.length,
        recoveryCodesLeft: left,
        hasWithdrawalPassword: person.withdrawal_hash !== null,
      };
      return {
        ...scoreOf(safety, clock.now()),
        has_password: safety.hasPassword,
        password_changed_at: person.password_changed_at?.toISOString() ?? null,
        mobile: person.mobile,
        email: person.email,
        has_withdrawal_password: safety.hasWithdrawalPassword,
        totp_enabled_at: person.totp_enabled_at?.toISOString() ?? null,
        recovery_codes_left: left,
        passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
          id,
          name,
          created_at: created_at.toISOString(),
          last_used_at: last_used_at?.toISOString() ?? null,
        })),
        confirmed_until: identity.confirmedUntil?.toISOString() ?? null,
      };
    },

    async savePassword({ identity, acting, input, caller }) {
      if (input.password !== input.confirm_password) invalid('confirm_password', 'validation.confirmed');
      await prove(identity, { password: input.old_password }, caller);
      if (input.password === input.old_password) invalid('password', 'validation.samePassword');
      const hash = await hashPassword(input.password);
      const person = personIn(identity);
      await database.withSystem(async (tx) => {
        await people.setPassword(tx, person, hash, clock.now());
        const ended = input.keep_others ? 0 : await sessions.endSessionsOf(tx, person, identity.sessionId);
        await record(tx, acting, {
          action: 'person.change_password',
          object: selfIn(identity),
          after: { ended_sessions: ended },
        });
        await warn(tx, deps, person, 'passwordChanged');
        rightsChanged(tx, bus, person.personId);
      });
      return {};
    },

    async saveWithdrawalPassword({ identity, acting, input }) {
      if (input.password !== input.confirm_password) invalid('confirm_password', 'validation.confirmed');
      const hash = await hashPassword(input.password);
      const person = personIn(identity);
      await database.withSystem(async (tx) => {
        await people.setWithdrawalPassword(tx, person, hash);
        await record(tx, acting, { action: 'person.change_withdrawal_password', object: selfIn(identity) });
        await warn(tx, deps, person, 'withdrawalPasswordChanged');
      });
      return {};
    },
  };
}
