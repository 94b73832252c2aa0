import {
  errorPage,
  type Frame,
  onlinePage,
  type PageError,
  type PortalError,
  portalErrors,
  type Receipt,
  signInPage,
  type Way,
} from '@yunxun/portal';
import type { Tx } from '../../platform/database/index.ts';
import type { Arrival } from './adapters/adapter.ts';
import { wantedSite } from './adapters/probes.ts';
import { extensionOf } from './extension.ts';
import { secondsLeft } from './grant.ts';
import { methodNamed } from './methods/index.ts';
import type { MethodDeps } from './methods/method.ts';
import { closedError, endOn } from './opening.ts';
import type { GuestRequest, GuestSite, PageAnswer, PageFrame, PageState, SessionRef } from './page-frame.ts';
import type { GuestInvoices } from './payments/guest-invoices.ts';
import { Refused } from './refused.ts';
import { bytesLeft } from './session-bytes.ts';
import { movedTo, type Session } from './session-store.ts';
import type { createSignIn } from './sign-in.ts';
import { deviceKeyOf } from './source.ts';
import { termsHash } from './terms-store.ts';

const stateMinutes = 30;

const endReasons: ReadonlySet<string> = new Set(portalErrors);

/** Names the reason if the page has a text for it. */
function endedFor({ end_reason: reason }: Session): PortalError {
  const named = `ended_${reason}`;
  return endReasons.has(named) ? (named as PortalError) : 'ended';
}

export interface GuestFrameDeps extends MethodDeps {
  signIn: ReturnType<typeof createSignIn>;
  guestInvoices: Pick<GuestInvoices, 'pathOf'>;
}

export function createGuestFrame(deps: GuestFrameDeps) {
  const { secrets, signIn, guestInvoices } = deps;
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

  async function movedAnswer(
    tx: Tx,
    guest: GuestSite,
    arrival: Arrival,
    request: GuestRequest,
  ): Promise<PageAnswer | null> {
    const { now, locale } = request;
    const { moves_until: until } = guest.row;
    if (until === null || until <= now) return null;
    const session = await movedTo(tx, guest.site, deviceKeyOf(secrets, guest.site, arrival), now);
    return session && { to: `${path(guest, 'go')}?s=${ref(guest, { session: session.id, arrival, locale })}` };
  }

  const signInAnswer: PageFrame['signInAnswer'] = async (tx, guest, request, state, given = {}) => {
    const { site, published } = guest;
    if (!given.error) {
      const closed = await closedError(tx, site.accountId, published.content, request.now);
      if (closed) return failed(guest, request, closed);
      const moved = await movedAnswer(tx, guest, state.arrival, request);
      if (moved) return moved;
    }
    const known = await signIn.rememberedSession(tx, { site, published, arrival: state.arrival, now: request.now });
    const ways: Way[] = published.content.methods.map(({ kind }) => kind);
    const data: Record<string, unknown> = { ...given.data };
    for (const kind of ways)
      if (!(kind in data)) data[kind] = await methodNamed(kind)?.data?.(deps, tx, { guest, state, request });
    const terms = termsHash(published.content.page, request.locale);
    const sealed = secrets.sealState(guest.key, { ...state, terms } satisfies PageState);
    const other = request.locale === 'en' ? 'zh-CN' : 'en';
    const frame = frameOf(guest, request, state.visit, `${path(guest, 'page')}?lang=${other}&s=${sealed}`);
    return {
      page: signInPage(frame, {
        ways: known ? ['remembered', ...ways] : ways,
        action: path(guest, 'sign-in'),
        state: sealed,
        error: given.error ?? null,
        typed: given.typed ?? {},
        data,
      }),
    };
  };

  const enter: PageFrame['enter'] = async (tx, guest, { now, locale }, state, given) => {
    const { site, published, row } = guest;
    const { arrival, visit: visitId } = state;
    const done = await signIn.signIn(tx, {
      ...given,
      provenHash: given.provenHash ?? null,
      site,
      now,
      published,
      gateway: row.gateway,
      arrival,
      locale,
      visitId,
    });
    if (done instanceof Refused) return done;
    const { receipt } = given;
    return { to: `${path(guest, 'go')}?s=${ref(guest, { session: done.sessionId, arrival, locale, receipt })}` };
  };

  function failed(guest: GuestSite, request: GuestRequest, error: PageError, again: string | null = null): PageAnswer {
    return { page: errorPage(frameOf(guest, request, null, null), error, again) };
  }

  const tooOld = (guest: GuestSite, request: GuestRequest) => failed(guest, request, { reason: 'state_old' });

  function openPageState(guest: GuestSite, sealed: string, now: Date): PageState | null {
    const state = secrets.openState(guest.key, sealed) as PageState | null;
    return state?.arrival && now.getTime() - state.at < stateMinutes * 60_000 ? state : null;
  }

  function openRef(guest: GuestSite, sealed: string, request: GuestRequest) {
    const found = secrets.openState(guest.key, sealed) as SessionRef | null;
    if (!found?.session) return null;
    const { session, arrival, locale = request.locale, receipt } = found;
    return { session, arrival, receipt, request: { ...request, locale } };
  }

  async function online(
    tx: Tx,
    guest: GuestSite,
    request: GuestRequest,
    session: Session,
    arrival: Arrival,
    { error = null, receipt }: { error?: PageError | null; receipt?: Receipt | undefined } = {},
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
        isOver ? pageAgain(guest, request, session, arrival) : null,
      );
    }
    const frame = frameOf(guest, request, null, null);
    const invoice = receipt
      ? await guestInvoices.pathOf(tx, guest.site.accountId, receipt.order, request.locale)
      : null;
    const controls = guest.adapter.takesOrders &&
      session.mac !== null && {
        base: path(guest, ''),
        state: ref(guest, { session: session.id, arrival, locale: request.locale }),
        error,
        extendMinutes: extensionOf(guest, session, request.now),
      };
    return {
      page: onlinePage(frame, {
        secondsLeft: left,
        ends: session.expires_at && (await endOn(tx, guest.site.accountId, session.expires_at, request.now)),
        bytesLeft: bytesLeft(session, guest.adapter.reportsBy),
        signOut: guest.adapter.signOut(arrival),
        controls: controls || null,
        receipt,
        invoice,
        ...(jump === ''
          ? { jump: wantedSite(arrival.origin), goOn: false }
          : { jump, goOn: error === null && invoice === null }),
      }),
    };
  }

  function pageAgain(guest: GuestSite, request: GuestRequest, session: Session, arrival: Arrival): string {
    const state: PageState = { arrival, visit: session.visit_id, at: request.now.getTime() };
    return `${path(guest, 'page')}?lang=${request.locale}&s=${secrets.sealState(guest.key, state)}`;
  }

  return {
    path,
    ref,
    frameOf,
    signInAnswer,
    movedAnswer,
    failed,
    tooOld,
    enter,
    openPageState,
    openRef,
    online,
    pageAgain,
  };
}
