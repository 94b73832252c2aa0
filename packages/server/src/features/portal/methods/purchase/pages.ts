import { type PageError, paymentPage, type Receipt, type SignIn } from '@yunxun/portal';
import { typedCode } from '../../../../platform/crypto/codes.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { Failure, Invalid } from '../../../../platform/failure.ts';
import { yuan } from '../../../billing/index.ts';
import type { GuestRequest, GuestSite, PageFrame, PageState, SessionRef } from '../../page-frame.ts';
import { payPassOf } from '../../payments/pay-pass.ts';
import { Refused } from '../../refused.ts';
import { boughtSession } from '../../session-store.ts';
import { deviceKeyOf } from '../../source.ts';
import { termsHash } from '../../terms-store.ts';
import { typedOf } from '../../typed.ts';
import { changeVisit } from '../../visit-store.ts';
import type { MethodDeps, MethodPages, ShowPage, Step } from '../method.ts';

interface BoughtRef {
  /** Key of the order. */
  bought: string;
  state: PageState;
  /** Milliseconds. */
  until: number;
}

/** Seconds. */
const askEvery = 3;
const backMs = 3 * 3_600_000;

export function createPurchasePages(
  { secrets, goods: { purchases } }: MethodDeps,
  { path, frameOf, signInAnswer, failed, tooOld, enter }: PageFrame,
): MethodPages {
  const deviceOf = (guest: GuestSite, { arrival }: PageState) =>
    deviceKeyOf(secrets, guest.site, arrival).toString('hex');

  const enterWith = (
    tx: Tx,
    guest: GuestSite,
    request: GuestRequest,
    state: PageState,
    key: string,
    receipt?: Receipt,
  ) => enter(tx, guest, request, state, { way: 'purchase', form: { bought: key }, ...(receipt && { receipt }) });

  /** Returns the page's path on this origin, which the gateway lets guests reach. */
  const pathOf = (payUrl: string) => {
    const { pathname, search } = new URL(payUrl);
    return pathname + search;
  };

  const buy: Step = async (tx, guest, form, request, state) => {
    const { site } = guest;
    const { now, origin } = request;
    try {
      if (form.step === 'resume') {
        const earlier = state.arrival.verified ? await purchases.boughtBy(tx, site, deviceOf(guest, state), now) : null;
        if (!earlier) throw new Refused('state_old');
        const done = await enterWith(tx, guest, request, state, earlier.key);
        if (done instanceof Refused) throw done;
        return { answer: done, refused: null };
      }
      const { package: packageId = '', pay: method = '' } = form;
      const coupon = typedCode(form.coupon ?? '');
      const device = deviceOf(guest, state);
      const key = `portal:${device}:${state.at}:${packageId}:${method}:${coupon}`;
      const sealed = secrets.sealState(guest.key, {
        bought: key,
        state,
        until: now.getTime() + backMs,
      } satisfies BoughtRef);
      const back = `${path(guest, 'bought')}?lang=${request.locale}&s=${sealed}`;
      const asked = { packageId, method, device, key, coupon, returnUrl: `${origin}${back}` };
      const done = await purchases.buy(tx, site, asked);
      if ('refused' in done) throw new Refused(done.refused, { yuan: yuan(done.minFen ?? 0) });
      const { payUrl } = done;
      const { mac, verified } = state.arrival;
      const payer = { key: deviceKeyOf(secrets, site, state.arrival), mac, verified };
      const pass = payUrl && done.leaves ? await payPassOf(tx, guest, payer, done, now) : null;
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: null });
      if (!payUrl) return { answer: { to: back }, refused: null };
      // no redirect: the page's policy forbids forms that end on another origin
      const sent = paymentPage(frameOf(guest, request, null, null), { seconds: 0, next: pathOf(payUrl) });
      return { answer: { page: sent }, refused: null, pass };
    } catch (error) {
      const refused = error instanceof Failure || error instanceof Invalid ? new Refused('not_on_sale') : error;
      if (!(refused instanceof Refused)) throw error;
      const tried = { at: now, way: 'purchase', subject: null };
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: refused.error.reason }, tried);
      const given: Partial<SignIn> = { error: { ...refused.error, way: 'purchase' }, typed: typedOf(form) };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused };
    }
  };

  const paid: ShowPage = async (tx, guest, { s: sealed = '' }, request) => {
    const found = secrets.openState(guest.key, sealed) as BoughtRef | null;
    const { now, locale } = request;
    if (!found?.bought || found.until <= now.getTime()) return tooOld(guest, request);
    const { bought: key, state } = found;
    const { arrival } = state;
    const got = await purchases.bought(tx, guest.site, key);
    if (got === 'incomplete') {
      const next = `${path(guest, 'bought')}?lang=${request.locale}&s=${sealed}`;
      return { page: paymentPage(frameOf(guest, request, null, null), { seconds: askEvery, next }) };
    }
    if (typeof got === 'string') return failed(guest, request, { reason: 'unpaid' });
    const again = (error: PageError) => signInAnswer(tx, guest, request, state, { error: { ...error, way: null } });
    if ((state.terms ?? null) !== termsHash(guest.published.content.page, request.locale))
      return again({ reason: 'terms_changed' });
    const receipt = { order: got.orderNo, name: got.name, yuan: got.price };
    const known = await boughtSession(
      tx,
      guest.site,
      deviceKeyOf(secrets, guest.site, arrival),
      got.entitlement.id,
      now,
    );
    if (known) {
      const ref = { session: known.id, arrival, locale, receipt } satisfies SessionRef;
      return { to: `${path(guest, 'go')}?s=${secrets.sealState(guest.key, ref)}` };
    }
    const done = await enterWith(tx, guest, request, state, key, receipt);
    return done instanceof Refused ? again(done.error) : done;
  };

  return { submit: buy, pages: { bought: paid } };
}
