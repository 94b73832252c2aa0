import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { OwnAddress } from './own-address.ts';

/** RFC 9110, section 7.6.1, and what old programs send. */
const ofOneConnection = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** Would tell a device who visits it from where. */
const ofProxies = /^(forwarded|via|x-forwarded-.*|x-real-ip|cf-.*|true-client-ip)$/;
/** Would bind the browser beyond this session, or report to others. */
const binding: ReadonlySet<string> = new Set([
  'alt-svc',
  'clear-site-data',
  'content-security-policy-report-only',
  'nel',
  'origin-agent-cluster',
  'public-key-pins',
  'report-to',
  'reporting-endpoints',
  'strict-transport-security',
  'x-frame-options',
]);

/** Of both parts; the prefix makes browsers refuse it from other names. */
export const cookieName = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}yunxun-remote`;

const isOurs = (pair: string) => /^(__Host-)?yunxun-remote$/i.test((pair.split('=')[0] ?? '').trim());

export function ownCookies(header: string | undefined, isSecure: boolean): string[] {
  const name = cookieName(isSecure);
  return (header ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.trim().split('=');
    return key === name ? [value] : [];
  });
}

function named({ connection }: IncomingHttpHeaders): ReadonlySet<string> {
  const listed = String(connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  return new Set([...ofOneConnection, ...listed]);
}

/** Headers for the device, as if the browser had asked it by its own address. */
export function forDevice(given: IncomingHttpHeaders, own: OwnAddress, shown: string): OutgoingHttpHeaders {
  const dropped = named(given);
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || dropped.has(name) || ofProxies.test(name)) continue;
    headers[name] = value;
  }
  headers.host = own.authority;
  headers['accept-encoding'] = /\bgzip\b/.test(String(given['accept-encoding'])) ? 'gzip, deflate' : 'identity';
  const cookies = (given.cookie ?? '').split(';').filter((pair) => pair.trim() !== '' && !isOurs(pair));
  if (cookies.length > 0) headers.cookie = cookies.map((pair) => pair.trim()).join('; ');
  else delete headers.cookie;
  if (given.origin === shown) headers.origin = own.origin;
  delete headers.referer;
  if (given.referer?.startsWith(`${shown}/`)) headers.referer = own.origin + given.referer.slice(shown.length);
  return headers;
}

/** Headers for the browser: nothing in them reaches beyond the names of this session. */
export function forBrowser(
  given: IncomingHttpHeaders,
  own: OwnAddress,
  { page, frame, isRewritten }: { page: string; frame: string; isRewritten: boolean },
): OutgoingHttpHeaders {
  const dropped = named(given);
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || dropped.has(name) || binding.has(name)) continue;
    if (isRewritten && (name === 'content-length' || name === 'content-encoding')) continue;
    headers[name] = value;
  }
  for (const name of ['location', 'content-location', 'refresh', 'link', 'access-control-allow-origin']) {
    const value = headers[name];
    if (typeof value === 'string') headers[name] = own.rewrite(value);
  }
  const cookies = (given['set-cookie'] ?? []).filter((cookie) => !isOurs(cookie));
  const isSecure = page.startsWith('https:');
  if (cookies.length > 0) headers['set-cookie'] = cookies.map((cookie) => ofThisName(cookie, isSecure));
  else delete headers['set-cookie'];
  headers['content-security-policy'] = policies(String(given['content-security-policy'] ?? ''), own, frame);
  headers['referrer-policy'] = 'same-origin';
  headers['x-robots-tag'] = 'noindex';
  return headers;
}

/** A cookie without `Domain` stays with the name that set it. */
function ofThisName(cookie: string, isSecure: boolean): string {
  const [pair = '', ...attributes] = cookie.split(';');
  // browsers refuse the latter two without TLS
  const dropped = isSecure ? /^\s*domain\b/i : /^\s*(domain\b|secure\b|samesite\s*=\s*none)/i;
  return [pair, ...attributes.filter((attribute) => !dropped.test(attribute))].join(';');
}

function policies(given: string, own: OwnAddress, frame: string): string {
  const ours = `frame-ancestors 'self' ${frame}`;
  const kept = given
    .split(',')
    .map((policy) =>
      policy
        .split(';')
        .filter(
          (directive) => !/^\s*(frame-ancestors|report-uri|report-to|upgrade-insecure-requests)\b/i.test(directive),
        )
        .join(';'),
    )
    .filter((policy) => policy.trim() !== '');
  return [ours, ...kept.map((policy) => own.rewrite(policy))].join(', ');
}
