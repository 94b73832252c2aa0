import type { Locale, RemoteEndReason } from '@yunxun/contract';
import { type MessageKey, message, messageByKey } from '@yunxun/contract/messages';
import { html, type Markup } from '@yunxun/portal';

/** Below it, names of a session answer for themselves and not for the device. */
export const reserved = '/.yunxun/';
export const paths = {
  style: `${reserved}frame.css`,
  script: `${reserved}frame.js`,
  enter: `${reserved}enter`,
  state: `${reserved}state`,
  end: `${reserved}end`,
} as const;

export type Notice = 'unreachable' | 'slow' | 'other_port' | 'elsewhere' | 'busy';

function page(locale: Locale, title: string, body: Markup, head: Markup | null = null): string {
  return html`<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><link rel="stylesheet" href="${paths.style}">${head}</head><body>${body}</body></html>`
    .text;
}

export interface FrameFacts {
  target: string;
  address: string;
  minutes: number;
  source: string;
  /** Null for a guest. */
  console: string | null;
}

export function framePage(locale: Locale, { target, address, minutes, source, console }: FrameFacts): string {
  const title = message(locale, 'remotePage.frame', { target });
  // a page may leave the frame only by its person's hand
  const sandbox =
    'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads allow-popups allow-top-navigation-by-user-activation';
  return page(
    locale,
    title,
    html`<header><strong>${target}</strong><code>${address}</code><small>${message(locale, 'remotePage.of_device')}</small><span id="left" role="status">${message(locale, 'remotePage.left', { minutes })}</span><button id="reload" type="button">${message(locale, 'remotePage.reload')}</button>${console && html`<a href="${console}">${message(locale, 'remotePage.console')}</a>`}<form method="post" action="${paths.end}"><button class="danger">${message(locale, 'remotePage.end')}</button></form></header><iframe id="page" title="${title}" sandbox="${sandbox}" allow="fullscreen" src="${source}"></iframe>`,
    html`<script src="${paths.script}" defer></script>`,
  );
}

export function noticePage(locale: Locale, notice: Notice, params: Readonly<Record<string, string>> = {}): string {
  const title = messageByKey(locale, `remotePage.${notice}_title` satisfies MessageKey);
  return page(
    locale,
    title,
    html`<main><h1>${title}</h1><p>${messageByKey(locale, `remotePage.${notice}` satisfies MessageKey, params)}</p></main>`,
  );
}

/** Reasons that end a session whose page is shown. */
const shownReasons = [
  'closed',
  'by_person',
  'idle',
  'too_long',
  'no_rights',
  'revoked',
  'switched_off',
  'unbound',
  'process',
] as const;

export interface OverFacts {
  /** Null for a browser that has not proven that it is one of the session's. */
  reason: RemoteEndReason | null;
  /** `anyone`: who looks is not known. */
  who: 'member' | 'guest' | 'anyone';
  console: string;
}

export function overPage(locale: Locale, { reason, who, console }: OverFacts): string {
  const title = message(locale, 'remotePage.over_title');
  const known = shownReasons.find((one) => one === reason);
  const why = known ? html`<p>${messageByKey(locale, `remotePage.end_${known}` satisfies MessageKey)}</p>` : null;
  const next = messageByKey(locale, `remotePage.over_${who}` satisfies MessageKey);
  // the notice may stand in the frame
  const way =
    who === 'guest'
      ? null
      : html`<p><a href="${console}" target="_top">${message(locale, 'remotePage.over_console')}</a></p>`;
  return page(locale, title, html`<main><h1>${title}</h1>${why}<p>${next}</p>${way}</main>`);
}

export const frameStyle = `:root{color-scheme:light dark;--paper:#fff;--ink:#1c2330;--dim:#5b6472;--line:#d9dee6;--danger:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#161b22;--ink:#e6eaf0;--dim:#9aa4b2;--line:#2c3440;--danger:#ff8a80}}
*{box-sizing:border-box}html,body{height:100%;margin:0}
body{display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
header{display:flex;flex-wrap:wrap;align-items:center;gap:4px 12px;padding:6px 12px;border-bottom:1px solid var(--line)}
header small,header code,#left{color:var(--dim)}#left{margin-left:auto}header form{margin:0}
button,a{display:inline-block;min-height:32px;padding:4px 10px;border:1px solid var(--line);border-radius:6px;background:none;color:inherit;font:inherit;text-decoration:none;cursor:pointer}
.danger{color:var(--danger)}iframe{flex:1;width:100%;border:0;background:#fff}
@media (max-width:600px){header small{display:none}}
main{max-width:36rem;margin:15vh auto 0;padding:0 16px}h1{font-size:20px}p{overflow-wrap:anywhere}`;

export const frameScript = `const left=document.getElementById('left'),page=document.getElementById('page');
document.getElementById('reload').addEventListener('click',()=>{page.src=page.src.replace(/^(https?:\\/\\/[^/]+).*$/,'$1/');});
const look=async()=>{const answer=await fetch('${paths.state}',{cache:'no-store'}).catch(()=>null);if(!answer)return;if(answer.ok)left.textContent=(await answer.json()).left;else location.reload();};
setInterval(()=>void look(),15000);`;
