import { typedCode } from '../../../../platform/crypto/codes.ts';
import { Refused } from '../../refused.ts';
import { deviceKeyOf } from '../../source.ts';
import { boughtProof } from '../bought.ts';
import type { Method } from '../method.ts';
import { guessAt } from '../proof.ts';
import { createPurchasePages } from './pages.ts';

const resumes = (step: string | undefined) => step === 'resume';

export const purchase: Method<'purchase'> = {
  /** Reached by a sealed address or a verified device only. */
  async prove({ secrets, goods }, tx, { site, form, now }, method) {
    const got = await goods.purchases.bought(tx, site, form.bought ?? '');
    if (typeof got === 'string') throw new Refused('unpaid');
    if (got.entitlement.ends_at <= now) throw new Refused('purchase_over');
    return boughtProof(tx, { secrets }, site, method, { identity: got.name, entitlement: got.entitlement });
  },
  act: ({ step }) => (resumes(step) ? null : 'purchases'),
  wrong: ['coupon_unknown'],
  guess: async (guessing, { step, coupon = '' }) =>
    resumes(step) || typedCode(coupon) === '' ? null : guessAt(guessing, 'purchase'),
  pages: createPurchasePages,
  async data({ secrets, goods: { purchases } }, tx, { guest, state: { arrival }, request: { now } }) {
    const { site, published } = guest;
    const device = arrival.verified ? deviceKeyOf(secrets, site, arrival).toString('hex') : null;
    const earlier = device && (await purchases.boughtBy(tx, site, device, now));
    const { offers, methods } = await purchases.offers(tx, site);
    // as a sign-in with the package is limited
    const speed = published.content.methods.find(({ kind }) => kind === 'purchase')?.down_kbps ?? 0;
    const shown = offers.map(({ terms, ...offer }) => ({
      ...offer,
      terms: { ...terms, down_kbps: terms.down_kbps || speed },
    }));
    return { offers: shown, methods, earlier: earlier ? earlier.name : null };
  },
};
