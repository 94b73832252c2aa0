import {
  errorPage,
  type Frame,
  keptFields,
  type MethodData,
  onlinePage,
  type PageError,
  type PageLocale,
  type PortalError,
  portalErrors,
  type SignIn,
  signInPage,
  type Typed,
  type Way,
} from '@yunxun/portal';
import type { Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { Purchases } from '../billing/goods/index.ts';
import type { Arrival } from './adapters/adapter.ts';
import { extensionOf } from './extension.ts';
import { secondsLeft } from './grant.ts';
import type { GuestSite, PageAnswer } from './guest-site.ts';
import { closedError } from './opening.ts';
import type { PortalSecrets } from './secrets.ts';
import type { Session } from './session-store.ts';
import type { createSignIn } from './sign-in.ts';
import { codeOnItsWay } from './sms.ts';
import { deviceKeyOf } from './source.ts';
import { termsHash } from './terms-store.ts';

/** In forms: the client as its gateway sent it. */
export interface PageState {
  arrival: Arrival;
  visit: string | null;
  at: number;
  /** Of the terms that the page shows. */
  terms?: string | null;
}

/** In addresses after the sign-in. */
export interface SessionRef {
  session: string;
  arrival: Arrival;
}

const stateMinutes = 30;

export interface GuestRequest {
  now: Date;
  ip: string;
  locale: PageLocale;
  origin: string;
}

/** Omits secrets. */
export function typedOf(form: Readonly<Record<string, string>>): Typed {
  return Object.fromEntries(keptFields().flatMap((name) => (form[name] ? [[name, form[name].slice(0, 64)]] : [])));
}

const endReasons: ReadonlySet<string> = new Set(portalErrors);

/** Names the reason if the page has a text for it. */
function endedFor({ end_reason: reason }: Session): PortalError {
  const named = `ended_${reason}`;
  return endReasons.has(named) ? (named as PortalError) : 'ended';
}

export interface GuestFrameDeps {
  secrets: PortalSecrets;
  purchases: Purchases;
  signIn: ReturnType<typeof createSignIn>;
  outbox: Pick<Outbox, 'toFile'>;
}

export type GuestFrame = ReturnType<typeof createGuestFrame>;

export function createGuestFrame({ secrets, signIn, purchases, outbox }: GuestFrameDeps) {
  const path = (guest: GuestSite, name: string) => `/p/${guest.key}/${name}`;
  const ref = (guest: GuestSite, of: SessionRef) => secrets.sealState(guest.key, of);

  function frameOf(guest: GuestSite, { locale }: GuestRequest, visit: string | null, other: string | null): Frame {
    return {
      locale,
      page: guest.published.content.page,
      otherLanguage: other,
      style: path(guest, visit === null ? 'page.css' : `page.css?v=${visit}`),
      picture: (id) => path(guest, `picture/${id}`),
    };
  }

  async function signInAnswer(
    tx: Tx,
    guest: GuestSite,
    request: GuestRequest,
    state: PageState,
    { codeSent = null, ...given }: Partial<Pick<SignIn, 'error' | 'typed'> & Pick<MethodData['sms'], 'codeSent'>> = {},
  ): Promise<PageAnswer> {
    const { site, published } = guest;
    if (!given.error) {
      const closed = await closedError(tx, site.accountId, published.content, request.now);
      if (closed) return failed(guest, request, closed);
    }
    const known = await signIn.rememberedSession(tx, { site, published, arrival: state.arrival, now: request.now });
    const ways: Way[] = published.content.methods.map(({ kind }) => kind);
    const device = deviceKeyOf(secrets, site, state.arrival);
    const minutes = codeSent || !ways.includes('sms') ? null : await codeOnItsWay(tx, site, device, request.now);
    const data: SignIn['data'] = {};
    if (ways.includes('sms'))
      data.sms = {
        codeSent: codeSent ?? (minutes === null ? null : { phone: '', minutes }),
        toFile: await outbox.toFile('sms'),
      };
    if (ways.includes('purchase')) data.purchase = await shopOf(tx, guest, state.arrival, request.now);
    const terms = termsHash(published.content.page, request.locale);
    const sealed = secrets.sealState(guest.key, { ...state, terms } satisfies PageState);
    const other = request.locale === 'en' ? 'zh-CN' : 'en';
    const frame = frameOf(guest, request, state.visit, `${path(guest, 'page')}?lang=${other}&s=${sealed}`);
    return {
      page: signInPage(frame, {
        ways: known ? ['remembered', ...ways] : ways,
        action: path(guest, 'sign-in'),
        state: sealed,
        error: null,
        typed: {},
        ...given,
        data,
      }),
    };
  }

  async function shopOf(tx: Tx, { site }: GuestSite, arrival: Arrival, now: Date): Promise<MethodData['purchase']> {
    const device = arrival.verified ? deviceKeyOf(secrets, site, arrival).toString('hex') : null;
    const earlier = device && (await purchases.boughtBy(tx, site, device, now));
    return { ...(await purchases.offers(tx, site)), earlier: earlier ? earlier.name : null };
  }

  function failed(guest: GuestSite, request: GuestRequest, error: PageError, again: string | null = null): PageAnswer {
    return { page: errorPage(frameOf(guest, request, null, null), error, again) };
  }

  const tooOld = (guest: GuestSite, request: GuestRequest) => failed(guest, request, { reason: 'state_old' });

  function openPageState(guest: GuestSite, sealed: string, now: Date): PageState | null {
    const state = secrets.openState(guest.key, sealed) as PageState | null;
    return state?.arrival && now.getTime() - state.at < stateMinutes * 60_000 ? state : null;
  }

  function openRef(guest: GuestSite, sealed: string): SessionRef | null {
    const found = secrets.openState(guest.key, sealed) as SessionRef | null;
    return found?.session ? found : null;
  }

  async function online(
    guest: GuestSite,
    request: GuestRequest,
    session: Session,
    arrival: Arrival,
    error: PageError | null = null,
  ): Promise<PageAnswer> {
    const { jump } = guest.published.content;
    const left = secondsLeft(session.expires_at, request.now);
    if (session.state === 'ended' || left === 0) {
      // the device is captured anew
      const isOver = session.end_reason === 'signed_out';
      return failed(
        guest,
        request,
        { reason: endedFor(session) },
        isOver ? pageAgain(guest, session, arrival, request.now) : null,
      );
    }
    const frame = frameOf(guest, request, null, null);
    const controls = guest.adapter.takesOrders && {
      base: path(guest, ''),
      state: ref(guest, { session: session.id, arrival }),
      error,
      extendMinutes: extensionOf(guest, session, request.now),
    };
    return {
      page: onlinePage(frame, {
        secondsLeft: left,
        signOut: guest.adapter.signOut(arrival),
        controls: controls || null,
        ...(jump === '' ? { jump: arrival.origin, goOn: false } : { jump, goOn: error === null }),
      }),
    };
  }

  function pageAgain(guest: GuestSite, { visit_id: visit }: Session, arrival: Arrival, now: Date): string {
    const state: PageState = { arrival, visit, at: now.getTime() };
    return `${path(guest, 'page')}?s=${secrets.sealState(guest.key, state)}`;
  }

  return { path, ref, frameOf, signInAnswer, failed, tooOld, openPageState, openRef, online, pageAgain };
}
