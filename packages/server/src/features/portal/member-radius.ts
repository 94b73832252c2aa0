import type { RadiusGuestRefusal } from '@yunxun/contract';
import type { PortalError } from '@yunxun/portal';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { macOf } from './adapters/adapter.ts';
import type { Asked, GuestLimits } from './guest-limits.ts';
import { findMemberByName } from './member-store.ts';
import { accountGuess } from './methods/account.ts';
import { publishedOf } from './published.ts';
import { Refused } from './refused.ts';
import type { PortalSecrets } from './secrets.ts';
import { byRadius } from './session-ends.ts';
import { changeSession, findSession, type Session } from './session-store.ts';
import type { createSignIn } from './sign-in.ts';
import { findSite } from './site-store.ts';
import { deviceKeyOf, type Source } from './source.ts';
import type { PortalTemplates } from './templates.ts';
import type { SiteKey } from './visit-store.ts';

const contextOf = (memberId: string) => `portal member password ${memberId}`;

export async function sealMemberPassword(tx: Tx, keys: AccountKeys, accountId: string, id: string, password: string) {
  return (await keys.of(tx, accountId)).seal(password, contextOf(id));
}

export interface Redeem {
  username: string;
  mac: string | null;
  ip: string | null;
  acctSessionId: string | null;
  /** Checks the NAS's password against the clear one. */
  proves(password: string): boolean;
}

const reasons: Partial<Record<PortalError, RadiusGuestRefusal>> = {
  account_off: 'account_off',
  devices: 'devices',
  times: 'times',
  closed: 'closed',
  busy: 'too_many',
  too_many_device: 'too_many',
  too_many_address: 'too_many',
};

const reasonOf = ({ error }: Refused): RadiusGuestRefusal => reasons[error.reason] ?? 'unknown_user';

export interface MemberGateDeps {
  database: Database;
  keys: AccountKeys;
  secrets: PortalSecrets;
  templates: PortalTemplates;
  signIn: ReturnType<typeof createSignIn>;
  limits: GuestLimits;
}

/** Accounts whose password is kept for RADIUS. */
export function createMemberGate({ database, keys, secrets, templates, signIn, limits }: MemberGateDeps) {
  const inAccount = <T>({ accountId }: SiteKey, work: (tx: Tx) => Promise<T>) =>
    database.withTenant({ accountId, userId: null, gwids: null }, work);

  async function passwordOf(tx: Tx, site: SiteKey, name: string): Promise<{ password: string } | RadiusGuestRefusal> {
    const member = await findMemberByName(tx, site, name);
    if (!member) return 'unknown_user';
    if (!member.radius_sealed) return 'not_over_radius';
    const key = await keys.of(tx, site.accountId);
    return { password: key.open(member.radius_sealed, contextOf(member.id)).toString() };
  }

  /** Creates the session, which no page has shown terms for. */
  async function admit(tx: Tx, site: SiteKey, request: Redeem, now: Date): Promise<Session | RadiusGuestRefusal> {
    const { username: name, ip, acctSessionId } = request;
    const member = await findMemberByName(tx, site, name);
    const row = await findSite(tx, site.accountId, site.gwid);
    const published = row?.enabled && byRadius.has(row.gateway) ? await publishedOf(tx, templates, row) : null;
    if (!member?.radius_sealed) return 'unknown_user';
    if (!row || !published) return 'portal_off';
    const mac = request.mac === null ? null : macOf(request.mac);
    const page = { ...published.content.page, terms: { zh: '', en: '' }, countdown: null };
    const done = await signIn.signIn(tx, {
      site,
      form: { name },
      now,
      provenHash: member.password_hash,
      way: 'account',
      gateway: row.gateway,
      published: { ...published, content: { ...published.content, page } },
      arrival: {
        verified: mac !== null,
        mac,
        ip,
        client: acctSessionId ?? name,
        origin: null,
        gateway: { address: '' },
      },
      locale: 'zh-CN',
      visitId: null,
    });
    if (done instanceof Refused) return reasonOf(done);
    const session = (await findSession(tx, site, done.sessionId, true))!;
    await changeSession(tx, session, ['waiting'], { state: 'offered' });
    return { ...session, state: 'offered' };
  }

  /** A gateway asks again after some seconds. */
  const waitMs = 10_000;

  async function guessOf(tx: Tx, site: SiteKey, { username: name, mac: named, ip }: Redeem): Promise<Asked> {
    const mac = named === null ? null : macOf(named);
    const device = mac === null ? null : deviceKeyOf(secrets, site, { verified: true, mac, client: '' });
    // the gateway asks for all its guests
    const source: Source = device
      ? { kind: 'device', key: device.toString('hex').slice(0, 32), address: 'radius' }
      : { kind: 'address', key: `radius ${ip ?? ''}`, address: 'radius' };
    return { site, source, act: null, guess: await accountGuess({ tx, secrets, site, device }, name) };
  }

  /** Limits wrong passwords as on a page. `grant` runs in the session's transaction. */
  return async function redeemMember<T>(
    site: SiteKey,
    request: Redeem,
    now: Date,
    grant: (tx: Tx, session: Session) => Promise<T | RadiusGuestRefusal>,
  ): Promise<T | RadiusGuestRefusal> {
    const known = await inAccount(site, async (tx) => {
      const found = await passwordOf(tx, site, request.username);
      return typeof found === 'string' ? found : { ...found, asked: await guessOf(tx, site, request) };
    });
    if (typeof known === 'string') return known;
    const checked = await limits.run(known.asked, now, AbortSignal.timeout(waitMs), async () => {
      const isWrong = !request.proves(known.password);
      return { isDone: !isWrong, isWrong };
    });
    if (checked === null) return 'too_many';
    if (checked instanceof Refused) return reasonOf(checked);
    if (checked.isWrong) return 'unknown_user';
    return inAccount(site, async (tx) => {
      const session = await admit(tx, site, request, now);
      return typeof session === 'string' ? session : grant(tx, session);
    });
  };
}
