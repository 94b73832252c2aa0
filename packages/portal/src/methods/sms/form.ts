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
  fields(context, { codeSent, toFile }) {
    const { frame, typed, error, wrong } = context;
    const { locale } = frame;
    const asked = codeSent !== null || (error !== null && codeIsOut.has(error.reason));
    const isOfPhone = !asked || !codeIsOut.has(error?.reason ?? 'code_wrong');
    const phone = html`type="tel" inputmode="tel" autocomplete="tel-national"${isOfPhone ? wrong : html``}`;
    const phoneField = input('sms', 'phone', smsText(locale, 'phone'), phone, codeSent?.phone || typed.phone);
    if (!asked)
      return html`${toFile && html`<p>${smsText(locale, 'sms_to_file')}</p>`}${phoneField}<button name="step" value="send">${smsText(locale, 'send_code')}</button>`;
    const sent = toFile ? 'code_to_file' : 'code_sent';
    const code = html`inputmode="numeric" autocomplete="one-time-code"${isOfPhone ? html`` : wrong}`;
    return html`${codeSent && error?.way !== 'sms' && html`<p role="status">${smsText(locale, sent, { minutes: codeSent.minutes })}</p>`}${phoneField}
${input('sms', 'code', smsText(locale, 'code'), code)}${submit(context)}
<button class="second" name="step" value="send" formnovalidate>${smsText(locale, 'send_again')}</button>`;
  },
};
