import { html } from '../../html.ts';
import { codeInput, input, type MethodForm, submit } from '../method-form.ts';
import { voucherText } from './text.ts';

export const voucherForm: MethodForm = {
  kept: ['voucher'],
  fields(context) {
    const label = voucherText(context.frame.locale, 'code');
    const attributes = html`${codeInput}${context.wrong}${context.focus}`;
    return html`${input('voucher', 'voucher', label, attributes, context.typed.voucher)}${submit(context)}`;
  },
};
