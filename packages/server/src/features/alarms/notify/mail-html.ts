import type { AlarmLevel, Locale } from '@yunxun/contract';
import { messageByKey } from '@yunxun/contract/messages';
import { escapeHtml } from '@yunxun/portal';
import { font, ink, mailFrame, quiet } from '../../../platform/mail-frame.ts';
import { factsOf, linkOf, maxLines, textOf, whatText } from './compose.ts';
import type { Content, Item } from './tables.ts';

/** Shape, and colour with a contrast above 4.5 on white: as on the screens. */
const looks: Record<AlarmLevel, { sign: string; color: string }> = {
  FATAL: { sign: '\u25B2', color: '#b3261e' },
  MIDDLE: { sign: '\u25C6', color: '#8a5a00' },
  GENERAL: { sign: '\u25CF', color: '#37558c' },
};

/** Makes the mail of a notice; the same alarms as its text. */
export function noticeHtml(content: Content, locale: Locale, publicUrl: string): string {
  const { test, subscription, account, items, total, zone } = content;
  const { subject, text } = textOf(content, locale, publicUrl);
  const say = (key: string, params: Record<string, string | number> = {}) => messageByKey(locale, key, params);
  const shown = test ? [] : items.slice(0, maxLines);
  const rest = test ? 0 : total - shown.length;
  return mailFrame({
    locale,
    title: subject,
    subtitle: account.name,
    rows: [
      ...(test ? [row(paragraph(text, ink))] : []),
      ...shown.map((item) => row(alarmOf(item, locale, zone, publicUrl))),
      ...(rest > 0 ? [row(paragraph(say('notice.more', { n: rest }), quiet))] : []),
    ],
    link: { url: `${publicUrl}/alarm`, text: say('notice.open') },
    reason: say('notice.reason', { name: subscription.name }),
  });
}

function alarmOf(item: Item, locale: Locale, zone: string, publicUrl: string): string {
  const { sign, color } = looks[item.level];
  const word = messageByKey(locale, `notice.level_${item.level}`);
  const level = `<span style="${font};color:${color};font-size:13px;font-weight:bold">${sign}&nbsp;${escapeHtml(word)}</span>`;
  const link = `<a href="${escapeHtml(linkOf(publicUrl, item))}" style="${font};${ink};font-size:14px">${escapeHtml(whatText(locale, item))}</a>`;
  return `${level}<br>${link}${factsOf(locale, item, zone)
    .map((fact) => paragraph(fact, quiet))
    .join('')}`;
}

const row = (html: string) => `<tr><td style="padding:8px 24px">${html}</td></tr>`;
const paragraph = (text: string, color: string) =>
  `<p style="${font};${color};margin:0;font-size:13px;line-height:20px">${escapeHtml(text)}</p>`;
