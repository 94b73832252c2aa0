import { html } from '../../html.ts';
import { pageText } from '../../texts.ts';
import { input, type MethodForm, submit } from '../method-form.ts';

export const passwordForm: MethodForm = {
  fields(context) {
    const label = pageText(context.frame.locale, 'field_password');
    const attributes = html`type="password" autocomplete="off"${context.wrong}${context.focus}`;
    return html`${input('password', 'password', label, attributes)}${submit(context)}`;
  },
};
