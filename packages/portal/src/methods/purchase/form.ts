import type { PackageTerms } from '@yunxun/contract';
import { paymentName } from '@yunxun/contract/payment-fields';
import { duration, type Frame } from '../../frame.ts';
import { html, type Markup } from '../../html.ts';
import { pageText } from '../../texts.ts';
import type { MethodForm } from '../method-form.ts';
import { purchaseText } from './text.ts';

export interface Shop {
  offers: readonly { id: string; name: string; price: string; terms: PackageTerms }[];
  methods: readonly string[];
  /** Package that this device has bought and can use. */
  earlier: string | null;
}

function termsText({ locale }: Frame, { minutes, bytes, devices }: PackageTerms): string {
  const size = Math.round((bytes / 2 ** 30) * 100) / 100;
  return [
    minutes > 0 ? duration(locale, minutes * 60) : purchaseText(locale, 'no_time_limit'),
    ...(bytes > 0 ? [purchaseText(locale, 'gibibytes', { size })] : []),
    purchaseText(locale, 'for_devices', { devices }),
  ].join(' · ');
}

function choice(name: 'package' | 'pay', value: string, text: string, checked: boolean): Markup {
  const id = `${name}-${value}`;
  return html`<label for="${id}"><input type="radio" id="${id}" name="${name}" value="${value}" required${checked && html` checked`}> ${text}</label>`;
}

export const purchaseForm: MethodForm<Shop> = {
  preview: { offers: [], methods: [], earlier: null },
  fields({ frame, wrong }, { offers, methods, earlier }) {
    const { locale } = frame;
    const resume =
      earlier !== null &&
      html`<p role="status">${purchaseText(locale, 'bought_before', { name: earlier })}</p><button name="step" value="resume" formnovalidate>${pageText(locale, 'connect')}</button>`;
    if (offers.length === 0 || methods.length === 0)
      return html`${resume}<p>${purchaseText(locale, 'nothing_on_sale')}</p>`;
    return html`${resume}<fieldset${wrong}><legend>${purchaseText(locale, 'choose_package')}</legend>
${offers.map(({ id, name, price, terms }) => choice('package', id, `${name} · ¥${price} · ${termsText(frame, terms)}`, offers.length === 1))}</fieldset>
<fieldset><legend>${purchaseText(locale, 'choose_payment')}</legend>
${methods.map((name) => choice('pay', name, paymentName(locale, name) ?? purchaseText(locale, 'pay_other'), methods.length === 1))}</fieldset>
<label for="purchase-coupon">${purchaseText(locale, 'coupon')}</label><input id="purchase-coupon" name="coupon" maxlength="64" autocomplete="off" autocapitalize="characters" spellcheck="false">
<button name="step" value="buy"${earlier !== null && html` class="second"`}>${purchaseText(locale, 'buy')}</button>`;
  },
};
