import { timingSafeEqual } from 'node:crypto';
import type { PortalMethod, PortalMethodKind } from '@yunxun/contract';
import { typedMobile, typedPassword, typedText } from '@yunxun/contract/typed-text';
import type { PortalError } from '@yunxun/portal';
import { sql } from 'kysely';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { typedCode } from '../../platform/crypto/codes.ts';
import { tokenHash } from '../../platform/crypto/index.ts';
import { verifyPassword } from '../../platform/crypto/password.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { InTenant } from '../../platform/http/call.ts';
import type { Entitlement, Goods } from '../billing/goods/index.ts';
import { dynamicPasswordOf } from './dynamic-password.ts';
import { type Person, shownName } from './identity-providers/provider.ts';
import { findMemberByName } from './member-store.ts';
import { wholeName } from './real-name.ts';
import { Refused } from './refused.ts';
import type { PortalSecrets } from './secrets.ts';
import { bytesOfEntitlement } from './session-store.ts';
import { isMobile, takeSms } from './sms.ts';
import { answerRequest, sponsorRequest } from './sponsors.ts';
import { portal } from './tables.ts';
import type { SiteKey } from './visit-store.ts';
import { lockVoucher } from './voucher-store.ts';

export interface Proof {
  method: PortalMethodKind;
  /** Masked, for the operator. */
  identity: string | null;
  identityHash: Buffer | null;
  /** Of a masked identity, to keep sealed. */
  whole: string | null;
  minutes: number;
  devices: number;
  /** End of the voucher or account; null: none. */
  until: Date | null;
  /** With its own rates; null: the method's limits. */
  bought: { id: string; up_kbps: number; down_kbps: number; maxBytes: number } | null;
}

export interface Attempt {
  site: SiteKey;
  form: Readonly<Record<string, string>>;
  now: Date;
  /** See `provePassword`. */
  provenHash: string | null;
  /** From an identity provider. */
  person?: Person;
}

/** Count as guesses. */
export const guesses: ReadonlySet<PortalError> = new Set([
  'wrong_password',
  'voucher_unknown',
  'account_wrong',
  'code_wrong',
  'card_unknown',
  'coupon_unknown',
]);

/** Hashes what a provider says of a guest, for a later search. */
export function loginNames(secrets: PortalSecrets, accountId: string, { email, subject }: Person): Buffer[] {
  const address = email === null ? [] : [secrets.hash(accountId, 'login_email', email.toLowerCase())];
  return [...address, secrets.hash(accountId, 'login_subject', subject)];
}

type Check = (tx: Tx, attempt: Attempt & { deviceKey: Buffer }, method: PortalMethod) => Promise<Proof>;

/** @throws Refused */
export function createMethods(
  secrets: PortalSecrets,
  goods: Pick<Goods, 'redeemCard' | 'purchases'>,
  keys: AccountKeys,
): Readonly<Record<PortalMethodKind, Check>> {
  const plain = ({ kind, minutes, devices }: PortalMethod): Proof => ({
    method: kind,
    identity: null,
    identityHash: null,
    whole: null,
    minutes,
    devices,
    until: null,
    bought: null,
  });
  /** @throws Refused */
  async function boughtProof(
    tx: Tx,
    { accountId }: SiteKey,
    method: PortalMethod,
    { id, terms, ends_at: until }: Entitlement,
    identity: string,
  ): Promise<Proof> {
    const left = terms.bytes - (terms.bytes > 0 ? await bytesOfEntitlement(tx, accountId, id) : 0);
    if (terms.bytes > 0 && left <= 0) throw new Refused('data_used');
    const { minutes, devices, up_kbps, down_kbps } = terms;
    const identityHash = secrets.hash(accountId, 'bought', id);
    const bought = { id, up_kbps, down_kbps, maxBytes: left };
    return { ...plain(method), identity, identityHash, minutes, devices, until, bought };
  }

  const byPerson: Check = async (tx, { site, person }, method) => {
    if (!person) throw new Refused('state_old');
    const identityHash = secrets.hash(site.accountId, 'login', `${method.kind} ${person.issuer}\n${person.subject}`);
    await lockIdentity(tx, identityHash);
    const identity = shownName(person);
    return { ...plain(method), identity, identityHash, whole: `${identity} (${person.email ?? person.subject})` };
  };

  return {
    oidc: byPerson,
    wechat: byPerson,
    wecom: byPerson,
    dingtalk: byPerson,
    one_click: async (_tx, _attempt, method) => plain(method),

    async password(_tx, { form }, method) {
      const right = method.kind === 'password' ? method.password : '';
      if (!timingSafeEqual(tokenHash(typedPassword(form.password ?? '')), tokenHash(right)))
        throw new Refused('wrong_password');
      return plain(method);
    },

    async dynamic_password(tx, { site, form, now }, method) {
      const every = method.kind === 'dynamic_password' ? method.every : 'day';
      const { password: right } = await dynamicPasswordOf(tx, secrets, site, { every, now });
      if (!timingSafeEqual(tokenHash(typedCode(form.password ?? '')), tokenHash(right)))
        throw new Refused('wrong_password');
      return plain(method);
    },

    async voucher(tx, { site, form, now }, method) {
      const code = typedCode(form.voucher ?? '');
      const identityHash = secrets.hash(site.accountId, 'voucher', code);
      const found = await lockVoucher(tx, site, identityHash);
      if (!found) throw new Refused('voucher_unknown');
      if (found.voided_at) throw new Refused('voucher_void');
      const { first_used_at: used, minutes, devices } = found;
      const until = used && minutes > 0 ? new Date(used.getTime() + minutes * 60_000) : null;
      if (used ? until && until <= now : found.valid_until <= now) throw new Refused('voucher_expired');
      return { ...plain(method), identity: `…${code.slice(-3)}`, identityHash, minutes, devices, until };
    },

    async account(tx, { site, form, now, provenHash }, method) {
      const found = await findMemberByName(tx, site, form.name ?? '');
      if (!found || found.password_hash !== provenHash) throw new Refused('account_wrong');
      if (!found.enabled || (found.until && found.until <= now)) throw new Refused('account_off');
      const identityHash = secrets.hash(site.accountId, 'member', found.id);
      await lockIdentity(tx, identityHash);
      await portal(tx)
        .updateTable('portal_member')
        .set({ last_at: now })
        .where('account_id', '=', site.accountId)
        .where('id', '=', found.id)
        .execute();
      const { name: identity, devices, until } = found;
      const whole = await wholeName(tx, keys, found);
      return { ...plain(method), identity, identityHash, whole, devices, until };
    },

    async sms(tx, { site, form, now, deviceKey }, method) {
      const phone = typedMobile(form.phone ?? '');
      if (!isMobile(phone)) throw new Refused('phone_invalid');
      if (!(await takeSms({ secrets }, tx, site, { phone, code: typedText(form.code ?? ''), deviceKey, now })))
        throw new Refused('code_wrong');
      const identityHash = secrets.hash(site.accountId, 'phone', phone);
      await lockIdentity(tx, identityHash);
      return { ...plain(method), identity: `${phone.slice(0, 3)}****${phone.slice(-4)}`, identityHash, whole: phone };
    },

    // reached by the sealed address of the waiting page only
    async sponsor(tx, { site, form, now }, method) {
      const found = await sponsorRequest(tx, site, form.request ?? '');
      if (found?.state !== 'approved' || found.expires_at <= now) throw new Refused('sponsor_expired');
      await answerRequest(tx, found, 'used');
      const { guest, sponsor } = found;
      const identityHash = secrets.hash(site.accountId, 'sponsor', `${guest.toLowerCase()} ${sponsor}`);
      await lockIdentity(tx, identityHash);
      return { ...plain(method), identity: guest, identityHash, whole: `${guest} (${sponsor})` };
    },

    async recharge_card(tx, { site, form, now }, method) {
      const redeemed = await goods.redeemCard(tx, { ...site, code: form.card ?? '', now });
      if ('refused' in redeemed) throw new Refused(redeemed.refused);
      return boughtProof(tx, site, method, redeemed.entitlement, `…${redeemed.tail}`);
    },

    // reached by a sealed address or a verified device only
    async purchase(tx, { site, form, now }, method) {
      const got = await goods.purchases.bought(tx, site, form.bought ?? '');
      if (typeof got === 'string') throw new Refused('unpaid');
      if (got.entitlement.ends_at <= now) throw new Refused('purchase_over');
      return boughtProof(tx, site, method, got.entitlement, got.name);
    },
  };
}

/** Serialises sign-ins of a guest, so that limits hold. */
export async function lockIdentity(tx: Tx, identity: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal ${identity.toString('hex')}`}, 0))`.execute(tx);
}

/** Runs outside the guest's transaction: argon2 waits. Null if wrong. */
export async function provePassword(inTenant: InTenant, site: SiteKey, form: Attempt['form']): Promise<string | null> {
  const found = await inTenant((tx) => findMemberByName(tx, site, form.name ?? ''));
  const stored = found?.password_hash ?? null;
  return (await verifyPassword(stored, typedPassword(form.password ?? ''))) ? stored : null;
}
