import { document, type Frame, refresh } from '../../frame.ts';
import { html } from '../../html.ts';
import { pageText } from '../../texts.ts';
import { sponsorText } from './text.ts';

/** `toFile`: the installation has no mail provider. */
export function askedPage(
  frame: Frame,
  { seconds, next, toFile }: { seconds: number; next: string; toFile: boolean },
): string {
  const { locale } = frame;
  return document(
    frame,
    sponsorText(locale, 'asked_title'),
    html`<h1>${sponsorText(locale, 'asked_title')}</h1><p role="status">${sponsorText(locale, toFile ? 'asked_to_file' : 'asked_text')}</p>
<a class="button" href="${next}">${pageText(locale, 'continue')}</a>`,
    { head: refresh(seconds, next) },
  );
}

export interface HostRequests {
  requests: readonly { id: string; guest: string }[];
  action: string;
  token: string;
  outcome: 'approved' | 'refused' | 'over' | null;
}

export function sponsorPage(frame: Frame, { requests, action, token, outcome }: HostRequests): string {
  const { locale } = frame;
  const heading = sponsorText(locale, 'requests_title');
  return document(
    frame,
    heading,
    html`<h1>${heading}</h1>${outcome && html`<p role="status">${sponsorText(locale, outcome)}</p>`}
${requests.map(
  ({ id, guest }) => html`<form method="post" action="${action}" aria-labelledby="guest-${id}">
<p id="guest-${id}">${sponsorText(locale, 'request_text', { guest })}</p><input type="hidden" name="t" value="${token}"><input type="hidden" name="r" value="${id}"><input type="hidden" name="lang" value="${locale}">
<button name="answer" value="approved">${sponsorText(locale, 'approve')}</button><button class="second" name="answer" value="refused">${sponsorText(locale, 'refuse')}</button></form>`,
)}`,
  );
}
