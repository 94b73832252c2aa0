import { typedCode } from '../../../platform/crypto/codes.ts';
import { Refused } from '../refused.ts';
import { boughtProof } from './bought.ts';
import type { Method } from './method.ts';
import { guessAt } from './proof.ts';

export const rechargeCard: Method<'recharge_card'> = {
  async prove({ secrets, goods }, tx, { site, form, now }, method) {
    const redeemed = await goods.redeemCard(tx, { ...site, code: form.card ?? '', now });
    if ('refused' in redeemed) throw new Refused(redeemed.refused);
    const { entitlement, tail } = redeemed;
    return boughtProof(tx, { secrets }, site, method, { identity: `…${tail}`, entitlement });
  },
  wrong: ['card_unknown'],
  typed: ({ card = '' }) => typedCode(card),
  guess: (guessing) => guessAt(guessing, 'recharge_card', { kind: 'prepaid', name: 'cards' }),
};
