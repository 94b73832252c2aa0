import type { PortalMethodKind } from '@yunxun/contract';
import {
  document,
  duration,
  errorText,
  type Frame,
  own,
  type PageError,
  refresh,
  termsOf,
  textOf,
  title,
} from './frame.ts';
import { html, type Markup } from './html.ts';
import { type MethodData, methodFields } from './methods/forms.ts';
import { type FormContext, submit, type Typed } from './methods/method-form.ts';
import { methodTexts } from './methods/texts.ts';
import { pageText } from './texts.ts';

/** `remembered` lets a known device in again. */
export type Way = PortalMethodKind | 'remembered';

export interface SignIn {
  ways: readonly Way[];
  action: string;
  /** Sealed, in each form. */
  state: string;
  error: (PageError & { way: Way | null }) | null;
  typed: Typed;
  data: Partial<MethodData>;
}

export function signInPage(frame: Frame, signIn: SignIn): string {
  return document(frame, title(frame), signInContent(frame, signIn));
}

export function signInContent(frame: Frame, signIn: SignIn): Markup {
  const t = textOf(frame);
  const { page } = frame;
  const terms = termsOf(page, frame.locale);
  const general = signIn.error && signIn.error.way === null ? signIn.error : null;
  return html`${page.logo !== null && html`<img class="logo" src="${frame.picture(page.logo)}" alt="">`}
<h1>${title(frame)}</h1>
${page.carousel.length > 0 && carousel(frame)}
${own(frame, page.text) !== '' && html`<p>${own(frame, page.text)}</p>`}
${general && html`<p role="alert">${errorText(frame.locale, general)}</p>`}
${signIn.ways.map((way) => form(frame, signIn, way))}
${terms && html`<p class="soft">${t('accept')}</p><details><summary>${t('terms')}</summary><p>${terms.text}</p></details>`}`;
}

/** Shows an advertisement, then goes on by itself. */
export function countdownPage(frame: Frame, shown: Countdown): string {
  const heading = pageText(frame.locale, 'wait_title');
  return document(frame, heading, countdownContent(frame, shown), refresh(shown.seconds, shown.next));
}

export interface Countdown {
  seconds: number;
  next: string;
}

export function countdownContent(frame: Frame, { seconds, next }: Countdown): Markup {
  const t = textOf(frame);
  const picture = frame.page.countdown?.picture;
  return html`<h1>${t('wait_title')}</h1>
${picture !== undefined && html`<img class="wide" src="${frame.picture(picture)}" alt="">`}
<p role="status">${t('wait_text', { seconds })}</p><a class="button" href="${next}">${t('continue')}</a>`;
}

/** Waits for the gateway, or sends the guest to it. `next` may be on the gateway. */
export function connectingPage(frame: Frame, { seconds, next }: { seconds: number; next: string }): string {
  const t = textOf(frame);
  return document(
    frame,
    t('connecting_title'),
    html`<h1>${t('connecting_title')}</h1><p role="status">${t('connecting_text')}</p>
<a class="button" href="${next}">${t('continue')}</a>`,
    refresh(seconds, next),
  );
}

export interface Controls {
  base: string;
  /** Sealed session. */
  state: string;
  /** Null: not now. */
  extendMinutes: number | null;
  error: PageError | null;
}

export interface Online {
  /** Null: without limit. */
  secondsLeft: number | null;
  signOut: string | null;
  /** Where the console itself ends and extends the session; null: it cannot. */
  controls: Controls | null;
  jump: string | null;
  /** Sends the guest to `jump`. */
  goOn: boolean;
}

/** Seconds for which the remaining time is shown before `jump`. */
const shownSeconds = 5;

export function onlinePage(frame: Frame, { secondsLeft, signOut, controls, jump, goOn }: Online): string {
  const t = textOf(frame);
  const site = jump && URL.canParse(jump) ? new URL(jump).host : null;
  return document(
    frame,
    t('online_title'),
    html`<h1>${t('online_title')}</h1>
<p role="status">${secondsLeft === null ? t('unlimited') : t('remaining', { time: duration(frame.locale, secondsLeft) })}</p>
${site !== null && html`<a class="button" href="${jump}">${t('open_site', { site })}</a>`}
${signOut !== null && html`<a class="button second" href="${signOut}">${t('sign_out')}</a>`}
${controls && controlsForm(frame, controls)}`,
    goOn && jump !== null ? refresh(shownSeconds, jump) : undefined,
  );
}

function controlsForm(frame: Frame, { base, state, extendMinutes, error }: Controls): Markup {
  const t = textOf(frame);
  return html`<form method="post" action="${base}session">
<input type="hidden" name="s" value="${state}"><input type="hidden" name="lang" value="${frame.locale}">
${error && html`<p role="alert">${errorText(frame.locale, error)}</p>`}
${extendMinutes !== null && html`<button name="act" value="extend">${t('extend', { time: duration(frame.locale, extendMinutes * 60) })}</button>`}
<button class="second" name="act" value="leave">${t('sign_out')}</button></form>`;
}

/** Says why the guest is offline. `again` leads to the sign-in; null: only the gateway can. */
export function errorPage(frame: Frame, error: PageError, again: string | null): string {
  const t = textOf(frame);
  return document(
    frame,
    t('error_title'),
    html`<h1>${t('error_title')}</h1><p role="alert">${errorText(frame.locale, error)}</p>
${again === null ? html`<p>${t('reopen')}</p>` : html`<a class="button" href="${again}">${t('try_again')}</a>`}`,
  );
}

function carousel(frame: Frame): Markup {
  const pictures = frame.page.carousel.map((id) => html`<img src="${frame.picture(id)}" alt="" loading="lazy">`);
  return html`<div class="strip" role="region" tabindex="0" aria-label="${pageText(frame.locale, 'pictures')}">${pictures}</div>`;
}

function form(frame: Frame, signIn: SignIn, way: Way): Markup {
  const { locale } = frame;
  const { state, action, typed, error, data } = signIn;
  const own = error?.way === way ? error : null;
  const wrong = own ? html` aria-invalid="true" aria-describedby="wrong-${way}"` : html``;
  const context = { frame, typed, error, wrong };
  return html`<form method="post" action="${action}" aria-labelledby="way-${way}">
<h2 id="way-${way}">${way === 'remembered' ? pageText(locale, way) : methodTexts[way](locale, 'heading')}</h2>
<input type="hidden" name="state" value="${state}"><input type="hidden" name="way" value="${way}"><input type="hidden" name="lang" value="${locale}">
${own && html`<p role="alert" id="wrong-${way}">${errorText(locale, own)}</p>`}
${way === 'remembered' ? rememberedFields(context) : methodFields(way, context, data)}
</form>`;
}

const rememberedFields = (context: FormContext) =>
  html`<p>${pageText(context.frame.locale, 'remembered_text')}</p>${submit(context)}`;
