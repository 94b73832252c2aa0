import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { type Locale, limits } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Tx, tables } from '../../platform/database/index.ts';
import { Failure, tooManyUntil } from '../../platform/failure.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { countMessage } from '../../platform/outbox/message-limits.ts';
import type { IdentityTables } from './tables.ts';

export type Purpose = 'sign_in' | 'register' | 'change_mobile' | 'change_email' | 'reset';

export interface CodeTarget {
  channel: 'sms' | 'email';
  target: string;
  purpose: Purpose;
}

export interface CodeDeps {
  database: Database;
  clock: Clock;
  outbox: Outbox;
}

const templates: Readonly<Record<Purpose, string>> = {
  sign_in: 'signInCode',
  register: 'registerCode',
  change_mobile: 'changeMobileCode',
  change_email: 'changeEmailCode',
  reset: 'resetCode',
};

const maxAttempts = 5;

/**
 * Sends six digits. Over all purposes: one per 60 s, five SMS a day per mobile, twenty e-mails per address (days of
 * Asia/Shanghai), caps per caller address and installation.
 * @throws Failure tooManyRequests, smsQuota
 */
export async function sendCode(deps: CodeDeps, to: CodeTarget, caller: CodeCaller) {
  const { database, clock, outbox } = deps;
  const left = await database.withSystem(async (tx) => {
    const { code, left } = await makeCode(tx, to, caller, clock.now());
    await queueCode(deps, tx, to, code, caller.locale);
    return left;
  });
  await outbox.flush();
  return sent(outbox, to, left);
}

export interface CodeCaller {
  ip: string;
  locale: Locale;
}

/** Creates a code without sending it. @throws Failure tooManyRequests, smsQuota */
export async function makeCode(tx: Tx, to: CodeTarget, caller: { ip: string }, now: Date) {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  // the second of concurrent requests must see the first code
  await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${to.channel} ${to.target}`}, 0))`.execute(tx);
  await refuseTooSoon(tx, to, now);
  const left = await countMessage(tx, to, caller, now);
  await tables<IdentityTables>(tx)
    .insertInto('verification_code')
    .values({
      channel: to.channel,
      target: to.target,
      purpose: to.purpose,
      code_hash: hashOf(to, code),
      sent_at: now,
      expires_at: codeExpiry(now),
    })
    .onConflict((conflict) =>
      conflict.columns(['channel', 'target', 'purpose']).doUpdateSet((set) => ({
        code_hash: set.ref('excluded.code_hash'),
        sent_at: set.ref('excluded.sent_at'),
        expires_at: set.ref('excluded.expires_at'),
        attempts: 0,
      })),
    )
    .execute();
  return { code, left };
}

export async function queueCode(
  { outbox, clock }: Pick<CodeDeps, 'outbox' | 'clock'>,
  tx: Tx,
  to: CodeTarget,
  code: string,
  locale: Locale,
): Promise<void> {
  await outbox.queue(tx, {
    channel: to.channel,
    to: to.target,
    template: templates[to.purpose],
    params: { code, minutes: limits.codeMinutes },
    locale,
    expiresAt: codeExpiry(clock.now()),
  });
}

export async function sent(outbox: Outbox, to: Pick<CodeTarget, 'channel'>, left: number | null) {
  return { retry_after: limits.codeIntervalSeconds, left_today: left, outbox: await outbox.toFile(to.channel) };
}

function codeExpiry(now: Date): Date {
  return new Date(now.getTime() + limits.codeMinutes * 60_000);
}

async function refuseTooSoon(tx: Tx, to: CodeTarget, now: Date): Promise<void> {
  const last = await tables<IdentityTables>(tx)
    .selectFrom('verification_code')
    .select((select) => select.fn.max('sent_at').as('at'))
    .where('channel', '=', to.channel)
    .where('target', '=', to.target)
    .executeTakeFirst();
  if (!last?.at) return;
  const next = new Date(last.at.getTime() + limits.codeIntervalSeconds * 1000);
  if (next > now) throw tooManyUntil(next, now);
}

function hashOf(to: CodeTarget, code: string): Buffer {
  return createHash('sha256').update(`${to.channel}\n${to.target}\n${to.purpose}\n${code}`).digest();
}

/**
 * Voids the code after five wrong attempts, in its own transaction: the count survives the refusal. @throws Failure
 * wrongCode
 */
export async function checkCode(database: Database, clock: Clock, to: CodeTarget, code: string): Promise<void> {
  const fits = await database.withSystem(async (tx) => {
    const row = await tables<IdentityTables>(tx)
      .updateTable('verification_code')
      .set({ attempts: sql`attempts + 1` })
      .where('channel', '=', to.channel)
      .where('target', '=', to.target)
      .where('purpose', '=', to.purpose)
      .where('attempts', '<', maxAttempts)
      .where('expires_at', '>', clock.now())
      .returning('code_hash')
      .executeTakeFirst();
    if (!row || !timingSafeEqual(row.code_hash, hashOf(to, code))) return false;
    // a correct code is free: after 2005 the client sends it again with the password
    await tables<IdentityTables>(tx)
      .updateTable('verification_code')
      .set({ attempts: sql`attempts - 1` })
      .where('channel', '=', to.channel)
      .where('target', '=', to.target)
      .where('purpose', '=', to.purpose)
      .execute();
    return true;
  });
  if (!fits) throw new Failure('wrongCode');
}

/** Consumes a code with its effect; the second of concurrent uses fails. @throws Failure wrongCode */
export async function consumeCode(tx: Tx, to: CodeTarget, code: string): Promise<void> {
  const used = await tables<IdentityTables>(tx)
    .deleteFrom('verification_code')
    .where('channel', '=', to.channel)
    .where('target', '=', to.target)
    .where('purpose', '=', to.purpose)
    .where('code_hash', '=', hashOf(to, code))
    .executeTakeFirst();
  if (used.numDeletedRows === 0n) throw new Failure('wrongCode');
}
