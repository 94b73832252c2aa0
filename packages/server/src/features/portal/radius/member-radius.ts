import type { RadiusGuestRefusal } from '@yunxun/contract';
import type { PortalError } from '@yunxun/portal';
import type { AccountKeys } from '../../../platform/crypto/account-keys.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { macOf } from '../adapters/adapter.ts';
import type { Asked, GuestLimits } from '../guest-limits.ts';
import { findMemberByName } from '../member-store.ts';
import { guessAtMember } from '../methods/account.ts';
import { lockIdentity } from '../methods/proof.ts';
import { closedError } from '../opening.ts';
import { type Published, publishedOf } from '../published.ts';
import { Refused } from '../refused.ts';
import type { PortalSecrets } from '../secrets.ts';
import { byRadius } from '../session-ends.ts';
import { findSession, onlineOf, type Session } from '../session-store.ts';
import type { createSignIn } from '../sign-in.ts';
import { findSite } from '../site-store.ts';
import { deviceKeyOf, type Source } from '../source.ts';
import type { PortalTemplates } from '../templates.ts';
import type { SiteKey } from '../visit-store.ts';
import type { BlockedClients, ProvenMember } from './member-proofs.ts';

const contextOf = (memberId: string) => `portal member password ${memberId}`;

export async function sealMemberPassword(tx: Tx, keys: AccountKeys, accountId: string, id: string, password: string) {
  return (await keys.of(tx, accountId)).seal(password, contextOf(id));
}

export interface Redeem {
  username: string;
  /** 12 lower-case hex digits. */
  mac: string | null;
  ip: string | null;
  acctSessionId: string | null;
  proves(password: string): boolean;
}

export interface KnownMember extends ProvenMember {
  passwordHash: string;
  asked: Asked;
}

interface Going {
  name: string;
  device: Buffer;
  published: Published;
  member: KnownMember;
  now: Date;
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
  keys: AccountKeys;
  secrets: PortalSecrets;
  templates: PortalTemplates;
  signIn: ReturnType<typeof createSignIn>;
  limits: GuestLimits;
  blocked: Pick<BlockedClients, 'isBlocked'>;
}

export function createMemberGate({ keys, secrets, templates, signIn, limits, blocked }: MemberGateDeps) {
  const deviceOf = (site: SiteKey, mac: string) =>
    deviceKeyOf(secrets, site, { verified: true, mac: macOf(mac), client: '' });

  async function askedOf(tx: Tx, site: SiteKey, request: Redeem, member: { id: string }): Promise<Asked> {
    const { username, mac, ip } = request;
    const device = mac === null ? null : deviceOf(site, mac);
    // the gateway asks for all its guests
    const source: Source = device
      ? { kind: 'device', key: device.toString('hex').slice(0, 32), address: 'radius' }
      : { kind: 'address', key: `radius ${ip ?? ''}`, address: 'radius' };
    const guess = await guessAtMember({ tx, secrets, site, device }, username, member);
    return { site, source, act: null, guess };
  }

  /** A device that asks again while it is online goes on with its session, which counts no sign-in. */
  async function goOn(
    tx: Tx,
    site: SiteKey,
    { name, device, published, member, now }: Going,
  ): Promise<Session | RadiusGuestRefusal | null> {
    // lock order of sign-ins: device, guest
    await lockIdentity(tx, device);
    const session = await onlineOf(tx, site, device, secrets.hash(site.accountId, 'member', member.id), now);
    if (!session || !published.content.methods.some(({ kind }) => kind === 'account')) return null;
    // the check may have waited
    const current = await findMemberByName(tx, site, name);
    if (!current?.radius_sealed?.equals(member.sealed)) return 'unknown_user';
    if (!current.enabled || (current.until && current.until <= now)) return 'account_off';
    return (await closedError(tx, site.accountId, published.content, now)) ? 'closed' : session;
  }

  async function admit(
    tx: Tx,
    site: SiteKey,
    request: Redeem,
    member: KnownMember,
    now: Date,
  ): Promise<Session | RadiusGuestRefusal> {
    const { ip, mac, acctSessionId } = request;
    const row = await findSite(tx, site.accountId, site.gwid);
    const published = row?.enabled && byRadius.has(row.gateway) ? await publishedOf(tx, templates, row) : null;
    if (!row || !published) return 'portal_off';
    if (mac !== null) {
      if (await blocked.isBlocked(tx, site.accountId, site.gwid, mac)) return 'device_blocked';
      const going = await goOn(tx, site, {
        name: request.username,
        device: deviceOf(site, mac),
        published,
        member,
        now,
      });
      if (going) return going;
    }
    // no page has shown terms, or counts down
    const page = { ...published.content.page, terms: { zh: '', en: '' }, countdown: null };
    const done = await signIn.signIn(tx, {
      site,
      form: { name: request.username },
      now,
      provenHash: member.passwordHash,
      way: 'account',
      gateway: row.gateway,
      published: { ...published, content: { ...published.content, page } },
      arrival: {
        verified: mac !== null,
        mac: mac === null ? null : macOf(mac),
        ip,
        client: acctSessionId ?? request.username,
        origin: null,
        gateway: { address: '' },
      },
      locale: 'zh-CN',
      visitId: null,
    });
    return done instanceof Refused ? reasonOf(done) : (await findSession(tx, site, done.sessionId))!;
  }

  const waitMs = 10_000;

  return {
    async find(tx: Tx, site: SiteKey, request: Redeem): Promise<KnownMember | RadiusGuestRefusal> {
      const member = await findMemberByName(tx, site, request.username);
      if (!member) return 'unknown_user';
      const { id, until, radius_sealed: sealed, password_hash: passwordHash } = member;
      if (!sealed) return 'not_over_radius';
      const password = (await keys.of(tx, site.accountId)).open(sealed, contextOf(id)).toString();
      return { id, until, sealed, password, passwordHash, asked: await askedOf(tx, site, request, member) };
    },

    /** Limits wrong passwords as on a page; null: the password is right. Outside of transactions: it may wait. */
    async check({ asked, password }: KnownMember, request: Redeem, now: Date): Promise<RadiusGuestRefusal | null> {
      const checked = await limits.run(asked, now, AbortSignal.timeout(waitMs), async () => {
        const isWrong = !request.proves(password);
        return { isDone: !isWrong, isWrong };
      });
      if (checked === null) return 'too_many';
      if (checked instanceof Refused) return reasonOf(checked);
      return checked.isWrong ? 'unknown_user' : null;
    },

    admit,
  };
}

export type MemberGate = ReturnType<typeof createMemberGate>;
