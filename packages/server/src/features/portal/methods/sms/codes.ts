import { randomInt, timingSafeEqual } from 'node:crypto';
import { limits } from '@yunxun/contract';
import { isMobile } from '@yunxun/contract/typed-text';
import type { PageLocale } from '@yunxun/portal';
import { sql } from 'kysely';
import { newId, type Tx } from '../../../../platform/database/index.ts';
import { Failure } from '../../../../platform/failure.ts';
import type { SmsSender } from '../../../sms/index.ts';
import { Refused } from '../../refused.ts';
import type { PortalSecrets } from '../../secrets.ts';
import type { Source } from '../../source.ts';
import { portal } from '../../tables.ts';
import type { SiteKey } from '../../visit-store.ts';

const maxAttempts = 5;
const maxValid = Math.ceil((60 * limits.codeMinutes) / limits.codeIntervalSeconds);
const hourMs = 3_600_000;

export interface SmsDeps {
  secrets: PortalSecrets;
  sms: SmsSender;
}

/**
 * Enforces one in 60 s per number, five a local day per number and site, and the source's hourly limit. Shops of one
 * account share no quota.
 * @throws Refused phone_invalid, code_wait, sms_quota, sms_device, sms_address, sms_balance
 */
export async function sendSms(
  { secrets, sms }: SmsDeps,
  tx: Tx,
  site: SiteKey,
  asked: { phone: string; source: Source; deviceKey: Buffer; locale: PageLocale; now: Date; dayStart: Date },
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
  if (budget.rows[0]!.sent >= limits.guestCodesPerHour[kind]) throw new Refused(`sms_${kind}`);
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0');
  const expires_at = new Date(now.getTime() + limits.codeMinutes * 60_000);
  const id = newId(now.getTime());
  const code_hash = secrets.hash(site.accountId, 'code', `${id} ${code}`);
  // first: a refusal commits, and then no code may exist
  try {
    await sms.queue(tx, {
      accountId: site.accountId,
      gwid: site.gwid,
      purpose: 'login',
      to: phone,
      template: 'portalCode',
      params: { code, minutes: limits.codeMinutes },
      locale,
      expiresAt: expires_at,
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
      device_key: asked.deviceKey,
      at: now,
      expires_at,
      used_at: null,
    })
    .execute();
}

/** Returns this gateway's finding; null: no answer, or its agent cannot. */
export async function takeSms(
  { secrets }: Pick<SmsDeps, 'secrets'>,
  tx: Tx,
  site: SiteKey,
  { phone, code, deviceKey, now }: { phone: string; code: string; deviceKey: Buffer; now: Date },
): Promise<boolean> {
  const rows = await validCodes(tx, site, now)
    .select(['id', 'code_hash', 'device_key', 'attempts', 'foreign_attempts'])
    .where('phone_hash', '=', secrets.hash(site.accountId, 'phone', phone))
    .forUpdate()
    .execute();
  const open = rows
    .map(({ device_key: key, ...row }) => ({ ...row, isOwn: key?.equals(deviceKey) ?? true }))
    .filter(({ isOwn, attempts, foreign_attempts: foreign }) => (isOwn ? attempts : foreign) < maxAttempts);
  const hashOf = (id: string) => secrets.hash(site.accountId, 'code', `${id} ${code}`);
  const right = open.find(({ id, code_hash: hash }) => timingSafeEqual(hash, hashOf(id)));
  for (const row of right ? [right] : open) {
    const { id, isOwn, attempts, foreign_attempts: foreign } = row;
    const wrong = isOwn ? { attempts: attempts + 1 } : { foreign_attempts: foreign + 1 };
    await portal(tx)
      .updateTable('portal_sms')
      .set(right ? { used_at: now } : wrong)
      .where('account_id', '=', site.accountId)
      .where('id', '=', id)
      .execute();
  }
  return right !== undefined;
}

/** Returns the minutes left; null: none. */
export async function codeOnItsWay(tx: Tx, site: SiteKey, deviceKey: Buffer, now: Date): Promise<number | null> {
  const row = await validCodes(tx, site, now)
    .select('expires_at')
    .where('device_key', '=', deviceKey)
    .where('attempts', '<', maxAttempts)
    .executeTakeFirst();
  return row ? Math.ceil((row.expires_at.getTime() - now.getTime()) / 60_000) : null;
}

const validCodes = (tx: Tx, { accountId, gwid }: SiteKey, now: Date) =>
  portal(tx)
    .selectFrom('portal_sms')
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid)
    .where('at', '>', new Date(now.getTime() - limits.codeMinutes * 60_000))
    .where('expires_at', '>', now)
    .where('used_at', 'is', null)
    .orderBy('at', 'desc')
    .limit(maxValid);
