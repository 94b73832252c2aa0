import { dataSize, document, duration, errorText, type Frame, type PageError, refresh, span, textOf } from './frame.ts';
import { html, type Markup } from './html.ts';

export interface Controls {
  base: string;
  /** Sealed session. */
  state: string;
  /** Null: not now. */
  extendMinutes: number | null;
  error: PageError | null;
}

/** On the network's clock. */
export interface OnlineEnd {
  /** A date is `2026-11-24`. */
  day: 'today' | 'tomorrow' | { date: string };
  /** `15:30`. */
  time: string;
}

export interface Online {
  /** Null: without limit. */
  secondsLeft: number | null;
  ends: OnlineEnd | null;
  /** Null: without limit, or the gateway reports no traffic. */
  bytesLeft: number | null;
  signOut: string | null;
  controls: Controls | null;
  jump: string | null;
  /** Sends the guest to `jump`. */
  goOn: boolean;
  receipt?: Receipt | undefined;
  /** Where to ask for the invoice of the receipt. */
  invoice?: string | null;
}

export interface Receipt {
  order: string;
  name: string;
  yuan: string;
}

/** Seconds for which the remaining time is shown before `jump`. */
const shownSeconds = 5;

export function onlinePage(frame: Frame, online: Online): string {
  const { secondsLeft, ends, bytesLeft, signOut, controls, jump, goOn, receipt, invoice = null } = online;
  const t = textOf(frame);
  const { locale } = frame;
  const site = jump && URL.canParse(jump) ? new URL(jump).host : null;
  return document(
    frame,
    t('online_title'),
    html`<p class="done" aria-hidden="true">✓</p><h1>${t('online_title')}</h1>
<div class="facts" role="status"><p><b>${secondsLeft === null ? t('unlimited') : t('remaining', { time: duration(locale, secondsLeft) })}</b></p>
${ends && html`<p>${endText(frame, ends)}</p>`}${bytesLeft !== null && html`<p>${t('data_left', { size: dataSize(locale, bytesLeft) })}</p>`}${receipt !== undefined && html`<p>${t('receipt', { ...receipt })}</p>`}</div>
${invoice !== null && html`<a class="button second" href="${invoice}">${t('invoice')}</a>`}
${site !== null && html`<a class="button" href="${jump}">${t('open_site', { site })}</a>`}
${controls && controlsForm(frame, controls, site !== null)}
${signOut !== null && html`<a class="button second" href="${signOut}">${t('sign_out')}</a>`}`,
    goOn && jump !== null ? { head: refresh(shownSeconds, jump) } : {},
  );
}

function endText(frame: Frame, { day, time }: OnlineEnd): string {
  const t = textOf(frame);
  return typeof day === 'object' ? t('ends_on', { date: day.date, time }) : t(`ends_${day}`, { time });
}

function controlsForm(frame: Frame, { base, state, extendMinutes, error }: Controls, isSecond: boolean): Markup {
  const t = textOf(frame);
  return html`<form method="post" action="${base}session">
<input type="hidden" name="s" value="${state}"><input type="hidden" name="lang" value="${frame.locale}">
${error && html`<p role="alert">${errorText(frame.locale, error)}</p>`}
${extendMinutes !== null && html`<button name="act" value="extend"${isSecond && html` class="second"`}>${t('extend', { time: span(frame.locale, extendMinutes) })}</button>`}
<button class="second" name="act" value="leave">${t('sign_out')}</button></form>`;
}
