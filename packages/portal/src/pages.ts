import {
  banner,
  document,
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
import { pageText } from './texts.ts';
import { type SignIn, waysOf } from './ways.ts';

export function signInPage(frame: Frame, signIn: SignIn): string {
  return document(frame, title(frame), signInContent(frame, signIn), { lead: signInLead(frame) });
}

export const signInLead = (frame: Frame): Markup => banner(frame, html`<h1>${title(frame)}</h1>`);

export function signInContent(frame: Frame, signIn: SignIn): Markup {
  const t = textOf(frame);
  const { page } = frame;
  const terms = termsOf(page, frame.locale);
  const general = signIn.error && signIn.error.way === null ? signIn.error : null;
  return html`${general && html`<p role="alert">${errorText(frame.locale, general)}</p>`}
${page.carousel.length > 0 && carousel(frame)}
${own(frame, page.text) !== '' && html`<p>${own(frame, page.text)}</p>`}
${waysOf(frame, signIn)}
${terms && html`<p class="soft">${t('accept')}</p><details class="terms"><summary>${t('terms')}</summary><p lang="${terms.locale}">${terms.text}</p></details>`}`;
}

/** Shows an advertisement, then goes on by itself. */
export function countdownPage(frame: Frame, shown: Countdown): string {
  const heading = pageText(frame.locale, 'wait_title');
  return document(frame, heading, countdownContent(frame, shown), { head: refresh(shown.seconds, shown.next) });
}

export interface Countdown {
  seconds: number;
  next: string;
}

export function countdownContent(frame: Frame, { seconds, next }: Countdown): Markup {
  const t = textOf(frame);
  const picture = frame.page.countdown?.picture;
  return html`<h1>${t('wait_title')}</h1>
${picture !== undefined && html`<img class="wide" src="${frame.picture(picture)}" alt="${t('advertisement')}">`}
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
    { head: refresh(seconds, next) },
  );
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
  const t = textOf(frame);
  const { carousel: ids } = frame.page;
  const pictures = ids.map(
    (id, at) =>
      html`<img src="${frame.picture(id)}" alt="${t('picture_of', { number: at + 1, count: ids.length })}" loading="lazy">`,
  );
  return html`<div class="strip" role="region" tabindex="0" aria-label="${t('pictures')}">${pictures}</div>`;
}
