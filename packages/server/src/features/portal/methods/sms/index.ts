import { isMobile, typedMobile, typedText } from '@yunxun/contract/typed-text';
import { Refused } from '../../refused.ts';
import { deviceKeyOf } from '../../source.ts';
import type { Method } from '../method.ts';
import { guessAt, lockIdentity, plain } from '../proof.ts';
import { codeOnItsWay, takeSms } from './codes.ts';
import { createSmsPages } from './pages.ts';

export const sms: Method<'sms'> = {
  async prove({ secrets }, tx, { site, form, now, deviceKey }, method) {
    const phone = typedMobile(form.phone ?? '');
    if (!isMobile(phone)) throw new Refused('phone_invalid');
    if (!(await takeSms({ secrets }, tx, site, { phone, code: typedText(form.code ?? ''), deviceKey, now })))
      throw new Refused('code_wrong');
    const identityHash = secrets.hash(site.accountId, 'phone', phone);
    await lockIdentity(tx, identityHash);
    return { ...plain(method), identity: `${phone.slice(0, 3)}****${phone.slice(-4)}`, identityHash, whole: phone };
  },
  renews: true,
  act: ({ step }) => (step === 'send' ? 'codes' : undefined),
  wrong: ['code_wrong'],
  guess: async (guessing, { step }) => (step === 'send' ? null : guessAt(guessing, 'sms')),
  typed: ({ phone = '' }) => typedMobile(phone),
  hashesOf(secrets, accountId, text) {
    const phone = typedMobile(text);
    return isMobile(phone) ? [secrets.hash(accountId, 'phone', phone)] : [];
  },
  sends: 'sms',
  pages: createSmsPages,
  async data({ secrets, outbox }, tx, { guest: { site }, state: { arrival }, request: { now } }) {
    const minutes = await codeOnItsWay(tx, site, deviceKeyOf(secrets, site, arrival), now);
    return { codeSent: minutes === null ? null : { phone: '', minutes }, toFile: await outbox.toFile('sms') };
  },
};
