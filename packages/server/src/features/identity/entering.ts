import { sql } from 'kysely';
import type { PersonKey } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { tokenHash } from '../../platform/crypto/index.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { GuessSlots } from '../../platform/guesses/index.ts';
import type { Caller } from '../../platform/http/call.ts';
import { record, recordSignIn } from '../logs/index.ts';
import type { Messages } from '../messages/index.ts';
import { accountOf, actorOf } from './accounts.ts';
import type { CodeDeps } from './codes.ts';
import {
  checkInBoth,
  factorGuesses,
  forgetFactorGuesses,
  forgetGuesses,
  loginGuesses,
  refusedGuess,
} from './guesses.ts';
import type { RelyingParty } from './passkeys.ts';
import { personOf, setPassword } from './people.ts';
import { notePlace } from './places.ts';
import { hasSecondFactor, takeSecondFactor } from './second-factor.ts';
import { openSession } from './sessions.ts';
import type { IdentityTables, SignInMethod } from './tables.ts';
import { lockTicket, openTicket, takeTicket } from './tickets.ts';

export interface SignInDeps extends CodeDeps {
  bus: Bus;
  keys: AccountKeys;
  messages: Messages;
  rp: RelyingParty;
  publicUrl: string;
  registrationOpen(tx: Tx): Promise<boolean>;
  invited(tx: Tx, login: string, now: Date): Promise<boolean>;
}

export interface Shown extends PersonKey {
  login: string;
  method: SignInMethod;
  remember?: boolean | undefined;
  firstPassword?: string | undefined;
}

export type Entered = { token: string } | { ticket: string } | { closed: true };

const triesPerTicket = 5;

/** Ends every sign-in: account open, second factor, log, place, session. */
export function createEntering({ database, clock, keys, messages }: SignInDeps, slots: GuessSlots) {
  /** Only logs the sign-in for a closed account. */
  async function open(tx: Tx, shown: Shown, caller: Caller, logged: SignInMethod = shown.method): Promise<Entered> {
    if (await isClosed(tx, shown.accountId)) {
      const refused = { method: logged, result: 'failed', reason: 'account_closed', new_place: false };
      await recordSignIn(tx, { ...rowOf(shown, caller), ...refused });
      return { closed: true };
    }
    const now = clock.now();
    if (shown.firstPassword) await giveFirstPassword(tx, shown, shown.firstPassword, caller);
    const new_place = await notePlace(tx, shown, caller, now);
    await recordSignIn(tx, { ...rowOf(shown, caller), method: logged, result: 'success', reason: null, new_place });
    if (new_place) {
      await messages.post(tx, shown.accountId, {
        template: 'newPlace',
        params: { ip: caller.ip, user_agent: caller.userAgent },
        link: '/security',
        personId: shown.personId,
      });
    }
    return { token: await openSession(tx, shown, caller, shown.remember ?? false, shown.method, now) };
  }

  async function giveFirstPassword(tx: Tx, shown: Shown, passwordHash: string, { ip }: Caller): Promise<void> {
    const { accountId, personId, login } = shown;
    // another sign-in may have set one meanwhile
    if ((await personOf(tx, shown)).password_hash !== null) return;
    await setPassword(tx, shown, passwordHash, clock.now());
    const actor = actorOf(accountId, personId, login);
    const object = { type: 'person' as const, id: personId, name: login };
    await record(
      tx,
      { accountId, userId: personId, actor, source: 'web', ip },
      { action: 'person.set_password', object },
    );
    const message = { template: 'passwordChanged', params: {}, link: '/security', personId } as const;
    await messages.post(tx, accountId, message);
  }

  return {
    open,

    async enter(tx: Tx, shown: Shown, caller: Caller): Promise<Entered> {
      if ((await isClosed(tx, shown.accountId)) || !(await hasSecondFactor(tx, shown))) return open(tx, shown, caller);
      const { remember = false, firstPassword, ...person } = shown;
      const ticket = { kind: 'second_factor' as const, ...person, remember, passwordHash: firstPassword };
      return { ticket: await openTicket(tx, ticket, clock.now()) };
    },

    refuse,

    /** @throws Failure tokenExpired, wrongSecondFactor (data.left), accountLocked, accountClosed, tooManyRequests */
    async bySecondFactor(input: { ticket: string; code: string }, caller: Caller): Promise<string> {
      // counted first, in its own transaction: survives the refusal
      const { shown, left } = await database.withSystem(async (tx) => {
        const ticket = await countTry(tx, input.ticket, clock.now());
        const person = await personOf(tx, ticket);
        const login = person.email ?? person.mobile ?? ticket.personId;
        return { shown: { ...ticket, login }, left: triesPerTicket - ticket.attempts };
      });
      const both = [factorGuesses(shown.personId), loginGuesses(shown.login, caller.ip)] as const;
      const done = await checkInBoth(slots, both, () =>
        database.withSystem(async (tx) => {
          // not checked, so no guess
          if (await isClosed(tx, shown.accountId)) return open(tx, shown, caller);
          const now = clock.now();
          // used meanwhile, by the same code
          if (!(await lockTicket(tx, input.ticket, now))) throw new Failure('tokenExpired');
          const taken = await takeSecondFactor(tx, keys, shown, input.code, now);
          if (!taken) return null;
          await takeTicket(tx, input.ticket, 'second_factor', now);
          await forgetGuesses(tx, shown.login, caller.ip);
          await forgetFactorGuesses(tx, shown.personId);
          return open(tx, shown, caller, taken);
        }),
      );
      if (done.outcome === 'right') return tokenOf(done.value);
      if (done.outcome !== 'wrong') {
        await database.withSystem((tx) => refuse(tx, shown, caller, 'locked'));
        throw refusedGuess(done, clock.now());
      }
      await database.withSystem((tx) => refuse(tx, { ...shown, method: 'totp' }, caller, 'wrong_second_factor'));
      throw new Failure('wrongSecondFactor', { data: { left } });
    },
  };
}

export type Entering = ReturnType<typeof createEntering>;

/** Returns the token, or 2006 with the ticket for a second step. @throws Failure secondFactor, accountClosed */
export function tokenOf(entered: Entered): string {
  if ('token' in entered) return entered.token;
  if ('closed' in entered) throw new Failure('accountClosed');
  throw new Failure('secondFactor', { data: { ticket: entered.ticket, methods: ['totp', 'recovery'] } });
}

async function refuse(tx: Tx, shown: Shown, caller: Where, reason: string): Promise<void> {
  await recordSignIn(tx, { ...rowOf(shown, caller), result: 'failed', reason, new_place: false });
}

/** @throws Failure accountClosed if locked */
export async function refuseClosed(tx: Tx, accountId: string): Promise<void> {
  if (await isClosed(tx, accountId)) throw new Failure('accountClosed');
}

export async function isClosed(tx: Tx, accountId: string): Promise<boolean> {
  return (await accountOf(tx, accountId)).locked_at !== null;
}

async function countTry(tx: Tx, token: string, now: Date) {
  const row = await tables<IdentityTables>(tx)
    .updateTable('sign_in_ticket')
    .set({ attempts: sql`attempts + 1` })
    .where('token_hash', '=', tokenHash(token))
    .where('kind', '=', 'second_factor')
    .where('attempts', '<', triesPerTicket)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new Failure('tokenExpired');
  return {
    accountId: row.account_id!,
    personId: row.person_id!,
    method: row.method!,
    remember: row.remember,
    attempts: row.attempts,
    firstPassword: row.password_hash ?? undefined,
  };
}

type Where = Pick<Caller, 'ip' | 'userAgent'>;

function rowOf(shown: Shown, caller: Where) {
  return {
    account_id: shown.accountId,
    person_id: shown.personId,
    login: shown.login,
    action: 'login',
    method: shown.method,
    ip: caller.ip,
    user_agent: caller.userAgent,
  };
}
