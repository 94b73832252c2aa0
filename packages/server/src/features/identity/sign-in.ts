import type { Locale } from '@yunxun/contract';
import { hashPassword, verifyPassword } from '../../platform/crypto/password.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { createGuessSlots } from '../../platform/guesses/index.ts';
import type { Caller } from '../../platform/http/call.ts';
import { createAccount, findPerson } from './accounts.ts';
import { type CodeTarget, checkCode, consumeCode, sendCode } from './codes.ts';
import { createEntering, type Entered, type SignInDeps, tokenOf } from './entering.ts';
import { forgetGuesses, loginGuesses, passTime, refusedGuess } from './guesses.ts';
import { passkeyRequest, verifyPasskey } from './passkeys.ts';
import { personOf } from './people.ts';
import { openTicket, takeTicket } from './tickets.ts';

interface NewPassword {
  password: string;
  confirm: string;
}

export function createSignIn(deps: SignInDeps) {
  const { database, clock } = deps;
  const slots = createGuessSlots(deps);
  const entering = createEntering(deps, slots);

  /** @throws Failure wrongPassword, accountLocked (params.minutes), secondFactor (data.ticket), accountClosed, tooManyRequests */
  async function byPassword(
    input: { email: string; password: string; remember?: boolean | undefined },
    caller: Caller,
  ): Promise<string> {
    const email = input.email.trim().toLowerCase();
    const person = await database.withSystem((tx) => findPerson(tx, 'email', email));
    const shown = person && { ...person, login: email, method: 'password' as const, remember: input.remember };
    const refuse = (reason: string) =>
      database.withSystem((tx) =>
        shown ? entering.refuse(tx, shown, caller, reason) : passTime(tx, email, caller.ip, clock.now()),
      );
    const done = await slots.check(loginGuesses(email, caller.ip), async () =>
      (await verifyPassword(person?.passwordHash ?? null, input.password)) ? true : null,
    );
    if (done.outcome !== 'right') {
      await (done.outcome === 'wrong' ? refuse('wrong_password') : refuse('locked'));
      throw refusedGuess(done, clock.now());
    }
    const entered = await database.withSystem(async (tx) => {
      const result = await entering.enter(tx, shown!, caller);
      // a password alone must not reset second-factor guesses
      if ('token' in result) await forgetGuesses(tx, email, caller.ip);
      return result;
    });
    return tokenOf(entered);
  }

  /** Logs a wrong code for a known mobile. @throws Failure wrongCode */
  async function checkSmsCode(to: CodeTarget, code: string, caller: Caller): Promise<void> {
    try {
      await checkCode(database, clock, to, code);
    } catch (error) {
      await database.withSystem(async (tx) => {
        const person = await findPerson(tx, 'mobile', to.target);
        const shown = person && { ...person, login: to.target, method: 'sms' as const };
        await (shown
          ? entering.refuse(tx, shown, caller, 'wrong_code')
          : passTime(tx, to.target, caller.ip, clock.now()));
      });
      throw error;
    }
  }

  /**
   * @throws Failure wrongCode, registrationClosed, passwordNotSet (the code stays valid), secondFactor (data.ticket),
   * accountClosed
   */
  async function bySms(
    input: { mobile: string; code: string; remember?: boolean | undefined; first: NewPassword | null },
    caller: Caller,
  ): Promise<string> {
    const to = { channel: 'sms', target: input.mobile, purpose: 'sign_in' } as const;
    await checkSmsCode(to, input.code, caller);
    const person = await knownOrWelcome(input.mobile);
    if (!person?.passwordHash) {
      if (!input.first) throw new Failure('passwordNotSet');
      return bySmsFirst({ ...input, first: input.first }, caller);
    }
    const entered = await database.withSystem(async (tx) => {
      await consumeCode(tx, to, input.code);
      return entering.enter(tx, { ...person, login: input.mobile, method: 'sms', remember: input.remember }, caller);
    });
    return tokenOf(entered);
  }

  /** Returns undefined for a new mobile. @throws Failure registrationClosed */
  function knownOrWelcome(mobile: string) {
    return database.withSystem(async (tx) => {
      const person = await findPerson(tx, 'mobile', mobile);
      if (!person) await refuseUninvited(tx, mobile);
      return person;
    });
  }

  /**
   * Sets the first password. @throws Failure wrongCode, loginNameTaken, registrationClosed, secondFactor (data.ticket),
   * accountClosed
   */
  async function bySmsFirst(
    input: { mobile: string; code: string; remember?: boolean | undefined; first: NewPassword },
    caller: Caller,
  ): Promise<string> {
    const to = { channel: 'sms', target: input.mobile, purpose: 'sign_in' } as const;
    refuseMismatch(input.first);
    await checkSmsCode(to, input.code, caller);
    await knownOrWelcome(input.mobile);
    const passwordHash = await hashPassword(input.first.password);
    const entered = await database.withSystem(async (tx) => {
      await consumeCode(tx, to, input.code);
      const known = await findPerson(tx, 'mobile', input.mobile);
      if (known?.passwordHash) throw new Failure('loginNameTaken');
      if (!known) return register(tx, { kind: 'mobile', value: input.mobile, passwordHash }, caller, input.remember);
      const shown = { ...known, login: input.mobile, method: 'sms' as const, remember: input.remember };
      return entering.enter(tx, { ...shown, firstPassword: passwordHash }, caller);
    });
    return tokenOf(entered);
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
    const entered = await database.withSystem(async (tx) => {
      await consumeCode(tx, to, input.code);
      return register(tx, { kind: 'email', value: email, passwordHash }, caller, input.remember);
    });
    return tokenOf(entered);
  }

  async function register(
    tx: Tx,
    given: { kind: 'email' | 'mobile'; value: string; passwordHash: string },
    caller: Caller,
    remember?: boolean,
  ): Promise<Entered> {
    await refuseUninvited(tx, given.value);
    const person = await createAccount(tx, { ...given, locale: caller.locale, ip: caller.ip });
    return entering.open(tx, { ...person, login: given.value, method: 'register', remember }, caller);
  }

  /** Admits invited logins. @throws Failure registrationClosed */
  async function refuseUninvited(tx: Tx, login: string): Promise<void> {
    if (await deps.registrationOpen(tx)) return;
    if (!(await deps.invited(tx, login, clock.now()))) throw new Failure('registrationClosed');
  }

  async function passkeyOptions() {
    const options = await passkeyRequest(deps.rp);
    const ticket = await database.withSystem((tx) =>
      openTicket(tx, { kind: 'passkey_login', challenge: options.challenge }, clock.now()),
    );
    return { ticket, options };
  }

  /**
   * Needs no second factor: the device verified the person. @throws Failure tokenExpired, passkeyUnknown, accountClosed
   */
  async function byPasskey(
    input: { ticket: string; response: unknown; remember?: boolean | undefined },
    caller: Caller,
  ): Promise<string> {
    const now = clock.now();
    // consumed anyway: a challenge is signed once
    const ticket = await database.withSystem((tx) => takeTicket(tx, input.ticket, 'passkey_login', now));
    if (!ticket) throw new Failure('tokenExpired');
    const entered = await database.withSystem(async (tx) => {
      const key = await verifyPasskey(tx, deps.rp, ticket.challenge!, input.response, now);
      if (!key) return null;
      const { verified, ...user } = key;
      const person = await personOf(tx, user);
      const login = person.email ?? person.mobile ?? user.personId;
      const shown = { ...user, login, method: 'passkey' as const, remember: input.remember };
      if (verified) return entering.open(tx, shown, caller);
      await entering.refuse(tx, shown, caller, 'wrong_passkey');
      return null;
    });
    if (!entered) throw new Failure('passkeyUnknown');
    return tokenOf(entered);
  }

  return {
    entering,
    byPassword,
    bySms,
    bySmsFirst,
    byEmailRegistration,
    passkeyOptions,
    byPasskey,
    sendSmsCode: (mobile: string, caller: Caller) =>
      sendCode(deps, { channel: 'sms', target: mobile, purpose: 'sign_in' }, caller),
    async sendEmailCode(text: string, caller: { ip: string; locale: Locale }) {
      const email = text.toLowerCase();
      await database.withSystem((tx) => refuseUninvited(tx, email));
      return sendCode(deps, { channel: 'email', target: email, purpose: 'register' }, caller);
    },
  };
}

/** @throws Invalid for `confirm_password` */
export function refuseMismatch({ password, confirm }: NewPassword): void {
  if (password !== confirm) invalid('confirm_password', 'validation.confirmed');
}
