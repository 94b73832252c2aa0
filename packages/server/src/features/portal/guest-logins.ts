import { randomBytes } from 'node:crypto';
import { leavingPage, type PageError } from '@yunxun/portal';
import type { Tx } from '../../platform/database/index.ts';
import { createGuestFrame, type GuestFrameDeps } from './guest-frame.ts';
import type { Outcome } from './guest-limits.ts';
import type { GuestSites } from './guest-site.ts';
import { insertLogin, takeLogin } from './login-store.ts';
import type { IdentityProviders } from './methods/index.ts';
import type { Person } from './methods/login/person.ts';
import { appOf, type Login, type LoginMethod, loginOf } from './methods/login/provider.ts';
import type { GuestRequest, GuestSite, PageAnswer, PageState } from './page-frame.ts';
import { Refused } from './refused.ts';
import { randomName } from './secrets.ts';
import { termsHash } from './terms-store.ts';
import { changeVisit } from './visit-store.ts';

export interface GuestLoginsDeps extends GuestFrameDeps {
  sites: GuestSites;
  providers: IdentityProviders;
}

interface Kept {
  /** Changed settings must not redeem its code elsewhere. */
  app: string;
  login: Login;
  page: PageState;
}

/** Sealed state: who is where. Hexadecimal, for providers that take letters and digits only. */
const stateOf = (key: string, token: string) => Buffer.from(key, 'base64url').toString('hex') + token;
const stateForm = /^([0-9a-f]{32})([0-9a-f]{32})$/;

/** Asks providers outside of transactions. */
export function createGuestLogins({ sites, providers, ...deps }: GuestLoginsDeps) {
  const { secrets } = deps;
  const { frameOf, signInAnswer, failed, tooOld, enter, openPageState } = createGuestFrame(deps);
  const providerOf = ({ kind }: LoginMethod) => providers[kind];

  function again(key: string, request: GuestRequest, page: PageState, error: PageError, method: LoginMethod) {
    return sites.open(key, async (tx, guest) => {
      const tried = { at: request.now, way: method.kind, subject: null };
      await changeVisit(tx, guest.site, page.visit, { tried_at: request.now, failure: error.reason }, tried);
      return signInAnswer(tx, guest, request, page, { error: { ...error, way: method.kind } });
    });
  }

  return {
    /** Sends the guest to the provider. `browser` belongs into a cookie. */
    async start(
      key: string,
      form: Readonly<Record<string, string>>,
      request: GuestRequest,
    ): Promise<{ answer: PageAnswer | null; browser?: string } & Outcome> {
      const { now, locale } = request;
      const browser = randomName();
      const begun = await sites.open(key, async (tx, guest) => {
        const page = openPageState(guest, form.state ?? '', now);
        const method = loginOf(guest.published.content.methods, form.way ?? '');
        if (!page || !method) return { answer: tooOld(guest, request) };
        const show = (error: PageError, way: LoginMethod['kind'] | null) =>
          signInAnswer(tx, guest, request, page, { error: { ...error, way } });
        if ((page.terms ?? null) !== termsHash(guest.published.content.page, locale))
          return { answer: await show({ reason: 'terms_changed' }, null) };
        const token = randomBytes(16).toString('hex');
        const login: Login = {
          redirectUri: `${deps.origin()}/login`,
          state: stateOf(key, token),
          locale,
          nonce: randomName(),
          verifier: randomBytes(32).toString('base64url'),
        };
        const sealed = secrets.sealState(key, { app: appOf(method), login, page } satisfies Kept);
        await insertLogin(tx, guest.site, { token, browser, kind: method.kind, sealed }, now);
        await changeVisit(tx, guest.site, page.visit, { tried_at: now, failure: null });
        return { login, method, page, frame: frameOf(guest, request, null, null) };
      });
      if (!begun || 'answer' in begun) return { answer: begun?.answer ?? null, isDone: false, isWrong: false };
      const { method, login, page, frame } = begun;
      try {
        const next = await providerOf(method).signInUrl(method, login);
        return { answer: { page: leavingPage(frame, next) }, browser, isDone: true, isWrong: false };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { answer: await again(key, request, page, error.error, method), isDone: true, isWrong: false };
      }
    },

    async finish(answer: URLSearchParams, browser: string, request: GuestRequest): Promise<PageAnswer | null> {
      const { now } = request;
      const [, hex = '', token = ''] = stateForm.exec(answer.get('state') ?? '') ?? [];
      const key = Buffer.from(hex, 'hex').toString('base64url');
      const taken = await sites.open(key, async (tx, guest) => {
        const found = await takeLogin(tx, guest.site, { token, browser }, now);
        if (!found) return { answer: failed(guest, request, { reason: 'login_old' }) };
        const { login, refused: reason } = found;
        const kept = secrets.openState(key, login.sealed) as Kept | null;
        if (kept && reason) {
          const tried = { at: now, way: login.kind, subject: null };
          await changeVisit(tx, guest.site, kept.page.visit, { tried_at: now, failure: reason }, tried);
          return { answer: failed(guest, request, { reason }) };
        }
        const method = loginOf(guest.published.content.methods, login.kind);
        return kept && method && kept.app === appOf(method) ? { ...kept, method } : { answer: tooOld(guest, request) };
      });
      if (!taken || 'answer' in taken) return taken?.answer ?? null;
      const { login, page, method } = taken;
      const { locale } = login;
      const shown = { ...request, locale };
      try {
        const person = await providerOf(method).person(method, login, answer, now);
        return await sites.open(key, (tx, guest) => enterAs(tx, guest, shown, { person, page, method }));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return again(key, shown, page, error.error, method);
      }
    },
  };

  async function enterAs(
    tx: Tx,
    guest: GuestSite,
    shown: GuestRequest,
    { person, page, method }: { person: Person; page: PageState; method: LoginMethod },
  ): Promise<PageAnswer> {
    const { locale } = shown;
    const refuse = (error: PageError, way: LoginMethod['kind'] | null) =>
      signInAnswer(tx, guest, shown, page, { error: { ...error, way } });
    if ((page.terms ?? null) !== termsHash(guest.published.content.page, locale))
      return refuse({ reason: 'terms_changed' }, null);
    const done = await enter(tx, guest, shown, page, { way: method.kind, form: {}, person });
    return done instanceof Refused ? refuse(done.error, method.kind) : done;
  }
}

export type GuestLogins = ReturnType<typeof createGuestLogins>;
