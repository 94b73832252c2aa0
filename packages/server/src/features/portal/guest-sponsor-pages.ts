import { askedPage, type PageError, sponsorPage } from '@yunxun/portal';
import { afterCommit, type Tx } from '../../platform/database/index.ts';
import type { Outbox } from '../../platform/outbox/index.ts';
import { type GuestFrame, type GuestFrameDeps, type GuestRequest, type PageState, typedOf } from './guest-frame.ts';
import type { GuestSite, PageAnswer } from './guest-site.ts';
import { Refused } from './refused.ts';
import { deviceKeyOf, sourceOf } from './source.ts';
import { answerRequest, askSponsor, mailWaiting, requestsOfToken, sponsorRequest } from './sponsors.ts';
import { termsHash } from './terms-store.ts';
import { changeVisit } from './visit-store.ts';

/** Part of the waiting page's address. */
interface AskedRef {
  asked: string;
  state: PageState;
}

/** Seconds. */
const askEvery = 5;

export interface SponsorPagesDeps extends GuestFrameDeps {
  outbox: Pick<Outbox, 'queue' | 'flush' | 'toFile'>;
  /** Of the host's link; a guest's request can name any. */
  origin(): string;
}

export function createSponsorPages(
  { secrets, signIn, outbox, origin }: SponsorPagesDeps,
  { path, ref, frameOf, signInAnswer, tooOld }: GuestFrame,
) {
  async function askedAnswer(guest: GuestSite, request: GuestRequest, sealed: string): Promise<PageAnswer> {
    const next = `${path(guest, 'asked')}?lang=${request.locale}&s=${sealed}`;
    const toFile = await outbox.toFile('email');
    return { page: askedPage(frameOf(guest, request, null, null), { seconds: askEvery, next, toFile }) };
  }

  const hostPage = (guest: GuestSite) => `${origin()}${path(guest, 'sponsor')}`;

  async function askHost(
    tx: Tx,
    guest: GuestSite,
    form: Readonly<Record<string, string>>,
    request: GuestRequest,
    state: PageState,
  ): Promise<{ answer: PageAnswer; refused: Refused | null }> {
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
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: error.error.reason });
      const given = { error: { ...error.error, way: 'sponsor' as const }, typed: typedOf(form) };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused: error };
    }
  }

  return {
    askHost,

    /** Signs the guest in once the host has approved. */
    async asked(tx: Tx, guest: GuestSite, sealed: string, request: GuestRequest): Promise<PageAnswer> {
      const { site, published } = guest;
      const { now, locale } = request;
      const found = secrets.openState(guest.key, sealed) as AskedRef | null;
      const asked = found?.asked && (await sponsorRequest(tx, site, found.asked));
      if (!found || !asked) return tooOld(guest, request);
      if (asked.state === 'asked' && asked.expires_at > now) {
        if (await mailWaiting(tx, asked, { outbox, page: hostPage(guest), locale, now }))
          afterCommit(tx, () => void outbox.flush());
        return askedAnswer(guest, request, sealed);
      }
      // keeps its age: waiting must not renew a page
      const { state } = found;
      const again = (error: PageError) => signInAnswer(tx, guest, request, state, { error: { ...error, way: null } });
      if (asked.state === 'refused') return again({ reason: 'sponsor_refused' });
      if ((state.terms ?? null) !== termsHash(published.content.page, locale))
        return again({ reason: 'terms_changed' });
      const { arrival, visit: visitId } = state;
      const attempt = { site, form: { request: asked.id }, now, provenHash: null, way: 'sponsor' as const };
      const { gateway } = guest.row;
      const done = await signIn.signIn(tx, { ...attempt, published, gateway, arrival, locale, visitId });
      if (done instanceof Refused) return again(done.error);
      return { to: `${path(guest, 'go')}?s=${ref(guest, { session: done.sessionId, arrival })}` };
    },

    /** The host's page: shows the open requests, or takes the answer to one. */
    async sponsor(
      tx: Tx,
      guest: GuestSite,
      { token, answer, id }: { token: string; answer: string; id: string },
      request: GuestRequest,
    ): Promise<PageAnswer> {
      const frame = frameOf(guest, request, null, null);
      const open = await requestsOfToken(tx, guest.site, token, request.now);
      const listed = open.find((one) => one.id === id);
      const locked = listed && (await sponsorRequest(tx, guest.site, id));
      const asked = locked?.state === 'asked' ? listed : undefined;
      const given = answer === 'approved' || answer === 'refused' ? answer : null;
      const outcome = asked ? given : null;
      if (asked && outcome) await answerRequest(tx, asked, outcome);
      const requests = open.filter((one) => one !== listed || (asked && !outcome));
      const isOver = id === '' ? open.length === 0 : !asked;
      const shown = { requests, action: path(guest, 'sponsor'), token };
      return { page: sponsorPage(frame, { ...shown, outcome: isOver ? 'over' : outcome }) };
    },
  };
}
