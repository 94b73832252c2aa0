import { limits } from '@yunxun/contract';
import {
  askedPage,
  connectingPage,
  countdownPage,
  errorPage,
  type Frame,
  onlinePage,
  type PageError,
  type PageLocale,
  type PortalError,
  portalErrors,
  type SignIn,
  signInPage,
  sponsorPage,
  type Way,
} from '@yunxun/portal';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import type { SmsSender } from '../sms/send.ts';
import type { Arrival, RedirectRequest } from './adapters/adapter.ts';
import { extend, extensionOf } from './extension.ts';
import { putOnline, sealCredential, secondsAt, secondsLeft } from './grant.ts';
import type { GuestSite } from './guest-site.ts';
import { closedError } from './opening.ts';
import { Refused } from './refused.ts';
import type { RowLimit } from './row-limit.ts';
import type { PortalSecrets } from './secrets.ts';
import { randomName } from './secrets.ts';
import { changeSession, extendSession, findSession, lastGranted, offerSeconds, type Session } from './session-store.ts';
import { type createSignIn, dayStartOf, deviceKeyOf } from './sign-in.ts';
import { noteSeen } from './site-store.ts';
import { sendSms } from './sms.ts';
import { answerRequest, askSponsor, requestOfToken, sponsorRequest } from './sponsors.ts';
import { termsHash } from './terms-store.ts';
import { changeVisit, insertVisit } from './visit-store.ts';

/** In forms: the client as its gateway sent it. */
interface PageState {
  arrival: Arrival;
  visit: string | null;
  at: number;
  /** Of the terms that the page shows. */
  terms?: string | null;
}

/** In addresses after the sign-in. */
interface SessionRef {
  session: string;
  arrival: Arrival;
}

/** In the address of a guest who waits for a host. */
interface AskedRef {
  asked: string;
  state: PageState;
}

const stateMinutes = 30;
/** Seconds. */
const lookEvery = 2;
const askEvery = 5;

export interface GuestRequest {
  now: Date;
  ip: string;
  locale: PageLocale;
  origin: string;
}

export type PageAnswer = { page: string } | { to: string };

/** Ended by `sessionGranted`. */
export interface GrantOrder {
  sessionId: string;
  ticket: string;
  mac: string;
  seconds: number | null;
  up_kbps: number;
  down_kbps: number;
}

/** Of a guest's own; ended by `controlDone`. */
export type ControlOrder =
  | { op: 'revoke'; sessionId: string; ticket: string; mac: string }
  | ({ op: 'grant'; until: Date } & GrantOrder);

export interface GuestPagesDeps {
  keys: AccountKeys;
  secrets: PortalSecrets;
  signIn: ReturnType<typeof createSignIn>;
  sms: SmsSender;
  rows: RowLimit;
  outbox: Pick<Outbox, 'queue'>;
}

const endReasons: ReadonlySet<string> = new Set(portalErrors);

/** Names the reason if the page has a text for it. */
function endedFor({ end_reason: reason }: Session): PortalError {
  const named = `ended_${reason}`;
  return endReasons.has(named) ? (named as PortalError) : 'ended';
}

export function createGuestPages({ keys, secrets, signIn, sms, rows, outbox }: GuestPagesDeps) {
  const path = (guest: GuestSite, name: string) => `/p/${guest.key}/${name}`;
  const ref = (guest: GuestSite, of: SessionRef) => secrets.sealState(guest.key, of);

  function frameOf(guest: GuestSite, { locale }: GuestRequest, visit: string | null, other: string | null): Frame {
    return {
      ...{ locale, page: guest.published.content.page, otherLanguage: other },
      style: path(guest, visit === null ? 'page.css' : `page.css?v=${visit}`),
      picture: (id) => path(guest, `picture/${id}`),
    };
  }

  async function signInAnswer(
    tx: Tx,
    guest: GuestSite,
    request: GuestRequest,
    state: PageState,
    given: Partial<Pick<SignIn, 'error' | 'codeSent' | 'phone'>> = {},
  ): Promise<PageAnswer> {
    const { site, published } = guest;
    if (!given.error) {
      const closed = await closedError(tx, site.accountId, published.content, request.now);
      if (closed) return failed(guest, request, closed);
    }
    const known = await signIn.rememberedSession(tx, { site, published, arrival: state.arrival, now: request.now });
    const ways: Way[] = published.content.methods.map(({ kind }) => kind);
    const terms = termsHash(published.content.page, request.locale);
    const sealed = secrets.sealState(guest.key, { ...state, terms } satisfies PageState);
    const other = request.locale === 'en' ? 'zh-CN' : 'en';
    const frame = frameOf(guest, request, state.visit, `${path(guest, 'page')}?lang=${other}&s=${sealed}`);
    return {
      page: signInPage(frame, {
        ...{ ways: known ? ['remembered', ...ways] : ways, action: path(guest, 'sign-in'), state: sealed },
        ...{ error: null, codeSent: null, phone: '', ...given },
      }),
    };
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
      ...{ base: path(guest, ''), state: ref(guest, { session: session.id, arrival }), error },
      extendMinutes: extensionOf(guest, session, request.now),
    };
    return {
      page: onlinePage(frame, {
        ...{ secondsLeft: left, signOut: guest.adapter.signOut(arrival), controls: controls || null },
        ...(jump === '' ? { jump: arrival.origin, goOn: false } : { jump, goOn: error === null }),
      }),
    };
  }

  function pageAgain(guest: GuestSite, { visit_id: visit }: Session, arrival: Arrival, now: Date): string {
    const state: PageState = { arrival, visit, at: now.getTime() };
    return `${path(guest, 'page')}?s=${secrets.sealState(guest.key, state)}`;
  }

  /** Finds the session of a success page. */
  async function controlled(tx: Tx, guest: GuestSite, sealed: string) {
    const found = openRef(guest, sealed);
    const session = found && (await findSession(tx, guest.site, found.session, true));
    return session && found ? { session, arrival: found.arrival } : null;
  }

  return {
    /** Shows the sign-in, or the gateway's message. */
    async arrive(tx: Tx, guest: GuestSite, redirect: RedirectRequest, request: GuestRequest): Promise<PageAnswer> {
      const { site } = guest;
      const { now } = request;
      const arrival = guest.adapter.arrival(redirect, guest.secret);
      if (!arrival) {
        if (rows.wait(site, 'refusedArrivals', now) === 0) await insertVisit(tx, site, now, 'unverified');
        return failed(guest, request, { reason: 'unverified' });
      }
      await noteSeen(tx, guest.row, now);
      const text = redirect.query.get('res') ?? redirect.query.get('status') ?? '';
      if (['success', 'already', 'authenticated', 'logoff'].includes(text)) {
        const last = await lastGranted(tx, site, deviceKeyOf(secrets, site, arrival), new Date(0));
        if (text === 'logoff' || !last) return failed(guest, request, { reason: 'ended' });
        return online(guest, request, last, arrival);
      }
      const refused = text === 'reject' || text === 'failed';
      const visit =
        rows.wait(site, 'visits', now) === 0 ? await insertVisit(tx, site, now, refused ? 'rejected' : null) : null;
      const state = { arrival, visit, at: now.getTime() };
      return signInAnswer(tx, guest, request, state, refused ? { error: { reason: 'rejected', way: null } } : {});
    },

    async again(tx: Tx, guest: GuestSite, sealed: string, request: GuestRequest): Promise<PageAnswer> {
      const state = openPageState(guest, sealed, request.now);
      return state ? signInAnswer(tx, guest, request, state) : tooOld(guest, request);
    },

    stateOf: openPageState,

    async submit(
      tx: Tx,
      guest: GuestSite,
      form: Readonly<Record<string, string>>,
      request: GuestRequest,
      provenHash: string | null,
    ): Promise<{ answer: PageAnswer; refused: Refused | null }> {
      const { site, published } = guest;
      const { now, locale } = request;
      const state = openPageState(guest, form.state ?? '', now);
      const ways: readonly string[] = ['remembered', ...published.content.methods.map(({ kind }) => kind)];
      if (!state || !ways.includes(form.way ?? '')) return { answer: tooOld(guest, request), refused: null };
      const way = form.way as Way;
      if (way === 'sms' && form.step === 'send') return sendCode(tx, guest, form, request, state);
      // a guest accepts only what the page showed
      if ((state.terms ?? null) !== termsHash(published.content.page, locale)) {
        const error = { reason: 'terms_changed' as const, way: null };
        return { answer: await signInAnswer(tx, guest, request, state, { error }), refused: null };
      }
      if (way === 'sponsor') return askHost(tx, guest, form, request, state);
      const { arrival, visit: visitId } = state;
      const { gateway } = guest.row;
      const done = await signIn.signIn(tx, {
        ...{ site, form, now, provenHash, way, published, gateway, arrival, locale, visitId },
      });
      if (done instanceof Refused) {
        const error = { ...done.error, way };
        return {
          answer: await signInAnswer(tx, guest, request, state, { error, phone: form.phone ?? '' }),
          refused: done,
        };
      }
      const next = `${path(guest, 'go')}?s=${ref(guest, { session: done.sessionId, arrival })}`;
      return { answer: { to: next }, refused: null };
    },

    /** Shows whether the host has answered, and signs the guest in once approved. */
    async asked(tx: Tx, guest: GuestSite, sealed: string, request: GuestRequest): Promise<PageAnswer> {
      const { site, published } = guest;
      const { now, locale } = request;
      const found = secrets.openState(guest.key, sealed) as AskedRef | null;
      const asked = found?.asked && (await sponsorRequest(tx, site, found.asked));
      if (!found || !asked) return tooOld(guest, request);
      if (asked.state === 'asked' && asked.expires_at > now) return askedAnswer(guest, request, sealed);
      // keeps its age: waiting must not renew a page
      const { state } = found;
      const again = (error: PageError) => signInAnswer(tx, guest, request, state, { error: { ...error, way: null } });
      if (asked.state === 'refused') return again({ reason: 'sponsor_refused' });
      if ((state.terms ?? null) !== termsHash(published.content.page, locale))
        return again({ reason: 'terms_changed' });
      const { arrival, visit: visitId } = state;
      const attempt = { site, form: { request: asked.id }, now, provenHash: null, way: 'sponsor' as const };
      const done = await signIn.signIn(tx, { ...attempt, published, arrival, locale, visitId });
      if (done instanceof Refused) return again(done.error);
      return { to: `${path(guest, 'go')}?s=${ref(guest, { session: done.sessionId, arrival })}` };
    },

    /** The host's page: shows the request, or takes the answer. */
    async sponsor(
      tx: Tx,
      guest: GuestSite,
      { token, answer }: { token: string; answer: string },
      request: GuestRequest,
    ): Promise<PageAnswer> {
      const frame = frameOf(guest, request, null, null);
      const asked = await requestOfToken(tx, guest.site, token, request.now);
      if (!asked) return { page: sponsorPage(frame, { outcome: 'over' }) };
      if (answer !== 'approved' && answer !== 'refused')
        return { page: sponsorPage(frame, { guest: asked.guest, action: path(guest, 'sponsor'), token }) };
      await answerRequest(tx, asked, answer);
      return { page: sponsorPage(frame, { outcome: answer }) };
    },

    async refuse(
      tx: Tx,
      guest: GuestSite,
      form: Readonly<Record<string, string>>,
      request: GuestRequest,
      refused: Refused,
    ): Promise<{ answer: PageAnswer; refused: Refused }> {
      const state = openPageState(guest, form.state ?? '', request.now);
      if (!state) return { answer: tooOld(guest, request), refused };
      await changeVisit(tx, guest.site, state.visit, { tried_at: request.now, failure: refused.error.reason });
      const error = { ...refused.error, way: form.way as Way };
      return { answer: await signInAnswer(tx, guest, request, state, { error }), refused };
    },

    /** Shows the advertisement, then makes the grant. */
    async grantAccess(
      tx: Tx,
      guest: GuestSite,
      sealed: string,
      request: GuestRequest,
    ): Promise<PageAnswer | { order: GrantOrder }> {
      const { now, origin } = request;
      const found = openRef(guest, sealed);
      const session = found && (await findSession(tx, guest.site, found.session, true));
      if (!session) return tooOld(guest, request);
      const here = `${path(guest, 'go')}?s=${sealed}`;
      const wait = `${path(guest, 'wait')}?s=${sealed}`;
      if (session.state !== 'waiting') return { to: wait };
      const frame = frameOf(guest, request, null, null);
      const seconds = Math.ceil((session.ready_at.getTime() - now.getTime()) / 1000);
      if (seconds > 0) return { page: countdownPage(frame, { seconds, next: here }) };
      if (session.offer_until <= now) return failed(guest, request, { reason: 'not_taken' });
      const credential = randomName();
      const back = `${origin}${wait}`;
      const grant = guest.adapter.grant(found.arrival, { ticket: session.ticket, credential, back }, guest.secret);
      const offer_until = new Date(now.getTime() + offerSeconds * 1000);
      const offered = { state: 'offered', offer_until } as const;
      if (grant.by === 'poll') {
        const { gatewayHash: gateway_hash, rhid } = grant;
        await changeSession(tx, session, ['waiting'], { ...offered, gateway_hash, rhid });
        return { page: connectingPage(frame, { seconds: lookEvery, next: wait }) };
      }
      if (grant.by === 'command') {
        await changeSession(tx, session, ['waiting'], offered);
        const { id: sessionId, ticket } = session;
        const { up_kbps, down_kbps } = session;
        const client = { mac: found.arrival.mac!, up_kbps, down_kbps };
        return { order: { sessionId, ticket, ...client, seconds: secondsAt(session, now) } };
      }
      const kept = await sealCredential(tx, keys, session, credential);
      await changeSession(tx, session, ['waiting'], { ...offered, credential: kept });
      // the browser may not come back, so it counts from now
      if (grant.counts === 'at_once') await putOnline(tx, session, now);
      return { page: connectingPage(frame, { seconds: 0, next: grant.url }) };
    },

    /** Stores the gateway's answer for the next page. */
    async sessionGranted(tx: Tx, guest: GuestSite, sessionId: string, taken: boolean, now: Date): Promise<void> {
      const session = await findSession(tx, guest.site, sessionId, true);
      if (!session) return;
      if (taken) return void (await putOnline(tx, session, now));
      await changeSession(tx, session, ['offered'], { state: 'ended', ended_at: now, end_reason: 'not_taken' });
    },

    async wait(tx: Tx, guest: GuestSite, sealed: string, request: GuestRequest): Promise<PageAnswer> {
      const { now } = request;
      const found = openRef(guest, sealed);
      const session = found && (await findSession(tx, guest.site, found.session));
      if (!session) return tooOld(guest, request);
      if (session.state === 'online' || session.granted_at) return online(guest, request, session, found.arrival);
      if (session.state === 'offered' && session.offer_until > now) {
        const next = `${path(guest, 'wait')}?s=${sealed}`;
        return { page: connectingPage(frameOf(guest, request, null, null), { seconds: lookEvery, next }) };
      }
      await changeVisit(tx, guest.site, session.visit_id, { failure: 'not_taken' });
      return failed(guest, request, { reason: 'not_taken' }, pageAgain(guest, session, found.arrival, now));
    },

    /** Answers with the order that ends or extends the guest's own session, or with a page. */
    async control(
      tx: Tx,
      guest: GuestSite,
      form: Readonly<Record<string, string>>,
      request: GuestRequest,
    ): Promise<PageAnswer | { order: ControlOrder }> {
      const found = await controlled(tx, guest, form.s ?? '');
      if (!found) return tooOld(guest, request);
      const { session, arrival } = found;
      const { id: sessionId, ticket, mac, state, up_kbps, down_kbps } = session;
      if (state !== 'online' || !guest.adapter.takesOrders || mac === null)
        return online(guest, request, session, arrival);
      if (form.act === 'leave') return { order: { op: 'revoke', sessionId, ticket, mac } };
      try {
        const until = await extend(tx, guest, session, request.now);
        const seconds = secondsLeft(until, request.now);
        return { order: { op: 'grant', sessionId, ticket, mac, until, seconds, up_kbps, down_kbps } };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return online(guest, request, session, arrival, error.error);
      }
    },

    /** Stores the gateway's answer to an order of `control`, and shows it. */
    async controlDone(
      tx: Tx,
      guest: GuestSite,
      sealed: string,
      { order, taken }: { order: ControlOrder; taken: boolean },
      request: GuestRequest,
    ): Promise<PageAnswer> {
      const { now } = request;
      const found = await controlled(tx, guest, sealed);
      if (!found) return tooOld(guest, request);
      const { session, arrival } = found;
      if (!taken) return online(guest, request, session, arrival, { reason: 'order_failed' });
      if (order.op === 'grant') await extendSession(tx, session, order.until, now);
      else await changeSession(tx, session, ['online'], { state: 'ended', ended_at: now, end_reason: 'signed_out' });
      return { to: `${path(guest, 'wait')}?s=${sealed}` };
    },
  };

  function askedAnswer(guest: GuestSite, request: GuestRequest, sealed: string): PageAnswer {
    const next = `${path(guest, 'asked')}?lang=${request.locale}&s=${sealed}`;
    return { page: askedPage(frameOf(guest, request, null, null), { seconds: askEvery, next }) };
  }

  async function askHost(
    tx: Tx,
    guest: GuestSite,
    form: Readonly<Record<string, string>>,
    request: GuestRequest,
    state: PageState,
  ): Promise<{ answer: PageAnswer; refused: Refused | null }> {
    const { site, published } = guest;
    const { now, locale, origin } = request;
    const method = published.content.methods.find(({ kind }) => kind === 'sponsor');
    try {
      const asked = await askSponsor(outbox, tx, site, {
        ...{ guest: form.guest ?? '', sponsor: form.sponsor ?? '', locale, now },
        sponsors: method?.kind === 'sponsor' ? method.sponsors : [],
        ...{ deviceKey: deviceKeyOf(secrets, site, state.arrival), page: `${origin}${path(guest, 'sponsor')}` },
      });
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: null });
      const sealed = secrets.sealState(guest.key, { asked, state } satisfies AskedRef);
      return { answer: askedAnswer(guest, request, sealed), refused: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: error.error.reason });
      const given = { error: { ...error.error, way: 'sponsor' as const } };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused: error };
    }
  }

  async function sendCode(
    tx: Tx,
    guest: GuestSite,
    form: Readonly<Record<string, string>>,
    { now, ip, locale, ...rest }: GuestRequest,
    state: PageState,
  ): Promise<{ answer: PageAnswer; refused: Refused | null }> {
    const { site } = guest;
    const phone = (form.phone ?? '').replace(/[\s-]/g, '');
    const request = { now, ip, locale, ...rest };
    try {
      const dayStart = await dayStartOf(tx, site.accountId, now);
      await sendSms({ secrets, sms }, tx, site, { phone, ip, locale, now, dayStart });
      const codeSent = { phone, minutes: limits.codeMinutes };
      return { answer: await signInAnswer(tx, guest, request, state, { codeSent }), refused: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: error.error.reason });
      const given = { error: { ...error.error, way: 'sms' as const }, phone };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused: error };
    }
  }
}
