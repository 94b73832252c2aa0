import { document, type Frame, refresh, textOf } from '../frame.ts';
import { html } from '../html.ts';
import { pageText } from '../texts.ts';
import type { MethodForm } from './method-form.ts';

export const loginForm: MethodForm = {
  fields: ({ frame }) => html`<button>${pageText(frame.locale, 'login_button')}</button>`,
};

export function leavingPage(frame: Frame, next: string): string {
  const t = textOf(frame);
  return document(
    frame,
    t('leaving_title'),
    html`<h1>${t('leaving_title')}</h1><p role="status">${t('leaving_text')}</p>
<a class="button" href="${next}">${t('continue')}</a>`,
    { head: refresh(0, next) },
  );
}
