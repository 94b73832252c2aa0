import { html } from '../../html.ts';
import { input, type MethodForm } from '../method-form.ts';
import { sponsorText } from './text.ts';

export const sponsorForm: MethodForm = {
  kept: ['guest', 'sponsor'],
  fields({ frame, typed, wrong }) {
    const { locale } = frame;
    const guest = html`autocomplete="name"${wrong}`;
    const host = html`type="email" autocomplete="off"${wrong}`;
    return html`${input('sponsor', 'guest', sponsorText(locale, 'guest_name'), guest, typed.guest)}
${input('sponsor', 'sponsor', sponsorText(locale, 'host_address'), host, typed.sponsor)}<button name="step" value="ask">${sponsorText(locale, 'ask')}</button>`;
  },
};
