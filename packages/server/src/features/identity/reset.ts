import { setTimeout as delay } from 'node:timers/promises';
import { type Locale, limits } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { hashPassword } from '../../platform/crypto/password.ts';
import { newId, type Tx, tables } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/call.ts';
import { rightsChanged } from '../../platform/live/index.ts';
import { maskLogin } from '../../platform/mask-login.ts';
import { record, recordSignIn } from '../logs/index.ts';
import { actorOf, findPerson } from './accounts.ts';
import { type CodeTarget, checkCode, consumeCode, makeCode, queueCode, sent } from './codes.ts';
import { isClosed, refuseClosed, type SignInDeps } from './entering.ts';
import { forgetAllGuesses, forgetFactorGuesses } from './guesses.ts';
import { personOf, setPassword } from './people.ts';
import { endSessionsOf } from './sessions.ts';
import { refuseMismatch } from './sign-in.ts';
import type { IdentityTables } from './tables.ts';

/** Does not reveal logins: answers come after a fixed time, and sending is not awaited. */
export function createReset(deps: SignInDeps) {
  const { database, clock, outbox, messages, bus, publicUrl } = deps;

  /** Replaces earlier links; names the requester. */
  async function sendLink(
    tx: Tx,
    person: PersonKey,
    email: string,
    locale: Locale,
    by: 'person' | 'admin' = 'person',
  ): Promise<void> {
    const token = await openReset(tx, person, email, clock.now());
    await outbox.queue(tx, {
      accountId: person.accountId,
      channel: 'email',
      to: email,
      template: 'passwordReset',
      params: { url: `${publicUrl}/password_reset/${token}`, minutes: limits.resetMinutes, by },
      locale,
      expiresAt: resetExpiry(clock.now()),
    });
  }

  return {
    sendLink,

    /** @throws Failure tooManyRequests, smsQuota; Invalid unless exactly one is given */
    async forgot(input: { email?: string | undefined; mobile?: string | undefined }, caller: Caller) {
      const { email: typed, mobile } = input;
      if ((typed === undefined) === (mobile === undefined)) {
        invalid(
          typed === undefined ? 'email' : 'mobile',
          typed === undefined ? 'validation.required' : 'validation.invalid',
        );
      }
      const email = typed?.toLowerCase();
      const to: CodeTarget = email
        ? { channel: 'email', target: email, purpose: 'reset' }
        : { channel: 'sms', target: mobile!, purpose: 'reset' };
      const minimumDelay = delay(answerAfterMs);
      const left = await database.withSystem(async (tx) => {
        // unknown logins too: limits must not differ
        const { code, left } = await makeCode(tx, to, caller, clock.now());
        const found = await findPerson(tx, email ? 'email' : 'mobile', to.target);
        // closed accounts get no link
        const person = found && !(await isClosed(tx, found.accountId)) ? found : undefined;
        if (person && email) await sendLink(tx, person, email, caller.locale);
        else if (person) await queueCode(deps, tx, to, code, caller.locale);
        return left;
      });
      const answer = await sent(outbox, to, left);
      void outbox.flush();
      await minimumDelay;
      return answer;
    },

    /** Exchanges an SMS code for the page's token. @throws Failure wrongCode */
    async byCode(input: { mobile: string; code: string }): Promise<string> {
      const to = { channel: 'sms', target: input.mobile, purpose: 'reset' } as const;
      await checkCode(database, clock, to, input.code);
      return database.withSystem(async (tx) => {
        await consumeCode(tx, to, input.code);
        const person = await findPerson(tx, 'mobile', input.mobile);
        if (!person) throw new Failure('wrongCode');
        return openReset(tx, person, input.mobile, clock.now());
      });
    },

    /** @throws Failure tokenUsed, tokenExpired, accountClosed */
    check: (token: string) =>
      database.withSystem(async (tx) => {
        const row = await usable(tx, token, clock.now());
        return { login: maskLogin(row.login), expire_at: row.expires_at.toISOString() };
      }),

    /** Ends every session. @returns the login @throws Failure tokenUsed, tokenExpired, accountClosed */
    async reset(input: { token: string; password: string; confirm: string }, caller: Caller): Promise<string> {
      refuseMismatch(input);
      // no hashing for invalid tokens
      await database.withSystem((tx) => usable(tx, input.token, clock.now()));
      const passwordHash = await hashPassword(input.password);
      return database.withSystem(async (tx) => {
        const now = clock.now();
        const row = await usable(tx, input.token, now);
        const person = { accountId: row.account_id, personId: row.person_id };
        await tables<IdentityTables>(tx)
          .updateTable('password_reset')
          .set({ used_at: now })
          .where('account_id', '=', row.account_id)
          .where('id', '=', row.id)
          .execute();
        await setPassword(tx, person, passwordHash, now);
        const ended = await endSessionsOf(tx, person, null);
        const { email, mobile } = await personOf(tx, person);
        await forgetAllGuesses(
          tx,
          [email, mobile, person.personId].filter((login) => login !== null),
        );
        await forgetFactorGuesses(tx, person.personId);
        await writeDown(tx, person, row.login, ended, caller);
        return row.login;
      });
    },
  };

  async function writeDown(tx: Tx, person: PersonKey, login: string, ended: number, caller: Caller): Promise<void> {
    const { accountId, personId } = person;
    await recordSignIn(tx, {
      account_id: accountId,
      person_id: personId,
      login,
      action: 'confirm',
      method: 'reset',
      ip: caller.ip,
      user_agent: caller.userAgent,
      result: 'success',
      reason: null,
      new_place: false,
    });
    const actor = actorOf(accountId, personId, login);
    await record(
      tx,
      { accountId, userId: personId, actor, source: 'web', ip: caller.ip },
      {
        action: 'person.reset_password',
        object: { type: 'person', id: personId, name: login },
        after: { ended_sessions: ended },
      },
    );
    await messages.post(tx, accountId, {
      template: 'passwordReset',
      params: {},
      link: '/security',
      personId,
    });
    rightsChanged(tx, bus, personId);
  }
}

/** Milliseconds; sending needs less. */
const answerAfterMs = 300;

function resetExpiry(now: Date): Date {
  return new Date(now.getTime() + limits.resetMinutes * 60_000);
}

async function openReset(tx: Tx, person: PersonKey, login: string, now: Date): Promise<string> {
  const { token, hash } = newToken();
  const db = tables<IdentityTables>(tx);
  await db
    .deleteFrom('password_reset')
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .where('used_at', 'is', null)
    .execute();
  await db
    .insertInto('password_reset')
    .values({
      account_id: person.accountId,
      id: newId(),
      person_id: person.personId,
      login,
      token_hash: hash,
      created_at: now,
      expires_at: resetExpiry(now),
      used_at: null,
    })
    .execute();
  return token;
}

async function usable(tx: Tx, token: string, now: Date) {
  const row = await tables<IdentityTables>(tx)
    .selectFrom('password_reset')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .forUpdate()
    .executeTakeFirst();
  if (row?.used_at) throw new Failure('tokenUsed');
  if (!row || row.expires_at <= now) throw new Failure('tokenExpired');
  await refuseClosed(tx, row.account_id);
  return row;
}
