import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { html, type Markup } from '@yunxun/portal';
import type { Order } from '../orders/order-kind.ts';
import { mainStyle, payFrame } from '../orders/pay-views.ts';
import { yuan } from '../service.ts';
import { maskEmail } from './store.ts';
import type { Buyer, Fapiao } from './tables.ts';

export const guestFields = ['name', 'tax_no', 'email'] as const;
export type GuestField = (typeof guestFields)[number];
export type FieldErrors = Partial<Record<GuestField, string>>;

export interface GuestForm {
  typed: Buyer;
  errors: FieldErrors;
}

interface Shown {
  locale: Locale;
  /** Same page in the other language. */
  other: string;
  order: Order;
}

type FapiaoText = (key: string, params?: Readonly<Record<string, string | number>>) => string;
const textIn =
  (locale: Locale): FapiaoText =>
  (key, params) =>
    messageByKey(locale, `fapiao.${key}`, params);

const boxStyle = 'padding:.75rem;border-radius:.5rem';
const warnStyle = `background:#ffe9b0;color:#3d2c00;${boxStyle}`;
const errorStyle = 'margin:.25rem 0;padding-left:.5rem;border-left:4px solid #d32f2f;font-weight:600';
const inputStyle =
  'display:block;box-sizing:border-box;width:100%;min-height:44px;padding:.5rem;font:inherit;border:1px solid #767676;border-radius:.5rem';
const autoComplete = { name: 'organization', tax_no: 'off', email: 'email' } as const;
const longest = { name: 100, tax_no: 40, email: 254 } as const;

function frame({ locale, other }: Shown, content: Markup, title: 'title' | 'invoice' = 'title'): string {
  const text = textIn(locale);
  const [label, lang] = locale === 'en' ? ['中文', 'zh-CN'] : ['English', 'en'];
  return payFrame(
    text(title),
    locale,
    html`${content}
<p><a href="${other}" lang="${lang}" hreflang="${lang}" style="color:inherit">${label}</a></p>`.text,
  );
}

const orderLines = (text: FapiaoText, order: Order, fen: number): Markup =>
  html`<p>${text('order', { no: order.orderNo })}<br>${text('amount', { yuan: yuan(fen) })}</p>`;

export function notPossiblePage(shown: Shown, why: 'unpaid' | 'refunded' | 'over'): string {
  const text = textIn(shown.locale);
  return frame(shown, html`${orderLines(text, shown.order, shown.order.fen)}<p>${text(why)}</p>`);
}

function kindInput(text: FapiaoText, kind: Buyer['kind'], chosen: Buyer['kind']): Markup {
  return html`<label style="display:block;min-height:44px"><input type="radio" name="kind" value="${kind}"${kind === chosen && html` checked`}> ${text(kind)}</label>`;
}

function field(text: FapiaoText, name: GuestField, { typed, errors }: GuestForm): Markup {
  const error = errors[name];
  const note = error === undefined ? `${name}-hint` : `${name}-error`;
  return html`<div style="margin:1rem 0"><label for="${name}">${text(name)}</label>
<input id="${name}" name="${name}" value="${typed[name]}" maxlength="${longest[name]}" autocomplete="${autoComplete[name]}"${name === 'email' && html` inputmode="email"`} aria-describedby="${note}"${error !== undefined && html` aria-invalid="true"`} style="${inputStyle}">
${error === undefined ? html`<small id="${note}">${text(`${name}_hint`)}</small>` : html`<p id="${note}" role="alert" style="${errorStyle}">${error}</p>`}</div>`;
}

export function formPage(shown: Shown, fen: number, form: GuestForm, reason: string | null): string {
  const text = textIn(shown.locale);
  const { kind } = form.typed;
  return frame(
    shown,
    html`${orderLines(text, shown.order, fen)}
${reason !== null && html`<p style="${warnStyle}">${text('failed', { reason })}</p>`}
<form method="post"><fieldset style="border:1px solid #767676;border-radius:.5rem"><legend>${text('kind')}</legend>
${kindInput(text, 'person', kind)}${kindInput(text, 'company', kind)}</fieldset>
${field(text, 'name', form)}${field(text, 'tax_no', form)}${field(text, 'email', form)}
<p><small>${text('privacy')}</small></p>
<button style="${mainStyle}">${text('ask')}</button></form>`,
  );
}

function facts(text: FapiaoText, rows: readonly (readonly [string, string | null])[]): Markup {
  return html`<dl>${rows.map(([key, value]) => value && html`<dt><small>${text(`fact_${key}`)}</small></dt><dd style="margin:0 0 .5rem;overflow-wrap:anywhere">${value}</dd>`)}</dl>`;
}

function invoiceOf(text: FapiaoText, row: Fapiao): Markup {
  const { buyer, seller, state, number, issued_on, fen, tax_fen, issuer, url, reason } = row;
  return html`<section><h2 style="font-size:1.1rem">${text(`state_${state}`)}</h2>
${issuer === 'sandbox' && html`<p style="${warnStyle}"><strong>${text('sandbox')}</strong></p>`}
${facts(text, [
  ['number', number],
  ['issued_on', issued_on],
  ['name', buyer.name],
  ['tax_no', buyer.tax_no],
  ['seller', seller.name],
  ['seller_tax_no', seller.tax_no],
  ['goods', `${seller.goods_name} (${seller.goods_code})`],
  ['amount', yuan(fen)],
  ['net', yuan(fen - tax_fen)],
  ['tax', `${yuan(tax_fen)} (${seller.rate}%)`],
  ['email', maskEmail(buyer.email)],
  ['reason', state === 'failed' ? reason : null],
])}
${url !== null && html`<p><a href="${url}" style="color:inherit">${text('open')}</a></p>`}</section>`;
}

export function statePage(shown: Shown, rows: readonly Fapiao[]): string {
  const text = textIn(shown.locale);
  const [newest] = rows;
  return frame(
    shown,
    html`<p>${text('order', { no: shown.order.orderNo })}</p>
${newest?.state === 'asked' && html`<p role="status">${text('asked', { email: maskEmail(newest.buyer.email) })}</p>`}
${rows.map((row) => invoiceOf(text, row))}`,
    'invoice',
  );
}
