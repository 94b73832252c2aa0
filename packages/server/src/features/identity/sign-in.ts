import { type Locale, limits } from '@yunxun/contract';
import { hashPassword, verifyPassword } from '../../platform/crypto/password.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/call.ts';
import { recordSignIn } from '../logs/audit.ts';
import { createAccount, findPerson } from './accounts.ts';
import { type CodeDeps, checkCode, consumeCode, sendCode } from './codes.ts';
import { openSession } from './sessions.ts';
import type { IdentityTables } from './tables.ts';
import { addressKey, countUp, reset } from './throttle.ts';

export interface SignInDeps extends CodeDeps {
  /** Whether strangers may register. */
  registrationOpen(tx: Tx): Promise<boolean>;
}

type Method = 'password' | 'sms' | 'register';
interface NewPassword {
  password: string;
  confirm: string;
}

/** Signing in and registering; every method answers the session's token. */
export function createSignIn(deps: SignInDeps) {
  const { database, clock, registrationOpen } = deps;

  async function refuse(
    who: { accountId: string; personId: string } | undefined,
    login: string,
    method: Method,
    caller: Caller,
    reason: string,
  ) {
    if (!who) return;
    await database.withSystem((tx) =>
      recordSignIn(tx, { ...rowOf(who, login, method, caller), result: 'failed', reason }),
    );
  }

  async function enter(
    tx: Tx,
    who: { accountId: string; personId: string },
    login: string,
    method: Method,
    caller: Caller,
    remember = false,
  ) {
    await recordSignIn(tx, { ...rowOf(who, login, method, caller), result: 'success', reason: null });
    return openSession(tx, who, caller, remember, method, clock.now());
  }

  /** @throws Failure wrongPassword, accountLocked (params.minutes) */
  async function byPassword(
    input: { email: string; password: string; remember?: boolean | undefined },
    caller: Caller,
  ): Promise<string> {
    const email = input.email.trim().toLowerCase();
    const key = `login:${email}:${addressKey(caller.ip)}`;
    const now = clock.now();
    const until = new Date(now.getTime() + limits.lockMinutes * 60_000);
    // counted before the password is looked at: many guesses at the same moment are many guesses
    const { who, guess } = await database.withSystem(async (tx) => ({
      who: await findPerson(tx, 'email', email),
      guess: await countUp(tx, key, now, until),
    }));
    if (guess.count > limits.wrongPasswords) {
      await refuse(who, email, 'password', caller, 'locked');
      throw locked(guess.expiresAt, now);
    }
    if (!(await verifyPassword(who?.passwordHash ?? null, input.password))) {
      await refuse(who, email, 'password', caller, 'wrong_password');
      if (guess.count >= limits.wrongPasswords) throw locked(guess.expiresAt, now);
      throw new Failure('wrongPassword', { data: { left: limits.wrongPasswords - guess.count } });
    }
    return database.withSystem(async (tx) => {
      await reset(tx, key);
      return enter(tx, who!, email, 'password', caller, input.remember);
    });
  }

  /** @throws Failure wrongCode, passwordNotSet (the code stays valid) */
  async function bySms(
    input: { mobile: string; code: string; remember?: boolean | undefined; first: NewPassword | null },
    caller: Caller,
  ): Promise<string> {
    const to = { channel: 'sms', target: input.mobile, purpose: 'sign_in' } as const;
    await checkCode(database, clock, to, input.code);
    const who = await database.withSystem((tx) => findPerson(tx, 'mobile', input.mobile));
    if (!who?.passwordHash) {
      if (!input.first) throw new Failure('passwordNotSet');
      return bySmsFirst({ ...input, first: input.first }, caller);
    }
    return database.withSystem(async (tx) => {
      await consumeCode(tx, to, input.code);
      return enter(tx, who, input.mobile, 'sms', caller, input.remember);
    });
  }

  /** First password of a mobile, known or not. @throws Failure wrongCode, loginNameTaken, registrationClosed */
  async function bySmsFirst(
    input: { mobile: string; code: string; remember?: boolean | undefined; first: NewPassword },
    caller: Caller,
  ): Promise<string> {
    const to = { channel: 'sms', target: input.mobile, purpose: 'sign_in' } as const;
    refuseMismatch(input.first);
    await checkCode(database, clock, to, input.code);
    const passwordHash = await hashPassword(input.first.password);
    return database.withSystem(async (tx) => {
      await consumeCode(tx, to, input.code);
      const known = await findPerson(tx, 'mobile', input.mobile);
      if (known?.passwordHash) throw new Failure('loginNameTaken');
      if (known) {
        await tables<IdentityTables>(tx)
          .updateTable('person')
          .set({ password_hash: passwordHash })
          .where('account_id', '=', known.accountId)
          .where('id', '=', known.personId)
          .execute();
        return enter(tx, known, input.mobile, 'sms', caller, input.remember);
      }
      return register(tx, { kind: 'mobile', value: input.mobile, passwordHash }, caller, input.remember);
    });
  }

  /** @throws Failure wrongCode, loginNameTaken, registrationClosed */
  async function byEmailRegistration(
    input: { email: string; code: string; remember?: boolean | undefined; first: NewPassword },
    caller: Caller,
  ): Promise<string> {
    const email = input.email.toLowerCase();
    const to = { channel: 'email', target: email, purpose: 'register' } as const;
    refuseMismatch(input.first);
    await checkCode(database, clock, to, input.code);
    const passwordHash = await hashPassword(input.first.password);
    return database.withSystem(async (tx) => {
      await consumeCode(tx, to, input.code);
      return register(tx, { kind: 'email', value: email, passwordHash }, caller, input.remember);
    });
  }

  async function register(
    tx: Tx,
    given: { kind: 'email' | 'mobile'; value: string; passwordHash: string },
    caller: Caller,
    remember?: boolean,
  ): Promise<string> {
    if (!(await registrationOpen(tx))) throw new Failure('registrationClosed');
    const who = await createAccount(tx, { ...given, locale: caller.locale, ip: caller.ip });
    return enter(tx, who, given.value, 'register', caller, remember);
  }

  return {
    byPassword,
    bySms,
    bySmsFirst,
    byEmailRegistration,
    sendSmsCode: (mobile: string, caller: Caller) =>
      sendCode(deps, { channel: 'sms', target: mobile, purpose: 'sign_in' }, caller),
    /** @throws Failure loginNameTaken, registrationClosed */
    async sendEmailCode(text: string, caller: { ip: string; locale: Locale }) {
      const email = text.toLowerCase();
      await database.withSystem(async (tx) => {
        if (!(await registrationOpen(tx))) throw new Failure('registrationClosed');
        if (await findPerson(tx, 'email', email)) throw new Failure('loginNameTaken');
      });
      return sendCode(deps, { channel: 'email', target: email, purpose: 'register' }, caller);
    },
  };
}

function refuseMismatch({ password, confirm }: NewPassword): void {
  if (password !== confirm) invalid('confirm_password', 'validation.confirmed');
}

function locked(until: Date, now: Date): Failure {
  const minutes = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 60_000));
  return new Failure('accountLocked', { data: { minutes }, params: { minutes } });
}

function rowOf(who: { accountId: string; personId: string }, login: string, method: Method, caller: Caller) {
  return {
    account_id: who.accountId,
    person_id: who.personId,
    login,
    action: 'login',
    method,
    ip: caller.ip,
    user_agent: caller.userAgent,
    new_place: false,
  };
}
