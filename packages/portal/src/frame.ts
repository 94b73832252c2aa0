import type { PortalContent } from '@yunxun/contract';
import type { PageLocale, TextParams } from './catalogue.ts';
import { html, Markup } from './html.ts';
import { type PageText, type PortalError, pageText } from './texts.ts';

/** Addresses are paths on the portal's own origin. */
export interface Frame {
  locale: PageLocale;
  page: PortalContent['page'];
  style: string;
  picture(id: string): string;
  /** Null: none. */
  otherLanguage: string | null;
}

export interface PageError {
  reason: PortalError;
  params?: TextParams | undefined;
}

export function termsOf(page: PortalContent['page'], locale: PageLocale): { locale: PageLocale; text: string } | null {
  const shown = locale === 'en' && page.terms.en !== '' ? 'en' : 'zh-CN';
  const text = shown === 'en' ? page.terms.en : page.terms.zh;
  return text === '' ? null : { locale: shown, text };
}

export const textOf =
  ({ locale }: Frame) =>
  (key: PageText, params?: TextParams) =>
    pageText(locale, key, params);

export function own({ locale }: Frame, text: { zh: string; en: string }): string {
  return locale === 'en' && text.en !== '' ? text.en : text.zh;
}

export function title(frame: Frame): string {
  return own(frame, frame.page.title) || pageText(frame.locale, 'connect');
}

export function errorText(locale: PageLocale, { reason, params }: PageError): string {
  const seconds = params?.seconds;
  const shown = typeof seconds === 'number' ? { ...params, time: wait(locale, seconds) } : params;
  return pageText(locale, `error.${reason}`, shown);
}

function wait(locale: PageLocale, seconds: number): string {
  if (seconds <= 120) return pageText(locale, 'seconds', { seconds });
  return pageText(locale, 'minutes', { minutes: Math.ceil(seconds / 60) });
}

export function duration(locale: PageLocale, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes >= 2 * 1440) {
    const hours = Math.floor(minutes / 60);
    return pageText(locale, 'days_hours', { days: Math.floor(hours / 24), hours: hours % 24 });
  }
  if (minutes < 60) return pageText(locale, 'minutes', { minutes });
  const hours = Math.floor(minutes / 60);
  if (minutes % 60 === 0) return pageText(locale, 'hours', { hours });
  return pageText(locale, 'hours_minutes', { hours, minutes: minutes % 60 });
}

/** Is exact for whole hours and days, as offers are. */
export function span(locale: PageLocale, minutes: number): string {
  const days = minutes / 1440;
  if (Number.isInteger(days)) return pageText(locale, days === 1 ? 'one_day' : 'days', { days });
  const hours = minutes / 60;
  return Number.isInteger(hours) ? pageText(locale, 'hours', { hours }) : duration(locale, minutes * 60);
}

/** Rounds down: no guest may find less left than the page has shown. */
export function dataSize(locale: PageLocale, bytes: number): string {
  const size = (unit: number) => Math.floor((bytes / unit) * 100) / 100;
  if (bytes >= 2 ** 30) return pageText(locale, 'gibibytes', { size: size(2 ** 30) });
  return pageText(locale, 'mebibytes', { size: bytes >= 10 * 2 ** 20 ? Math.floor(bytes / 2 ** 20) : size(2 ** 20) });
}

export const refresh = (seconds: number, next: string) =>
  html`<meta http-equiv="refresh" content="${seconds};url=${next}">`;

const nothing = new Markup('');

export function banner({ page, picture }: Frame, name: Markup): Markup {
  return html`<header>${page.logo !== null && html`<img class="logo" src="${picture(page.logo)}" alt="">`}${name}</header>`;
}

/** Outside of a network there is no shop. */
function brand(frame: Frame): Markup {
  const name = own(frame, frame.page.title);
  return name === '' && frame.page.logo === null ? nothing : banner(frame, html`<p class="brand">${name}</p>`);
}

interface Parts {
  head?: Markup | undefined;
  lead?: Markup | undefined;
}

export function document(frame: Frame, heading: string, content: Markup, { head = nothing, lead }: Parts = {}): string {
  const { locale, style } = frame;
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading}</title>${head}<link rel="stylesheet" href="${style}"></head>
<body>${bodyOf(frame, content, lead)}</body></html>`.text;
}

export function bodyOf(frame: Frame, content: Markup, lead: Markup = brand(frame)): Markup {
  const { locale, otherLanguage } = frame;
  const other = locale === 'en' ? 'zh-CN' : 'en';
  return html`<main>${lead}<div class="content">${content}</div>
${otherLanguage !== null && html`<footer><a href="${otherLanguage}" lang="${other}" hreflang="${other}">${pageText(locale, 'other_language')}</a></footer>`}
</main>`;
}
