import { connectingPage, countdownPage, type PageError, type Way } from '@yunxun/portal';
import type { Tx } from '../../platform/database/index.ts';
import { isManaged } from './access-points/access-points.ts';
import { noteRedirect } from './access-points/redirect-store.ts';
import type { Arrival, RedirectRequest } from './adapters/adapter.ts';
import { arrivalWith, secretOf } from './adapters/secrets-in-use.ts';
import { extend } from './extension.ts';
import { putOnline, sealCredential, secondsAt, secondsLeft } from './grant.ts';
import { createGuestFrame, type GuestFrameDeps } from './guest-frame.ts';
import { allMethods, methodNamed, typedIn } from './methods/index.ts';
import type { Submitted } from './methods/method.ts';
import type { GuestRequest, GuestSite, PageAnswer } from './page-frame.ts';
import { guestSystemOf } from './reception/guest-system.ts';
import { triedOf } from './reception/tried.ts';
import { Refused } from './refused.ts';
import type { RowLimit } from './row-limit.ts';
import { randomName } from './secrets.ts';
import {
  changeSession,
  extendSession,
  findSession,
  goingOn,
  lastGranted,
  lastRefused,
  offerSeconds,
  type Session,
} from './session-store.ts';
import { endOldSecret, noteSeen } from './site-store.ts';
import { addressOf, deviceKeyOf, sourceOf } from './source.ts';
import { termsHash } from './terms-store.ts';
import { typedOf } from './typed.ts';
import { changeVisit, newVisit, type SiteKey, type Visit, type VisitDevice } from './visit-store.ts';

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

export interface GuestPagesDeps extends GuestFrameDeps {
  rows: RowLimit;
}

export function createGuestPages(deps: GuestPagesDeps) {
  const { keys, secrets, rows } = deps;
  const frame = createGuestFrame(deps);
  const { path, frameOf, signInAnswer, movedAnswer, failed, tooOld, enter, openPageState, openRef, online, pageAgain } =
    frame;
  const pagesOf = new Map(allMethods().map((method) => [method, method.pages?.(deps, frame)]));
  const pagesOfAll = () => [...pagesOf.values()].filter((pages) => pages !== undefined);

  async function controlled(tx: Tx, guest: GuestSite, sealed: string, asked: GuestRequest) {
    const found = openRef(guest, sealed, asked);
    const session = found && (await findSession(tx, guest.site, found.session, true));
    return session && found ? { ...found, session } : null;
  }

  function deviceOf(site: SiteKey, arrival: Arrival, { agent }: GuestRequest): VisitDevice {
    const { mac, ip, verified } = arrival;
    return { device_key: deviceKeyOf(secrets, site, arrival), mac, ip, verified, system: guestSystemOf(agent) };
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

  async function move(
    tx: Tx,
    guest: GuestSite,
    request: GuestRequest,
    session: Session,
    arrival: Arrival,
  ): Promise<PageAnswer> {
    const { now, origin } = request;
    const credential = randomName();
    const back = `${origin}${path(guest, 'wait')}?s=${frame.ref(guest, { session: session.id, arrival })}`;
    const offer = { ticket: session.ticket, credential, back };
    const grant = guest.adapter.grant(arrival, offer, secretOf(guest, arrival));
    if (grant.by !== 'browser') return online(tx, guest, request, session, arrival);
    const offer_until = new Date(now.getTime() + offerSeconds * 1000);
    await changeSession(tx, session, ['online'], {
      offer_until,
      credential: await sealCredential(tx, keys, session, credential),
    });
    return { page: connectingPage(frameOf(guest, request, null, null), { seconds: 0, next: grant.url }) };
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
      const arrival = arrivalWith(guest.adapter, redirect, guest);
      if (!arrival) {
        if (rows.wait(site, 'refusedArrivals', addressOf(request.ip), now) === 0)
          addVisit(newVisit(site, now, 'unverified', null));
        return failed(guest, request, { reason: 'unverified' });
      }
      await noteSeen(tx, guest.row, now);
      const { device } = arrival.gateway;
      if (device !== undefined && isManaged(guest.row) && !arrival.old) await noteRedirect(tx, guest.row, device, now);
      if (guest.oldSecret !== null && !arrival.old) await endOldSecret(tx, guest.row);
      const text = redirect.query.get('res') ?? redirect.query.get('status') ?? '';
      if (['success', 'already', 'authenticated', 'logoff'].includes(text)) {
        const last = await lastGranted(tx, site, deviceKeyOf(secrets, site, arrival), new Date(0));
        if (text === 'logoff' || !last) return failed(guest, request, { reason: 'ended' });
        return online(tx, guest, request, last, arrival);
      }
      const refused = text === 'reject' || text === 'failed';
      const moved =
        isManaged(guest.row) && !refused && arrival.mac !== null ? await goingOn(tx, site, arrival.mac, now) : null;
      if (moved) return move(tx, guest, request, moved, arrival);
      const source = sourceOf(secrets, site, arrival, request.ip);
      const visit =
        rows.wait(site, 'visits', source, now) === 0
          ? newVisit(site, now, refused ? 'rejected' : null, deviceOf(site, arrival, request))
          : null;
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
    ): Promise<Submitted> {
      const { published } = guest;
      const state = openPageState(guest, form.state ?? '', request.now);
      const moved = state && (await movedAnswer(tx, guest, state.arrival, request));
      if (moved) return { answer: moved, refused: null };
      const ways: readonly string[] = ['remembered', ...published.content.methods.map(({ kind }) => kind)];
      if (!state || !ways.includes(form.way ?? '')) return { answer: tooOld(guest, request), refused: null };
      const way = form.way as Way;
      const method = methodNamed(way);
      const own = method && pagesOf.get(method);
      const before = own?.before?.(tx, guest, form, request, state);
      if (before) return before;
      // a guest accepts only what the page showed
      if ((state.terms ?? null) !== termsHash(published.content.page, request.locale)) {
        const error = { reason: 'terms_changed' as const, way: null };
        return { answer: await signInAnswer(tx, guest, request, state, { error }), refused: null };
      }
      if (own?.submit) return own.submit(tx, guest, form, request, state);
      const done = await enter(tx, guest, request, state, { way, form, provenHash });
      if (!(done instanceof Refused)) return { answer: done, refused: null };
      const error = { ...done.error, way };
      return { answer: await signInAnswer(tx, guest, request, state, { error, typed: typedOf(form) }), refused: done };
    },

    /** By the last part of their address. */
    ownPages: () => pagesOfAll().flatMap(({ pages = {} }) => Object.entries(pages)),
    ownPosts: () => pagesOfAll().flatMap(({ posts = {} }) => Object.entries(posts)),

    async refuse(
      tx: Tx,
      guest: GuestSite,
      form: Readonly<Record<string, string>>,
      request: GuestRequest,
      refused: Refused,
    ): Promise<PageAnswer> {
      const state = openPageState(guest, form.state ?? '', request.now);
      if (!state) return tooOld(guest, request);
      const { now } = request;
      const tried = triedOf(secrets, guest.site.accountId, form.way ?? '', typedIn(form.way ?? '', form), now);
      await changeVisit(tx, guest.site, state.visit, { tried_at: now, failure: refused.error.reason }, tried);
      const error = { ...refused.error, way: form.way as Way };
      return signInAnswer(tx, guest, request, state, { error, typed: typedOf(form) });
    },

    async grantAccess(
      tx: Tx,
      guest: GuestSite,
      sealed: string,
      asked: GuestRequest,
    ): Promise<PageAnswer | { order: GrantOrder }> {
      const { now, origin } = asked;
      const found = await controlled(tx, guest, sealed, asked);
      if (!found) return tooOld(guest, asked);
      const { session, request } = found;
      const here = `${path(guest, 'go')}?s=${sealed}`;
      const wait = `${path(guest, 'wait')}?s=${sealed}`;
      if (session.state !== 'waiting') return { to: wait };
      const frame = frameOf(guest, request, null, null);
      const seconds = Math.ceil((session.ready_at.getTime() - now.getTime()) / 1000);
      if (seconds > 0) return { page: countdownPage(frame, { seconds, next: here }) };
      if (session.offer_until <= now) return failed(guest, request, { reason: 'not_taken' });
      const credential = randomName();
      const back = `${origin}${wait}`;
      const offer = { ticket: session.ticket, credential, back };
      const grant = guest.adapter.grant(found.arrival, offer, secretOf(guest, found.arrival));
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

    async wait(tx: Tx, guest: GuestSite, sealed: string, asked: GuestRequest): Promise<PageAnswer> {
      const { now } = asked;
      const found = openRef(guest, sealed, asked);
      const session = found && (await findSession(tx, guest.site, found.session));
      if (!session) return tooOld(guest, asked);
      const { request, arrival, receipt } = found;
      if (session.state === 'online' || session.granted_at)
        return online(tx, guest, request, session, arrival, { receipt });
      if (session.state === 'offered' && session.offer_until > now) {
        const next = `${path(guest, 'wait')}?s=${sealed}`;
        return { page: connectingPage(frameOf(guest, request, null, null), { seconds: lookEvery, next }) };
      }
      const tried = { at: now, way: session.method, subject: null };
      await changeVisit(tx, guest.site, session.visit_id, { failure: 'not_taken' }, tried);
      return failed(guest, request, { reason: 'not_taken' }, pageAgain(guest, request, session, arrival));
    },

    /** Answers with the order that ends or extends the guest's own session, or with a page. */
    async control(
      tx: Tx,
      guest: GuestSite,
      form: Readonly<Record<string, string>>,
      asked: GuestRequest,
    ): Promise<PageAnswer | { order: ControlOrder }> {
      const found = await controlled(tx, guest, form.s ?? '', asked);
      if (!found) return tooOld(guest, asked);
      const { session, arrival, request } = found;
      const { id: sessionId, ticket, mac, state, up_kbps, down_kbps } = session;
      if (state !== 'online' || !guest.adapter.takesOrders || mac === null)
        return online(tx, guest, request, session, arrival);
      if (form.act === 'leave') return { order: { op: 'revoke', sessionId, ticket, mac } };
      try {
        const until = await extend(tx, guest, session, request.now);
        const seconds = secondsLeft(until, request.now);
        return { order: { op: 'grant', sessionId, ticket, mac, until, seconds, up_kbps, down_kbps } };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return online(tx, guest, request, session, arrival, { error: error.error });
      }
    },

    /** Stores and shows the gateway's answer to `control`. */
    async controlDone(
      tx: Tx,
      guest: GuestSite,
      sealed: string,
      { order, taken }: { order: ControlOrder; taken: boolean },
      asked: GuestRequest,
    ): Promise<PageAnswer> {
      const { now } = asked;
      const found = await controlled(tx, guest, sealed, asked);
      if (!found) return tooOld(guest, asked);
      const { session, arrival, request } = found;
      if (!taken) return online(tx, guest, request, session, arrival, { error: { reason: 'order_failed' } });
      if (order.op === 'grant') await extendSession(tx, session, order.until, now);
      else await changeSession(tx, session, ['online'], { state: 'ended', ended_at: now, end_reason: 'signed_out' });
      return { to: `${path(guest, 'wait')}?s=${sealed}` };
    },
  };
}
