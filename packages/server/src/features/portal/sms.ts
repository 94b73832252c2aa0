import { randomInt, timingSafeEqual } from 'node:crypto';
import { limits } from '@yunxun/contract';
import type { PageLocale } from '@yunxun/portal';
import { sql } from 'kysely';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { SmsSender } from '../sms/send.ts';
import { Refused } from './refused.ts';
import type { PortalSecrets } from './secrets.ts';
import type { Source } from './source.ts';
import { portal } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

/** Codes an hour of a network. A source's own limit refuses; beyond the network's, codes go out one by one. */
export const smsBudget = { network: 300, address: 60, device: 5 } as const;
const maxAttempts = 5;
const hourMs = 3_600_000;

export interface SmsDeps {
  secrets: PortalSecrets;
  sms: SmsSender;
}

/** Accepts mainland China, like the console. */
export const isMobile = (text: string): boolean => /^1[3-9]\d{9}$/.test(text);

/**
 * Enforces one in 60 s per number, five a local day per number and site, and the hourly limit of the source. Forty
 * shops of one account must not share the five codes of a guest.
 * @throws Refused phone_invalid, code_wait, sms_quota, sms_device, sms_address, sms_balance
 */
export async function sendSms(
  { secrets, sms }: SmsDeps,
  tx: Tx,
  site: SiteKey,
  asked: { phone: string; source: Source; locale: PageLocale; now: Date; dayStart: Date },
): Promise<void> {
  const { phone, now, locale } = asked;
  if (!isMobile(phone)) throw new Refused('phone_invalid');
  const phone_hash = secrets.hash(site.accountId, 'phone', phone);
  const { kind, key: address } = asked.source;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal sms ${site.gwid}`}, 0))`.execute(tx);
  const { rows } = await sql<{ last: Date | null; today: number }>`
    select max(at) as last, (count(*) filter (where at >= ${asked.dayStart} and gwid = ${site.gwid}))::int as today
    from portal_sms
    where account_id = ${site.accountId} and phone_hash = ${phone_hash} and at > ${new Date(now.getTime() - 48 * hourMs)}`.execute(
    tx,
  );
  const { last, today } = rows[0]!;
  const waited = last ? now.getTime() - new Date(last).getTime() : Number.POSITIVE_INFINITY;
  if (today >= limits.smsCodesPerDay) throw new Refused('sms_quota', { limit: limits.smsCodesPerDay });
  if (waited < limits.codeIntervalSeconds * 1000)
    throw new Refused('code_wait', { seconds: Math.ceil(limits.codeIntervalSeconds - waited / 1000) });
  const budget = await sql<{ sent: number }>`select count(*)::int as sent from portal_sms
    where account_id = ${site.accountId} and gwid = ${site.gwid} and address = ${address}
      and at > ${new Date(now.getTime() - hourMs)}`.execute(tx);
  if (budget.rows[0]!.sent >= smsBudget[kind]) throw new Refused(`sms_${kind}`);
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const expires_at = new Date(now.getTime() + limits.codeMinutes * 60_000);
  const id = newId(now.getTime());
  const code_hash = secrets.hash(site.accountId, 'code', `${id} ${code}`);
  // first: a refusal commits, and then no code may exist
  try {
    await sms.queue(tx, {
      ...{ accountId: site.accountId, gwid: site.gwid, purpose: 'login', to: phone, template: 'portalCode' },
      ...{ params: { code, minutes: limits.codeMinutes }, locale, expiresAt: expires_at },
    });
  } catch (error) {
    if (error instanceof Failure && error.code === 'balanceInsufficient') throw new Refused('sms_balance');
    throw error;
  }
  await portal(tx)
    .insertInto('portal_sms')
    .values({
      account_id: site.accountId,
      id,
      gwid: site.gwid,
      phone_hash,
      address,
      code_hash,
      at: now,
      expires_at,
      used_at: null,
    })
    .execute();
}

/**
 * Uses the newest code up; five wrong attempts void it.
 * @returns whether it fits; the attempt counts
 */
export async function takeSms(
  { secrets }: Pick<SmsDeps, 'secrets'>,
  tx: Tx,
  site: SiteKey,
  { phone, code, now }: { phone: string; code: string; now: Date },
): Promise<boolean> {
  const row = await portal(tx)
    .selectFrom('portal_sms')
    .selectAll()
    .where('account_id', '=', site.accountId)
    .where('gwid', '=', site.gwid)
    .where('phone_hash', '=', secrets.hash(site.accountId, 'phone', phone))
    .orderBy('at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.used_at || row.expires_at <= now || row.attempts >= maxAttempts) return false;
  const fits = timingSafeEqual(row.code_hash, secrets.hash(site.accountId, 'code', `${row.id} ${code}`));
  await portal(tx)
    .updateTable('portal_sms')
    .set(fits ? { used_at: now } : { attempts: row.attempts + 1 })
    .where('account_id', '=', site.accountId)
    .where('id', '=', row.id)
    .execute();
  return fits;
}
