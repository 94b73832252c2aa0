import { typedCode } from '../../../platform/crypto/codes.ts';
import { Refused } from '../refused.ts';
import { endOfVoucher, lockVoucher, useVoucher } from '../voucher-store.ts';
import type { Method } from './method.ts';
import { guessAt, plain } from './proof.ts';

const longest = 20;

export const voucher: Method<'voucher'> = {
  async prove({ secrets }, tx, { site, form, now }, method) {
    const code = typedCode(form.voucher ?? '');
    const identityHash = secrets.hash(site.accountId, 'voucher', code);
    const found = await lockVoucher(tx, site, identityHash);
    if (!found) throw new Refused('voucher_unknown');
    if (found.voided_at) throw new Refused('voucher_void');
    const { first_used_at: used, minutes, devices } = found;
    const end = endOfVoucher(found);
    if (end && end <= now) throw new Refused('voucher_expired');
    const until = used ? end : null;
    return { ...plain(method), identity: `…${code.slice(-3)}`, identityHash, minutes, devices, until };
  },
  wrong: ['voucher_unknown'],
  /** Codes of another length hit nothing of a batch. */
  guess(guessing, { voucher: code = '' }) {
    const name = String(Math.min(longest, typedCode(code).length));
    return guessAt(guessing, 'voucher', { kind: 'prepaid', name });
  },
  typed: ({ voucher: code = '' }) => typedCode(code),
  hashesOf: (secrets, accountId, text) => [secrets.hash(accountId, 'voucher', typedCode(text))],
  began: useVoucher,
};
