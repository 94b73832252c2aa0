export interface Page {
  url: string;
  html: string;
}

/** Opens a page, or posts a form; follows redirects without cookies or scripts, as a captive browser does. */
export type Browser = (url: string, form?: URLSearchParams, userAgent?: string) => Promise<Page>;

/** `until`: aborts requests. */
export function guestBrowser(language: string, until: () => AbortSignal): Browser {
  return async (url, form, agent) => {
    const response = await fetch(url, {
      signal: until(),
      headers: { 'accept-language': language, ...(agent !== undefined && { 'user-agent': agent }) },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    return { url: response.url, html: await response.text() };
  };
}

const plainText = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');

const hidden = (html: string, name: string) =>
  plainText(new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '');

const actionOf = ({ html, url }: Page) =>
  new URL(plainText(/<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? ''), url).href;

export function styleOf({ html, url }: Page): string | null {
  const href = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1];
  return href ? new URL(plainText(href), url).href : null;
}

/** Returns where the page goes by itself; null: nowhere. */
export function nextOf({ html, url }: Page): string | null {
  const next = /http-equiv="refresh" content="\d+;url=([^"]*)"/.exec(html)?.[1];
  return next === undefined ? null : new URL(plainText(next), url).href;
}

/** Returns where the page's link to sign out leads; null: it has none. */
function signOutLink({ html, url }: Page): string | null {
  const href = /href="([^"]+\/logoff)"/.exec(html)?.[1];
  return href === undefined ? null : new URL(plainText(href), url).href;
}

/** Returns where the page after a payment takes requests for invoices; null: it does not. */
export function invoiceLink({ html, url }: Page): string | null {
  const href = /href="(\/pay\/invoice\/[^"]+)"/.exec(html)?.[1];
  return href === undefined ? null : new URL(plainText(href), url).href;
}

export const choicesOf = ({ html }: Page, name: string): string[] =>
  [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value = '']) => plainText(value));

export const offers = ({ html }: Page, way: string): boolean => html.includes(`name="way" value="${way}"`);

export const isRefused = ({ html }: Page): boolean => html.includes('role="alert"');

export function signInForm(page: Page, way: string, answers: Record<string, string>): [string, URLSearchParams] {
  const [state, lang] = [hidden(page.html, 'state'), hidden(page.html, 'lang')];
  return [actionOf(page), new URLSearchParams({ state, lang, way, ...answers })];
}

function signOutForm(page: Page): [string, URLSearchParams] {
  const [s, lang] = [hidden(page.html, 's'), hidden(page.html, 'lang')];
  return [actionOf(page), new URLSearchParams({ s, lang, act: 'leave' })];
}

/** Null: nothing on the page ends the session. */
export function leaveOf(page: Page, open: Browser): (() => Promise<unknown>) | null {
  const link = signOutLink(page);
  if (link !== null) return () => open(link);
  return page.html.includes('value="leave"') ? () => open(...signOutForm(page)) : null;
}

/** The host's answer to the first request that the page lists. */
export function hostForm(page: Page, answer: 'approved' | 'refused'): [string, URLSearchParams] {
  const [t, r] = [hidden(page.html, 't'), hidden(page.html, 'r')];
  return [actionOf(page), new URLSearchParams({ t, r, answer })];
}
