import { document, type Frame, refresh } from '../../frame.ts';
import { html } from '../../html.ts';
import { pageText } from '../../texts.ts';
import { purchaseText } from './text.ts';

export function paymentPage(frame: Frame, { seconds, next }: { seconds: number; next: string }): string {
  const { locale } = frame;
  return document(
    frame,
    purchaseText(locale, 'paying_title'),
    html`<h1>${purchaseText(locale, 'paying_title')}</h1><p role="status">${purchaseText(locale, 'paying_text')}</p>
<a class="button" href="${next}">${pageText(locale, 'continue')}</a>`,
    { head: refresh(seconds, next) },
  );
}
