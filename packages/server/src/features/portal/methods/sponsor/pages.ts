import { askedPage, type PageError, sponsorPage } from '@yunxun/portal';
import { afterCommit } from '../../../../platform/database/index.ts';
import type { GuestRequest, GuestSite, PageAnswer, PageFrame, PageState } from '../../page-frame.ts';
import { Refused } from '../../refused.ts';
import { deviceKeyOf, sourceOf } from '../../source.ts';
import { termsHash } from '../../terms-store.ts';
import { typedOf } from '../../typed.ts';
import { changeVisit } from '../../visit-store.ts';
import type { MethodDeps, MethodPages, ShowPage, Step } from '../method.ts';
import { answerRequest, askSponsor, mailWaiting, requestsOfToken, sponsorRequest } from './requests.ts';

interface AskedRef {
  asked: string;
  state: PageState;
}

/** Seconds. */
const askEvery = 5;

export function createSponsorPages(
  { secrets, outbox, origin }: MethodDeps,
  { path, frameOf, signInAnswer, tooOld, enter }: PageFrame,
): MethodPages {
  async function askedAnswer(guest: GuestSite, request: GuestRequest, sealed: string): Promise<PageAnswer> {
    const next = `${path(guest, 'asked')}?lang=${request.locale}&s=${sealed}`;
    const toFile = await outbox.toFile('email');
    return { page: askedPage(frameOf(guest, request, null, null), { seconds: askEvery, next, toFile }) };
  }

  const hostPage = (guest: GuestSite) => `${origin()}${path(guest, 'sponsor')}`;

  const askHost: Step = async (tx, guest, form, request, state) => {
    const { site, published } = guest;
    const { now, locale } = request;
    const method = published.content.methods.find(({ kind }) => kind === 'sponsor');
    try {
      const asked = await askSponsor(outbox, tx, site, {
        guest: form.guest ?? '',
        sponsor: form.sponsor ?? '',
        locale,
        now,
        sponsors: method?.kind === 'sponsor' ? method.sponsors : [],
        deviceKey: deviceKeyOf(secrets, site, state.arrival),
        source: sourceOf(secrets, site, state.arrival, request.ip),
        page: hostPage(guest),
      });
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: null });
      const sealed = secrets.sealState(guest.key, { asked, state } satisfies AskedRef);
      return { answer: await askedAnswer(guest, request, sealed), refused: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const tried = { at: now, way: 'sponsor', subject: null };
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: error.error.reason }, tried);
      const given = { error: { ...error.error, way: 'sponsor' as const }, typed: typedOf(form) };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused: error };
    }
  };

  const asked: ShowPage = async (tx, guest, { s: sealed = '' }, request) => {
    const { site, published } = guest;
    const { now, locale } = request;
    const found = secrets.openState(guest.key, sealed) as AskedRef | null;
    const waiting = found?.asked && (await sponsorRequest(tx, site, found.asked));
    if (!found || !waiting) return tooOld(guest, request);
    if (waiting.state === 'asked' && waiting.expires_at > now) {
      if (await mailWaiting(tx, waiting, { outbox, page: hostPage(guest), locale, now }))
        afterCommit(tx, () => void outbox.flush());
      return askedAnswer(guest, request, sealed);
    }
    // keeps its age: waiting must not renew a page
    const { state } = found;
    const again = (error: PageError) => signInAnswer(tx, guest, request, state, { error: { ...error, way: null } });
    if (waiting.state === 'refused') return again({ reason: 'sponsor_refused' });
    if ((state.terms ?? null) !== termsHash(published.content.page, locale)) return again({ reason: 'terms_changed' });
    const done = await enter(tx, guest, request, state, { way: 'sponsor', form: { request: waiting.id } });
    return done instanceof Refused ? again(done.error) : done;
  };

  const host: ShowPage = async (tx, guest, { t: token = '', answer, r: id = '' }, request) => {
    const frame = frameOf(guest, request, null, null);
    const open = await requestsOfToken(tx, guest.site, token, request.now);
    const listed = open.find((one) => one.id === id);
    const locked = listed && (await sponsorRequest(tx, guest.site, id));
    const pending = locked?.state === 'asked' ? listed : undefined;
    const given = answer === 'approved' || answer === 'refused' ? answer : null;
    const outcome = pending ? given : null;
    if (pending && outcome) await answerRequest(tx, pending, outcome);
    const requests = open.filter((one) => one !== listed || (pending && !outcome));
    const isOver = id === '' ? open.length === 0 : !pending;
    const shown = { requests, action: path(guest, 'sponsor'), token };
    return { page: sponsorPage(frame, { ...shown, outcome: isOver ? 'over' : outcome }) };
  };

  return {
    submit: askHost,
    // opening the link answers nothing, or a mail scanner would approve guests
    pages: { asked, sponsor: (tx, guest, { t = '' }, request) => host(tx, guest, { t }, request) },
    posts: { sponsor: host },
  };
}
