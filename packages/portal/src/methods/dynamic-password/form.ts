import { html } from '../../html.ts';
import { pageText } from '../../texts.ts';
import { codeInput, input, type MethodForm, submit } from '../method-form.ts';

export const dynamicPasswordForm: MethodForm = {
  fields(context) {
    const label = pageText(context.frame.locale, 'field_password');
    const attributes = html`${codeInput}${context.wrong}${context.focus}`;
    return html`${input('dynamic_password', 'password', label, attributes)}${submit(context)}`;
  },
};
