import { html } from '../../html.ts';
import { codeInput, input, type MethodForm, submit } from '../method-form.ts';
import { rechargeCardText } from './text.ts';

export const rechargeCardForm: MethodForm = {
  kept: ['card'],
  fields(context) {
    const label = rechargeCardText(context.frame.locale, 'code');
    const attributes = html`${codeInput}${context.wrong}${context.focus}`;
    return html`${input('recharge_card', 'card', label, attributes, context.typed.card)}${submit(context)}`;
  },
};
