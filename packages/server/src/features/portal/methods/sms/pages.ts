import { limits } from '@yunxun/contract';
import { typedMobile } from '@yunxun/contract/typed-text';
import { dayStartOf } from '../../day-start.ts';
import type { PageFrame } from '../../page-frame.ts';
import { triedOf } from '../../reception/tried.ts';
import { Refused } from '../../refused.ts';
import { deviceKeyOf, sourceOf } from '../../source.ts';
import { changeVisit } from '../../visit-store.ts';
import type { MethodDeps, MethodPages, Step } from '../method.ts';
import { sendSms } from './codes.ts';

export function createSmsPages({ secrets, sms, outbox }: MethodDeps, { signInAnswer }: PageFrame): MethodPages {
  const sendCode: Step = async (tx, guest, form, request, state) => {
    const { site } = guest;
    const phone = typedMobile(form.phone ?? '');
    const { now, ip, locale } = request;
    try {
      const dayStart = await dayStartOf(tx, site.accountId, now);
      const source = sourceOf(secrets, site, state.arrival, ip);
      const deviceKey = deviceKeyOf(secrets, site, state.arrival);
      await sendSms({ secrets, sms }, tx, site, { phone, source, deviceKey, locale, now, dayStart });
      const codeSent = { phone, minutes: limits.codeMinutes };
      const data = { sms: { codeSent, toFile: await outbox.toFile('sms') } };
      return { answer: await signInAnswer(tx, guest, request, state, { data }), refused: null };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const tried = triedOf(secrets, site.accountId, 'sms', phone, now);
      await changeVisit(tx, site, state.visit, { tried_at: now, failure: error.error.reason }, tried);
      const given = { error: { ...error.error, way: 'sms' as const }, typed: { phone } };
      return { answer: await signInAnswer(tx, guest, request, state, given), refused: error };
    }
  };

  return { before: (...asked) => (asked[2].step === 'send' ? sendCode(...asked) : null) };
}
