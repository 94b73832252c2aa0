import { createHash, timingSafeEqual } from 'node:crypto';
import { type Arrival, isGatewayAddress, isIpv4, macOf, type PortalAdapter, webAddress } from './adapter.ts';

const md5 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Checks `md`, the last parameter: hex MD5 over the address before it and the secret. */
export function isSigned(address: string, secret: string): boolean {
  const at = address.lastIndexOf('&md=');
  const given = at < 0 ? '' : address.slice(at + 4);
  if (!/^[0-9a-fA-F]{32}$/.test(given)) return false;
  return timingSafeEqual(md5(address.slice(0, at), secret), Buffer.from(given, 'hex'));
}

/** Answers CHAP (identifier 0) over the challenge that the gateway derives with the UAM secret. */
export function chapResponse(challenge: string, password: string, secret: string): string {
  const derived = md5(Buffer.from(challenge, 'hex'), secret);
  return md5(Buffer.from([0]), password, derived).toString('hex');
}

/** Of blanks, quotes, angle brackets and letters beyond ASCII, as browsers encode them (WHATWG URL). */
const byBrowsers = /(?:%(?:2[027]|3[ce]|[89a-f][\da-f]))+/gi;

function decoded(text: string): string {
  return text.replace(byBrowsers, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

const withPlain = (url: string, field: string) =>
  url.replace(new RegExp(`(?<=[?&]${field}=)[^&]*`), (value) => decoded(value));

/** Access points sign the name of an SSID, and of a page, as they are. */
function spellingsOf(url: string): ReadonlySet<string> {
  const ssid = withPlain(url, 'ssid');
  return new Set([url, ssid, withPlain(ssid, 'userurl')]);
}

function originsOf(host: string): string[] {
  const plain = [`http://${host}`, `https://${host}`];
  return /:\d+$/.test(host) ? plain : [...plain, `http://${host}:80`, `https://${host}:443`];
}

export const uam: PortalAdapter = {
  path: 'uam',
  reportsBy: 'accounting',
  arrival({ url, host, query }, secret) {
    // signed: http or https, with or without a default port
    const spellings = [...spellingsOf(url)];
    if (!originsOf(host).some((origin) => spellings.some((text) => isSigned(`${origin}${text}`, secret)))) return null;
    const [ip, port, challenge] = [query.get('uamip') ?? '', query.get('uamport') ?? '', query.get('challenge') ?? ''];
    const mac = macOf(query.get('mac') ?? '');
    const client = query.get('sessionid') ?? '';
    const address = `${ip}:${port}`;
    if (mac === null || !/^[0-9a-fA-F]{32}$/.test(challenge) || !/^[\w-]{1,64}$/.test(client)) return null;
    if (port === '' || !isGatewayAddress(address)) return null;
    const clientIp = query.get('ip') ?? '';
    const wanted = query.get('userurl') ?? '';
    // uspot: the serial, unless the settings name another
    const device = macOf(query.get('called') ?? '')?.replaceAll(':', '');
    const arrival: Arrival = {
      verified: true,
      mac,
      ip: isIpv4(clientIp) ? clientIp : null,
      client,
      origin: webAddress(/^https?:/.test(wanted) ? wanted : `http://${wanted}`),
      gateway: { address, challenge, ...(device === undefined ? {} : { device }) },
    };
    return arrival;
  },
  grant({ gateway }, { ticket, credential }, secret) {
    const response = chapResponse(gateway.challenge ?? '', credential, secret);
    const query = new URLSearchParams({ username: ticket, response });
    return { by: 'browser', url: `http://${gateway.address}/logon?${query}`, counts: 'by_radius' };
  },
  takesOrders: false,
  signOut: ({ gateway }) => `http://${gateway.address}/logoff`,
};
