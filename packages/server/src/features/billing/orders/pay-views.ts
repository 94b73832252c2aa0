import { createHash } from 'node:crypto';
import type { Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { renderSVG } from 'uqr';
import { yuan } from '../service.ts';
import type { Order } from './order-kind.ts';
import type { BridgeRequest } from './payment-provider.ts';

export type PayText = (key: string, params?: Readonly<Record<string, string | number>>) => string;

export const payTextIn =
  (locale: Locale): PayText =>
  (key, params) =>
    messageByKey(locale, `pay.${key}`, params);

export interface PayPage {
  html: string;
  scripts?: readonly string[];
}

interface Shown {
  text: PayText;
  locale: Locale;
  order: Order;
}

export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
export const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escaped(line)}</p>`).join('\n');

const buttonStyle =
  'display:inline-block;box-sizing:border-box;font:inherit;min-height:44px;padding:.6rem 1.5rem;border:1px solid;border-radius:.5rem;color:inherit;background:none;text-decoration:none;cursor:pointer';
export const mainStyle = `${buttonStyle};background:#0a7d3e;border-color:#0a7d3e;color:#fff`;
const link = (href: string, label: string, style = buttonStyle) =>
  `<p><a href="${escaped(href)}" referrerpolicy="origin" style="${style}">${escaped(label)}</a></p>`;
const codeOf = (content: string) =>
  `<div style="max-width:18rem;margin:1rem 0;padding:.5rem;border-radius:.5rem;background:#fff">${renderSVG(content)}</div>`;
const about = ({ text, order }: Shown) => [
  text('order', { no: order.orderNo }),
  text('amount', { yuan: yuan(order.fen) }),
];

export function payFrame(title: string, locale: string, body: string, refreshSeconds = 0): string {
  return `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${refreshSeconds ? `<meta http-equiv="refresh" content="${refreshSeconds}">` : ''}<title>${escaped(title)}</title>
<body style="font:16px/1.6 system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem">
<main><h1 style="font-size:1.4rem">${escaped(title)}</h1>
${body}
</main></body></html>`;
}

const scriptOf = (code: string) => ({
  tag: `<script>${code}</script>`,
  hash: `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
});

const copying = scriptOf(
  `var field=document.getElementById('address'),copy=document.getElementById('copy');copy.hidden=false;` +
    `copy.onclick=function(){var done=function(){copy.textContent=copy.getAttribute('data-done')};field.select();` +
    `if(document.execCommand('copy'))done();else if(navigator.clipboard)navigator.clipboard.writeText(field.value).then(done)}`,
);

const paying = scriptOf(
  `var asked=JSON.parse(document.getElementById('request').textContent);` +
    `function pay(){WeixinJSBridge.invoke('getBrandWCPayRequest',asked.request,function(answer){` +
    `if(answer.err_msg==='get_brand_wcpay_request:ok')location.replace(asked.back)})}` +
    `document.getElementById('pay').onclick=function(){if(window.WeixinJSBridge)pay()};` +
    `if(window.WeixinJSBridge)pay();else document.addEventListener('WeixinJSBridgeReady',pay,false)`,
);

export function qrPage(shown: Shown, code: string): PayPage {
  const { text, locale } = shown;
  return {
    html: payFrame(text('scan_title'), locale, `${paragraphs([...about(shown), text('scan')])}\n${codeOf(code)}`, 5),
  };
}

const openRefreshSeconds = 30;

export function openPage(
  shown: Shown,
  { address, here }: { address: string; here: { href: string; label: string } | null },
): PayPage {
  const { text, locale } = shown;
  const field = `<p><label for="address">${escaped(text('open_address'))}</label><br>
<textarea id="address" readonly rows="4" style="box-sizing:border-box;width:100%;font:14px/1.4 monospace;word-break:break-all">${escaped(address)}</textarea></p>
<p><button id="copy" hidden data-done="${escaped(text('open_copied'))}" style="${mainStyle}">${escaped(text('open_copy'))}</button></p>`;
  const body = [
    paragraphs([...about(shown), text('open_text')]),
    field,
    here ? link(here.href, here.label) : '',
    paragraphs([text('open_scan')]),
    codeOf(address),
    copying.tag,
  ];
  return {
    html: payFrame(text('open_title'), locale, body.join('\n'), openRefreshSeconds),
    scripts: [copying.hash],
  };
}

export function appPage(shown: Shown, { href, again }: { href: string; again: string }): PayPage {
  const { text, locale } = shown;
  const lines = paragraphs([...about(shown), text('app_text')]);
  return {
    html: payFrame(
      text('scan_title'),
      locale,
      `${lines}\n${link(href, text('app_open'), mainStyle)}\n${link(again, text('app_paid'))}`,
    ),
  };
}

export function bridgePage(shown: Shown, asked: { request: BridgeRequest; back: string }): PayPage {
  const { text, locale } = shown;
  const data = JSON.stringify(asked).replaceAll('<', '\\u003c');
  const body = [
    paragraphs(about(shown)),
    `<p><button id="pay" style="${mainStyle}">${escaped(text('bridge_pay'))}</button></p>`,
    `<script type="application/json" id="request">${data}</script>`,
    paying.tag,
  ];
  return { html: payFrame(text('scan_title'), locale, body.join('\n')), scripts: [paying.hash] };
}

export function sandboxPage(text: PayText, locale: string, order: Order | null): string {
  const isOpen = order?.state === 'incomplete' || order?.state === 'expired';
  const state = order ? text(`state.${order.state}`) : text('unknown');
  const lines = order
    ? [text('order', { no: order.orderNo }), text('amount', { yuan: yuan(order.fen) }), state]
    : [state];
  const warning = `<p style="background:#ffe9b0;color:#3d2c00;padding:.75rem;border-radius:.5rem"><strong>${escaped(text('warning'))}</strong></p>`;
  const pay = `<form method="post"><button style="font:inherit;min-height:44px;padding:0 1.5rem">${escaped(text('pay'))}</button></form>`;
  return payFrame(text('title'), locale, `${warning}\n${paragraphs(lines)}\n${isOpen ? pay : ''}`);
}
