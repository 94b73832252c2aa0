import { limits } from '@yunxun/contract';
import { typedMobile } from '@yunxun/contract/typed-text';
import { connectingPage, countdownPage, type PageError, type Way } from '@yunxun/portal';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { SmsSender } from '../sms/send.ts';
import type { Arrival, RedirectRequest } from './adapters/adapter.ts';
import { extend } from './extension.ts';
import { putOnline, sealCredential, secondsAt, secondsLeft } from './grant.ts';
import { createGuestFrame, type GuestRequest, type PageState, typedOf } from './guest-frame.ts';
import { createPurchasePages, type PurchasePagesDeps } from './guest-purchase-pages.ts';
import type { GuestSite, PageAnswer } from './guest-site.ts';
import { createSponsorPages, type SponsorPagesDeps } from './guest-sponsor-pages.ts';
import { Refused } from './refused.ts';
import type { RowLimit } from './row-limit.ts';
import { randomName } from './secrets.ts';
import { changeSession, extendSession, findSession, lastGranted, lastRefused, offerSeconds } from './session-store.ts';
import { dayStartOf } from './sign-in.ts';
import { noteSeen } from './site-store.ts';
import { sendSms } from './sms.ts';
import { addressOf, deviceKeyOf, sourceOf } from './source.ts';
import { termsHash } from './terms-store.ts';
import { changeVisit, newVisit, type SiteKey, type Visit } from './visit-store.ts';

/** Seconds. */
const lookEvery = 2;
const refusalMs = 120_000;

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

export interface GuestPagesDeps extends SponsorPagesDeps, PurchasePagesDeps {
  outbox: SponsorPagesDeps['outbox'];
  keys: AccountKeys;
  sms: SmsSender;
  rows: RowLimit;
}

export function createGuestPages(deps: GuestPagesDeps) {
  const { keys, secrets, signIn, sms, rows } = deps;
  const frame = createGuestFrame(deps);
  const { path, ref, frameOf, signInAnswer, failed, tooOld, openPageState, openRef, online, pageAgain } = frame;
  const sponsor = createSponsorPages(deps, frame);
  const purchase = createPurchasePages(deps, frame);

  /** Finds the session of a success page. */
  async function controlled(tx: Tx, guest: GuestSite, sealed: string) {
    const found = openRef(guest, sealed);
    const session = found && (await findSession(tx, guest.site, found.session, true));
    return session && found ? { session, arrival: found.arrival } : null;
  }

  /** Names why RADIUS just refused this device. */
  async function refusalOf(tx: Tx, site: SiteKey, arrival: Arrival, now: Date): Promise<PageError & { way: null }> {
    const deviceKey = deviceKeyOf(secrets, site, { ...arrival, verified: arrival.mac !== null });
    const last = await lastRefused(tx, site, deviceKey, new Date(now.getTime() - refusalMs));
    if (!last) return { reason: 'rejected', way: null };
    return last.end_reason === 'devices'
      ? { reason: 'devices', params: { limit: last.devices }, way: null }
      : { reason: 'times', params: { limit: last.times_per_day }, way: null };
  }

  return {
    direct: (guest: GuestSite, request: GuestRequest): PageAnswer => failed(guest, request, { reason: 'no_gateway' }),

    /** Shows the sign-in, or the gateway's message. */
    async arrive(
      tx: Tx,
      guest: GuestSite,
      addVisit: (visit: Visit) => void,
      redirect: RedirectRequest,
      request: GuestRequest,
    ): Promise<PageAnswer> {
      const { site } = guest;
      const { now } = request;
      const arrival = guest.adapter.arrival(redirect, guest.secret);
      if (!arrival) {
        if (rows.wait(site, 'refusedArrivals', addressOf(request.ip), now) === 0)
          addVisit(newVisit(site, now, 'unverified'));
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
      const source = sourceOf(secrets, site, arrival, request.ip);
      const visit =
        rows.wait(site, 'visits', source, now) === 0 ? newVisit(site, now, refused ? 'rejected' : null) : null;
      if (visit) addVisit(visit);
      const state = { arrival, visit: visit?.id ?? null, at: now.getTime() };
      return signInAnswer(tx, guest, request, state, refused ? { error: await refusalOf(tx, site, arrival, now) } : {});
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
      if (way === 'purchase') return purchase.buy(tx, guest, form, request, state);
      if (way === 'sponsor') return sponsor.askHost(tx, guest, form, request, state);
      const { arrival, visit: visitId } = state;
      const { gateway } = guest.row;
      const done = await signIn.signIn(tx, {
        site,
        form,
        now,
        provenHash,
        way,
        published,
        gateway,
        arrival,
        locale,
        visitId,
      });
      if (done instanceof Refused) {
        const error = { ...done.error, way };
        return {
          answer: await signInAnswer(tx, guest, request, state, { error, typed: typedOf(form) }),
          refused: done,
        };
      }
      const next = `${path(guest, 'go')}?s=${ref(guest, { session: done.sessionId, arrival })}`;
      return { answer: { to: next }, refused: null };
    },

    asked: sponsor.asked,
    bought: purchase.bought,
    sponsor: sponsor.sponsor,

    async refuse(
      tx: Tx,
      guest: GuestSite,
      form: Readonly<Record<string, string>>,
      request: GuestRequest,
      refused: Refused,
    ): Promise<PageAnswer> {
      const state = openPageState(guest, form.state ?? '', request.now);
      if (!state) return tooOld(guest, request);
      await changeVisit(tx, guest.site, state.visit, { tried_at: request.now, failure: refused.error.reason });
      const error = { ...refused.error, way: form.way as Way };
      return signInAnswer(tx, guest, request, state, { error, typed: typedOf(form) });
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

    /** Stores and shows the gateway's answer to `control`. */
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

  async function sendCode(
    tx: Tx,
    guest: GuestSite,
    form: Readonly<Record<string, string>>,
    request: GuestRequest,
    state: PageState,
  ): Promise<{ answer: PageAnswer; refused: Refused | null }> {
    const { site } = guest;
    const phone = typedMobile(form.phone ?? '');
    const { now, ip, locale } = request;
    try {
      const dayStart = await dayStartOf(tx, site.accountId, now);
      const source = sourceOf(secrets, site, state.arrival, ip);
      const deviceKey = deviceKeyOf(secrets, site, state.arrival);
      await sendSms({ secrets, sms }, tx, site, { phone, source, deviceKey, locale, now, dayStart });
      const codeSent = { phone, minutes: limits.codeMinutes };
      return { answer: await signInAnswer(tx, guest, request, state, { codeSent }), refused: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: error.error.reason });
      const given = { error: { ...error.error, way: 'sms' as const }, typed: { phone } };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused: error };
    }
  }
}
