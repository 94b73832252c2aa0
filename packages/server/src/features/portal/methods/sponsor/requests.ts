import type { PageLocale } from '@yunxun/portal';
import { sql } from 'kysely';
import { newToken, tokenHash } from '../../../../platform/crypto/index.ts';
import { newId, type Tx } from '../../../../platform/database/index.ts';
import type { Outbox } from '../../../../platform/outbox/index.ts';
import { fleetNetworks } from '../../../fleet/index.ts';
import { Refused } from '../../refused.ts';
import type { Source } from '../../source.ts';
import { portal, type SponsorRequestTable } from '../../tables.ts';
import type { SiteKey } from '../../visit-store.ts';

const sponsorMinutes = 15;
/** Requests an hour. */
const sponsorBudget = { device: 3, address: 60 } as const;
/**
 * Messages an hour to a host, then one a minute: a request in between waits for the next, whose page shows all that
 * are open.
 */
const hostMessages = { free: 5, everyMs: 60_000 } as const;
const maxListed = 100;
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
  source: Source;
  deviceKey: Buffer;
  /** Where the host's page is, without its token. */
  page: string;
  locale: PageLocale;
  now: Date;
}

type Mailing = Pick<Asked, 'page' | 'locale' | 'now'> & { outbox: Pick<Outbox, 'queue'> };

const lockRequests = (tx: Tx, gwid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`portal sponsor ${gwid}`}, 0))`.execute(tx);

/**
 * Sends the host a link by e-mail. Only addresses of the template count, or guests would approve themselves.
 * @returns the request's id @throws Refused guest_name, sponsor_unknown, sponsor_device, sponsor_address
 */
export async function askSponsor(
  outbox: Pick<Outbox, 'queue'>,
  tx: Tx,
  { accountId, gwid }: SiteKey,
  { deviceKey, source, page, locale, now, ...asked }: Asked,
): Promise<string> {
  const guest = asked.guest.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  const sponsor = asked.sponsor.trim().toLowerCase();
  if (!isPersonName(guest)) throw new Refused('guest_name');
  if (!mayApprove(asked.sponsors, sponsor)) throw new Refused('sponsor_unknown');
  await lockRequests(tx, gwid);
  const { rows } = await sql<{ used: number; first: Date | null }>`
    select count(*)::int as used, min(at) as first from portal_sponsor_request
    where account_id = ${accountId} and gwid = ${gwid} and source = ${source.key}
      and at > ${new Date(now.getTime() - hourMs)}`.execute(tx);
  const { used, first } = rows[0]!;
  if (used >= sponsorBudget[source.kind]) {
    const until = new Date(first!).getTime() + hourMs;
    throw new Refused(`sponsor_${source.kind}`, { seconds: Math.ceil((until - now.getTime()) / 1000) });
  }
  const request: SponsorRequestTable = {
    account_id: accountId,
    id: newId(now.getTime()),
    gwid,
    token_hash: tokenHash(newToken().token),
    device_key: deviceKey,
    source: source.key,
    guest,
    sponsor,
    state: 'asked',
    at: now,
    mailed_at: null,
    expires_at: new Date(now.getTime() + sponsorMinutes * 60_000),
  };
  await portal(tx).insertInto('portal_sponsor_request').values(request).execute();
  await mailHost(tx, request, { outbox, page, locale, now });
  return request.id;
}

/**
 * Sends a waiting message; a later one of another request shows it, too.
 * @returns whether it was sent
 */
export async function mailWaiting(tx: Tx, request: SponsorRequestTable, mailing: Mailing): Promise<boolean> {
  if (request.mailed_at) return false;
  await lockRequests(tx, request.gwid);
  return mailHost(tx, request, mailing);
}

async function mailHost(
  tx: Tx,
  { account_id: accountId, id, gwid, guest, sponsor, at }: SponsorRequestTable,
  { outbox, page, locale, now }: Mailing,
): Promise<boolean> {
  const { rows } = await sql<{ sent: number; last: Date | null }>`
    select count(*)::int as sent, max(mailed_at) as last from portal_sponsor_request
    where account_id = ${accountId} and gwid = ${gwid} and sponsor = ${sponsor}
      and at > ${new Date(now.getTime() - hourMs - sponsorMinutes * 60_000)}
      and mailed_at > ${new Date(now.getTime() - hourMs)}`.execute(tx);
  const { sent, last } = rows[0]!;
  const lastAt = last === null ? 0 : new Date(last).getTime();
  if (lastAt > at.getTime() || (sent >= hostMessages.free && now.getTime() - lastAt < hostMessages.everyMs))
    return false;
  const { token } = newToken();
  const network = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '';
  const expiresAt = new Date(at.getTime() + sponsorMinutes * 60_000);
  await changeRequest(tx, { account_id: accountId, id }, { token_hash: tokenHash(token), mailed_at: now });
  const minutes = Math.ceil((expiresAt.getTime() - now.getTime()) / 60_000);
  await outbox.queue(tx, {
    accountId,
    channel: 'email',
    to: sponsor,
    template: 'portalSponsor',
    locale,
    expiresAt,
    params: { guest, network, minutes, url: `${page}?t=${token}` },
  });
  return true;
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

/** Returns the host's open requests, the link's own first; none for an old link. */
export async function requestsOfToken(tx: Tx, site: SiteKey, token: string, now: Date): Promise<SponsorRequestTable[]> {
  const own = await ofSite(tx, site)
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!own) return [];
  return ofSite(tx, site)
    .where('sponsor', '=', own.sponsor)
    .where('state', '=', 'asked')
    .where('at', '>', new Date(now.getTime() - sponsorMinutes * 60_000))
    .where('expires_at', '>', now)
    .orderBy(sql`id = ${own.id}`, 'desc')
    .orderBy('at', 'desc')
    .limit(maxListed)
    .execute();
}

type Change = Partial<Pick<SponsorRequestTable, 'state' | 'token_hash' | 'mailed_at'>>;

async function changeRequest(tx: Tx, { account_id, id }: Pick<SponsorRequestTable, 'account_id' | 'id'>, to: Change) {
  await portal(tx)
    .updateTable('portal_sponsor_request')
    .set(to)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

export function answerRequest(
  tx: Tx,
  request: Pick<SponsorRequestTable, 'account_id' | 'id'>,
  state: SponsorRequestTable['state'],
): Promise<void> {
  return changeRequest(tx, request, { state });
}
