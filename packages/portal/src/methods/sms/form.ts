import { html } from '../../html.ts';
import type { PortalError } from '../../texts.ts';
import { input, type MethodForm, submit } from '../method-form.ts';
import { smsText } from './text.ts';

export interface SmsData {
  /** Still valid; the number is empty on a reopened page. */
  codeSent: { phone: string; minutes: number } | null;
  /** The installation has no SMS provider. */
  toFile: boolean;
}

/** Refusals after which an earlier code may still be typed. */
const codeIsOut: ReadonlySet<PortalError> = new Set(['code_wrong', 'code_wait', 'sms_quota']);

export const smsForm: MethodForm<SmsData> = {
  kept: ['phone'],
  preview: { codeSent: null, toFile: false },
  hint: (locale, { toFile }) => (toFile ? smsText(locale, 'hint_to_file') : null),
  isBegun: ({ codeSent }) => codeSent !== null,
  fields(context, { codeSent, toFile }) {
    const { frame, typed, error, wrong, focus } = context;
    const { locale } = frame;
    const asked = codeSent !== null || (error !== null && codeIsOut.has(error.reason));
    const isOfPhone = !asked || !codeIsOut.has(error?.reason ?? 'code_wrong');
    const known = codeSent?.phone || typed.phone || '';
    const phone = html`type="tel" inputmode="tel" autocomplete="tel-national"${isOfPhone && html`${wrong}${focus}`}`;
    const phoneField = input('sms', 'phone', smsText(locale, 'phone'), phone, known);
    if (!asked)
      return html`${toFile && html`<p>${smsText(locale, 'sms_to_file')}</p>`}${phoneField}<button name="step" value="send">${smsText(locale, 'send_code')}</button>`;
    const sent = toFile ? 'code_to_file' : 'code_sent';
    const isSent = codeSent !== null && error?.way !== 'sms';
    const own = isSent ? html` aria-describedby="sms-sent"${known !== '' && html` autofocus`}` : html``;
    const code = html`inputmode="numeric" autocomplete="one-time-code"${own}${!isOfPhone && html`${wrong}${focus}`}`;
    return html`${isSent && html`<p role="status" id="sms-sent">${smsText(locale, sent, { minutes: codeSent.minutes })}</p>`}${phoneField}
${input('sms', 'code', smsText(locale, 'code'), code)}${submit(context)}
<button class="second" name="step" value="send" formnovalidate>${smsText(locale, 'send_again')}</button>`;
  },
};
