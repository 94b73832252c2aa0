import { html } from '../../html.ts';
import { input, type MethodForm } from '../method-form.ts';
import { sponsorText } from './text.ts';

export const sponsorForm: MethodForm = {
  kept: ['guest', 'sponsor'],
  fields({ frame, typed, error, wrong, focus }) {
    const { locale } = frame;
    const isOfName = error?.reason === 'guest_name';
    const [ofName, ofHost] = isOfName ? [html`${wrong}${focus}`, html``] : [html``, html`${wrong}${focus}`];
    const guest = html`autocomplete="name"${ofName}`;
    const host = html`type="email" inputmode="email" autocomplete="off" autocapitalize="none" spellcheck="false"${ofHost}`;
    return html`${input('sponsor', 'guest', sponsorText(locale, 'guest_name'), guest, typed.guest)}
${input('sponsor', 'sponsor', sponsorText(locale, 'host_address'), host, typed.sponsor)}<button name="step" value="ask">${sponsorText(locale, 'ask')}</button>`;
  },
};
