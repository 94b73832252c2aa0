import type { PackageTerms } from '@yunxun/contract';
import { paymentName } from '@yunxun/contract/payment-fields';
import { dataSize, type Frame, span } from '../../frame.ts';
import { html, type Markup } from '../../html.ts';
import { pageText } from '../../texts.ts';
import { codeInput, type MethodForm, optionalInput } from '../method-form.ts';
import { purchaseText } from './text.ts';

export interface Shop {
  /** Cheapest first. */
  offers: readonly { id: string; name: string; price: string; terms: PackageTerms }[];
  methods: readonly string[];
  /** Package that this device has bought and can use. */
  earlier: string | null;
}

function termsText({ locale }: Frame, { minutes, bytes, devices, down_kbps: speed, valid_days: days }: PackageTerms) {
  return [
    span(locale, minutes > 0 ? minutes : days * 1440),
    ...(bytes > 0 ? [dataSize(locale, bytes)] : []),
    ...(speed > 0 ? [purchaseText(locale, 'speed', { mbps: Math.round(speed / 100) / 10 })] : []),
    purchaseText(locale, devices === 1 ? 'for_device' : 'for_devices', { devices }),
  ].join(' · ');
}

/** A row whose whole area chooses. */
function choice(name: 'package' | 'pay', value: string, content: Markup, checked: boolean): Markup {
  const id = `${name}-${value}`;
  return html`<label class="pick" for="${id}"><input type="radio" id="${id}" name="${name}" value="${value}" required${checked && html` checked`}><span class="row">${content}</span></label>`;
}

export const purchaseForm: MethodForm<Shop> = {
  kept: ['package', 'pay', 'coupon'],
  preview: { offers: [], methods: [], earlier: null },
  hint: (locale, { offers: [cheapest] }) => (cheapest ? purchaseText(locale, 'from', { price: cheapest.price }) : null),
  isBegun: ({ earlier }) => earlier !== null,
  fields({ frame, typed, error, wrong, focus }, { offers, methods, earlier }) {
    const { locale } = frame;
    const resume =
      earlier !== null &&
      html`<p role="status">${purchaseText(locale, 'bought_before', { name: earlier })}</p><button name="step" value="resume" formnovalidate>${pageText(locale, 'connect')}</button>`;
    if (offers.length === 0 || methods.length === 0)
      return html`${resume}<p>${purchaseText(locale, 'nothing_on_sale')}</p>`;
    const isOfCoupon = error?.reason.startsWith('coupon_') ?? false;
    const coupon = html`${codeInput}${isOfCoupon && html`${wrong}${focus}`}`;
    return html`${resume}<fieldset role="radiogroup"${!isOfCoupon && wrong}><legend>${purchaseText(locale, 'choose_package')}</legend>
${offers.map(({ id, name, price, terms }) => choice('package', id, html`<b>${name}</b> <b class="price">¥${price}</b> <span class="soft">${termsText(frame, terms)}</span>`, offers.length === 1 || typed.package === id))}</fieldset>
<fieldset role="radiogroup"><legend>${purchaseText(locale, 'choose_payment')}</legend>
${methods.map((name) => choice('pay', name, html`<b>${paymentName(locale, name) ?? purchaseText(locale, 'pay_other')}</b>`, methods.length === 1 || typed.pay === name))}</fieldset>
${optionalInput('purchase', 'coupon', purchaseText(locale, 'coupon'), coupon, typed.coupon)}
<button name="step" value="buy"${earlier !== null && html` class="second"`}>${purchaseText(locale, 'buy')}</button>`;
  },
};
