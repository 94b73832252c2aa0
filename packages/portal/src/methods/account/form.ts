import { html } from '../../html.ts';
import { pageText } from '../../texts.ts';
import { input, type MethodForm, submit } from '../method-form.ts';
import { accountText } from './text.ts';

export const accountForm: MethodForm = {
  kept: ['name'],
  fields(context) {
    const { frame, typed, wrong, focus } = context;
    const name = html`autocomplete="username" autocapitalize="none" spellcheck="false"${wrong}`;
    const password = html`type="password" autocomplete="current-password"${wrong}${focus}`;
    return html`${input('account', 'name', accountText(frame.locale, 'account_name'), name, typed.name)}
${input('account', 'password', pageText(frame.locale, 'field_password'), password)}${submit(context)}`;
  },
};
