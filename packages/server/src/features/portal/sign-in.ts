import type { PortalGateway, PortalMethod } from '@yunxun/contract';
import type { PageLocale, Way } from '@yunxun/portal';
import { newId, type Tx } from '../../platform/database/index.ts';
import type { Arrival } from './adapters/adapter.ts';
import { dayStartOf } from './day-start.ts';
import { takeSlot } from './device-slots.ts';
import { methodNamed, typedIn } from './methods/index.ts';
import { loginNames } from './methods/login/by-person.ts';
import { admissionOf, loginOf } from './methods/login/provider.ts';
import type { Attempt, ProofDeps } from './methods/method.ts';
import { lockIdentity, type Proof, plain } from './methods/proof.ts';
import { closingOf, earliest } from './opening.ts';
import type { Published } from './published.ts';
import { triedOf } from './reception/tried.ts';
import { Refused } from './refused.ts';
import { randomName } from './secrets.ts';
import { byRadius } from './session-ends.ts';
import { sealIdentity } from './session-history.ts';
import {
  countSignIns,
  insertSession,
  lastGranted,
  type NewSession,
  offerSeconds,
  replaceSessions,
  type Session,
} from './session-store.ts';
import { deviceKeyOf } from './source.ts';
import { keepTerms } from './terms-store.ts';
import { changeVisit, type SiteKey } from './visit-store.ts';

export interface SignInRequest extends Omit<Attempt, 'deviceKey'> {
  way: Way;
  published: Published;
  gateway: PortalGateway;
  arrival: Arrival;
  locale: PageLocale;
  visitId: string | null;
}

/** Prefers bought rates. */
function ratesOf({ bought }: Proof, method: PortalMethod) {
  return {
    up_kbps: bought?.up_kbps || method.up_kbps,
    down_kbps: bought?.down_kbps || method.down_kbps,
  };
}

export function createSignIn(deps: ProofDeps) {
  const { keys, secrets } = deps;

  /** Null for other methods than those of identity providers. */
  function loginRules({ accountId }: SiteKey, published: Published, kind: string): Buffer | null {
    const login = loginOf(published.content.methods, kind);
    return login ? secrets.hash(accountId, 'login_rules', admissionOf(login)) : null;
  }

  /** Requires a verified device. */
  async function rememberedSession(
    tx: Tx,
    { site, published, arrival, now }: Pick<SignInRequest, 'site' | 'published' | 'arrival' | 'now'>,
  ): Promise<Session | null> {
    const { remember_days: days, methods: offered } = published.content;
    if (days === 0 || !arrival.verified) return null;
    const from = new Date(now.getTime() - days * 86_400_000);
    const last = await lastGranted(tx, site, deviceKeyOf(secrets, site, arrival), from);
    if (!last || last.end_reason === 'kicked' || !offered.some(({ kind }) => kind === last.method)) return null;
    const rules = loginRules(site, published, last.method);
    if (rules) return last.login_rules?.equals(rules) ? last : null;
    return methodNamed(last.method)?.renews ? last : null;
  }

  async function prove(
    tx: Tx,
    request: SignInRequest,
    deviceKey: Buffer,
  ): Promise<{ proof: Proof; method: PortalMethod; sealed: Buffer | null; names: Buffer[] }> {
    const { way, published } = request;
    const remembered = way === 'remembered' ? await rememberedSession(tx, request) : null;
    if (way === 'remembered' && !remembered) throw new Refused('state_old');
    const kind = remembered?.method ?? way;
    const method = published.content.methods.find((one) => one.kind === kind);
    if (!method) throw new Refused('state_old');
    if (!remembered) {
      const proof = await methodNamed(method.kind)!.prove(deps, tx, { ...request, deviceKey }, method);
      const { whole, identityHash: hash } = proof;
      const sealed = whole && hash ? await sealIdentity(tx, keys, request.site.accountId, hash, whole) : null;
      const { person, site } = request;
      return { proof, method, sealed, names: person ? loginNames(secrets, site.accountId, person) : [] };
    }
    const { identity, identity_hash: identityHash } = remembered;
    if (identityHash) await lockIdentity(tx, identityHash);
    return {
      proof: { ...plain(method), identity, identityHash },
      method,
      sealed: remembered.identity_sealed,
      names: remembered.login_names,
    };
  }

  /** @throws Refused */
  async function admit(tx: Tx, request: SignInRequest): Promise<NewSession> {
    const { site, published, arrival, now } = request;
    const deviceKey = deviceKeyOf(secrets, site, arrival);
    // lock order: device, guest
    await lockIdentity(tx, deviceKey);
    const closes = await closingOf(tx, site.accountId, published.content, now);
    const { proof, method, sealed, names } = await prove(tx, request, deviceKey);
    const { identityHash } = proof;
    if (identityHash) {
      // RADIUS will name the device, and count anew
      const named = !arrival.verified && arrival.mac !== null && byRadius.has(request.gateway);
      const same = named ? { mac: arrival.mac! } : null;
      const guest = { identity: identityHash, deviceKey, devices: proof.devices, same };
      if (!(await takeSlot(tx, site, request.gateway, guest, now)))
        throw new Refused('devices', { limit: proof.devices });
    }
    if (method.times_per_day > 0) {
      const dayStart = await dayStartOf(tx, site.accountId, now);
      const guest = { identity: identityHash, deviceKey, method: proof.method };
      if ((await countSignIns(tx, site, guest, dayStart, now)) >= method.times_per_day)
        throw new Refused('times', { limit: method.times_per_day });
    }
    await replaceSessions(tx, site, deviceKey, now);
    const countdown = (published.content.page.countdown?.seconds ?? 0) * 1000;
    const terms_id = await keepTerms(tx, site, published.content.page, request.locale, now);
    const session: NewSession = {
      account_id: site.accountId,
      id: newId(now.getTime()),
      gwid: site.gwid,
      ticket: randomName(),
      state: 'waiting',
      device_key: deviceKey,
      mac: arrival.mac,
      ip: arrival.ip,
      verified: arrival.verified,
      method: proof.method,
      identity: proof.identity,
      identity_hash: identityHash,
      identity_sealed: sealed,
      login_rules: loginRules(site, published, proof.method),
      login_names: names,
      template_id: published.id,
      template_version: published.version,
      locale: request.locale,
      terms_id,
      minutes: proof.minutes,
      ...ratesOf(proof, method),
      devices: proof.devices,
      times_per_day: method.times_per_day,
      credential: null,
      gateway_hash: null,
      rhid: null,
      made_at: now,
      ready_at: new Date(now.getTime() + countdown),
      offer_until: new Date(now.getTime() + countdown + offerSeconds * 1000),
      granted_at: null,
      expires_at: earliest(proof.until, closes),
      ended_at: null,
      end_reason: null,
      entitlement_id: proof.bought?.id ?? null,
      max_bytes: proof.bought?.maxBytes ?? 0,
      acct_session_id: null,
      last_seen: null,
      visit_id: request.visitId,
      moved_from: null,
    };
    await insertSession(tx, session);
    return session;
  }

  return {
    rememberedSession,
    /** Returns refusals as answers, to keep their counts. */
    async signIn(tx: Tx, request: SignInRequest): Promise<{ sessionId: string } | Refused> {
      const { site, visitId, now } = request;
      try {
        const { id } = await admit(tx, request);
        await changeVisit(tx, site, visitId, { tried_at: now, failure: null });
        return { sessionId: id };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const tried = triedOf(secrets, site.accountId, request.way, typedIn(request.way, request.form), now);
        await changeVisit(tx, site, visitId, { tried_at: now, failure: error.error.reason }, tried);
        return error;
      }
    },
  };
}
