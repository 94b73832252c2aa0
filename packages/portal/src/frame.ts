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
  if (minutes < 60) return pageText(locale, 'minutes', { minutes });
  return pageText(locale, 'hours_minutes', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

export const refresh = (seconds: number, next: string) =>
  html`<meta http-equiv="refresh" content="${seconds};url=${next}">`;

export function document(frame: Frame, heading: string, content: Markup, head: Markup = new Markup('')): string {
  const { locale, style } = frame;
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${heading}</title>${head}<link rel="stylesheet" href="${style}"></head>
<body>${bodyOf(frame, content)}</body></html>`.text;
}

export function bodyOf({ locale, otherLanguage }: Frame, content: Markup): Markup {
  const other = locale === 'en' ? 'zh-CN' : 'en';
  return html`<main>${content}
${otherLanguage !== null && html`<footer><a href="${otherLanguage}" lang="${other}" hreflang="${other}">${pageText(locale, 'other_language')}</a></footer>`}
</main>`;
}
