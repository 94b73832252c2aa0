// Token cookie, read by scripts only; the server does not authenticate by it.
import { forgetLastShown } from './last-shown.ts';

/** With TLS the prefix makes browsers refuse it from neighbouring names, as those of devices' pages (RFC 6265bis). */
const nameOf = () => (location.protocol === 'https:' ? '__Host-yunxun_token' : 'yunxun_token');
const REMEMBER_SECONDS = 7 * 24 * 60 * 60;

export function readToken(): string | null {
  const name = nameOf();
  for (const part of document.cookie.split('; ')) {
    if (part.startsWith(`${name}=`)) return decodeURIComponent(part.slice(name.length + 1)) || null;
  }
  return null;
}

/** Stores the token for seven days, or until the browser closes. */
export function keepToken(token: string, remember: boolean): void {
  writeCookie(encodeURIComponent(token), remember ? `; Max-Age=${REMEMBER_SECONDS}` : '');
}

export function clearToken(): void {
  forgetLastShown();
  writeCookie('', '; Max-Age=0');
}

function writeCookie(value: string, age: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${nameOf()}=${value}; Path=/; SameSite=Strict${age}${secure}`;
}
