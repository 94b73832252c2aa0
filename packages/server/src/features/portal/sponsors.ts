import type { PageLocale } from '@yunxun/portal';
import { sql } from 'kysely';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { networkNames } from '../fleet/names.ts';
import { Refused } from './refused.ts';
import { portal, type SponsorRequestTable } from './tables.ts';
import type { SiteKey } from './visit-store.ts';

const sponsorMinutes = 15;
/** Requests an hour. */
const sponsorBudget = { device: 3, sponsor: 5, network: 60 } as const;
const maxName = 32;
const maxAddress = 128;
const hourMs = 3_600_000;

/** Accepts whole addresses, and those that end in an `@example.com` of the template. */
function mayApprove(sponsors: readonly string[], address: string): boolean {
  if (!/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(address) || address.length > maxAddress) return false;
  return sponsors.some((one) => one === address || (one.startsWith('@') && address.endsWith(one)));
}

/** Mail programs make links of `evil.example` as of `http://`. */
const isPersonName = (text: string) =>
  text !== '' && text.length <= maxName && !/[/\\@:]|\.[\p{L}\p{N}]{2}/u.test(text);

interface Asked {
  guest: string;
  sponsor: string;
  sponsors: readonly string[];
  deviceKey: Buffer;
  /** Where the host's page is, without its token. */
  page: string;
  locale: PageLocale;
  now: Date;
}

/**
 * Sends the host a link by e-mail. Only addresses of the template count, or guests would approve themselves.
 * @returns the request's id @throws Refused guest_name, sponsor_unknown, sponsor_wait
 */
export async function askSponsor(
  outbox: Pick<Outbox, 'queue'>,
  tx: Tx,
  { accountId, gwid }: SiteKey,
  { deviceKey, page, locale, now, ...asked }: Asked,
): Promise<string> {
  const guest = asked.guest.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  const sponsor = asked.sponsor.trim().toLowerCase();
  if (!isPersonName(guest)) throw new Refused('guest_name');
  if (!mayApprove(asked.sponsors, sponsor)) throw new Refused('sponsor_unknown');
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal sponsor ${gwid}`}, 0))`.execute(tx);
  const { rows } = await sql<{ device: number; sponsor: number; network: number }>`
    select (count(*) filter (where device_key = ${deviceKey}))::int as device,
      (count(*) filter (where sponsor = ${sponsor}))::int as sponsor, count(*)::int as network
    from portal_sponsor_request
    where account_id = ${accountId} and gwid = ${gwid} and at > ${new Date(now.getTime() - hourMs)}`.execute(tx);
  const used = rows[0]!;
  const isOver = (['device', 'sponsor', 'network'] as const).some((kind) => used[kind] >= sponsorBudget[kind]);
  if (isOver) throw new Refused('sponsor_wait', { seconds: hourMs / 1000 });
  const { token } = newToken();
  const id = newId(now.getTime());
  const expires_at = new Date(now.getTime() + sponsorMinutes * 60_000);
  await portal(tx)
    .insertInto('portal_sponsor_request')
    .values({
      ...{ account_id: accountId, id, gwid, token_hash: tokenHash(token), device_key: deviceKey, guest, sponsor },
      ...{ state: 'asked', at: now, expires_at },
    })
    .execute();
  const network = (await networkNames(tx, accountId, [gwid])).get(gwid) ?? '';
  await outbox.queue(tx, {
    ...{ accountId, channel: 'email', to: sponsor, template: 'portalSponsor', locale, expiresAt: expires_at },
    params: { guest, network, minutes: sponsorMinutes, url: `${page}?t=${token}` },
  });
  return id;
}

const ofSite = (tx: Tx, { accountId, gwid }: SiteKey) =>
  portal(tx)
    .selectFrom('portal_sponsor_request')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('gwid', '=', gwid);

/** Locks it. */
export async function sponsorRequest(tx: Tx, site: SiteKey, id: string): Promise<SponsorRequestTable | undefined> {
  return ofSite(tx, site).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Returns and locks the open request of a link. */
export async function requestOfToken(
  tx: Tx,
  site: SiteKey,
  token: string,
  now: Date,
): Promise<SponsorRequestTable | undefined> {
  return ofSite(tx, site)
    .where('token_hash', '=', tokenHash(token))
    .where('state', '=', 'asked')
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
}

export async function answerRequest(
  tx: Tx,
  { account_id, id }: Pick<SponsorRequestTable, 'account_id' | 'id'>,
  state: SponsorRequestTable['state'],
): Promise<void> {
  await portal(tx)
    .updateTable('portal_sponsor_request')
    .set({ state })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}
