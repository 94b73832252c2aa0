import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { PortalContent, PortalMethod } from '@yunxun/contract';
import type { PortalTemplates } from '../templates.ts';

export function memoryTemplates(): PortalTemplates & { set(id: string, content: PortalContent): void } {
  const kept = new Map<string, PortalContent>();
  return {
    set: (id, content) => void kept.set(id, content),
    contentsOf: async (_tx, uses) =>
      new Map(
        uses.flatMap(({ templateId, gwid }) => {
          const content = kept.get(templateId);
          return content ? [[gwid, { version: 1, name: 'Guests', content }]] : [];
        }),
      ),
    opening: async () => kept,
    picture: async () => ({ mime: 'image/png', bytes: Buffer.from('picture') }),
    published: async () => [...kept.keys()].map((id) => ({ id, name: 'Guests', version: 1 })),
  };
}

export const freeLimits = { minutes: 60, times_per_day: 0, up_kbps: 512, down_kbps: 2048, devices: 1 };

export function contentWith(methods: PortalMethod[], change: Partial<PortalContent> = {}): PortalContent {
  return {
    methods,
    page: {
      title: { zh: '大堂', en: 'Lobby' },
      logo: null,
      background: null,
      carousel: [],
      countdown: null,
      colour: '#1f6feb',
      text: { zh: '欢迎', en: 'Welcome' },
      terms: { zh: '条款', en: 'Be kind' },
    },
    whitelist: [],
    jump: '',
    remember_days: 0,
    ...change,
  };
}

export interface Client {
  mac: string;
  ip: string;
  hid: string;
}

let count = 0;

export function newClient(): Client {
  count += 1;
  const last = count.toString(16).padStart(4, '0');
  return {
    mac: `02:00:00:00:${last.slice(0, 2)}:${last.slice(2)}`,
    ip: `192.168.77.${(count % 250) + 1}`,
    hid: randomBytes(32).toString('hex'),
  };
}

export const gatewayName = 'yunxun%20Node%3a66c011370b7e%20';
export const gatewayHash = createHash('sha256').update(gatewayName).digest('hex');

export function fasText({ hid, ip, mac }: Client): string {
  return `hid=${hid}, clientip=${ip}, clientmac=${mac}, client_type=cpd_can, gatewayname=${gatewayName}, gatewayurl=http%3a%2f%2f192.168.77.1, version=9.10.0, gatewayaddress=192.168.77.1:2050, gatewaymac=66c011370b7e, originurl=http%3a%2f%2f203.0.113.10%2fgenerate_204, clientif=gw0, themespec=(null), (null)(null)(null)(null)`;
}

export const plainFas = (client: Client): string =>
  `fas=${encodeURIComponent(Buffer.from(fasText(client)).toString('base64'))}`;

/** Query of a level 3 redirect. */
export function sealedFas(client: Client, faskey: string): string {
  const key = Buffer.alloc(32);
  key.write(faskey);
  const iv = randomBytes(8).toString('hex');
  const cipher = createCipheriv('aes-256-cbc', key, Buffer.from(iv));
  const inner = Buffer.concat([cipher.update(fasText(client)), cipher.final()]).toString('base64');
  return `fas=${encodeURIComponent(Buffer.from(inner).toString('base64'))}&iv=${iv}`;
}

export function uamRedirect(base: string, { mac, ip, hid }: Client, secret: string, extra = 'res=notyet'): string {
  const challenge = createHash('md5').update(mac).digest('hex').toUpperCase();
  const url = `${base}?${extra}&uamip=192.168.77.1&uamport=3990&challenge=${challenge}&mac=${mac.replaceAll(':', '-')}&ip=${ip}&called=66-C0-11-37-0B-7E&nasid=n1&ssid=Guests&sessionid=${hid.slice(0, 16)}&userurl=example.com/`;
  return `${url}&md=${createHash('md5')
    .update(url + secret)
    .digest('hex')
    .toUpperCase()}`;
}

export interface Page {
  status: number;
  url: string;
  html: string;
  headers: Headers;
}

/** Follows redirects on the portal like a captive browser: no cookies, no scripts. */
export async function openPage(url: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(url, { headers: { 'accept-language': 'en' }, ...init });
  return { status: response.status, url: response.url, html: await response.text(), headers: response.headers };
}

/** Calls as openNDS at level 3 does. */
export const authmon = (base: string, act: string, payload = 'none'): Promise<Page> =>
  openPage(`${base}/fas`, {
    method: 'POST',
    body: new URLSearchParams({
      auth_get: act,
      gatewayhash: gatewayHash,
      payload: Buffer.from(payload).toString('base64'),
    }),
  });

export async function grantOpen(base: string): Promise<void> {
  const [, ...offered] = (await authmon(base, 'view')).html.trim().split(' ');
  const rhids = offered.map((entry) => decodeURIComponent(entry).split(' ')[0]);
  await authmon(base, 'view', `* ${rhids.join(' ')}`);
}

const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** As a browser does over HTTP. `from`: the guest's public address. */
export function submit(
  { html, url }: Page,
  way: string,
  fields: Record<string, string> = {},
  from = '127.0.0.1',
): Promise<Page> {
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? '';
  const body = new URLSearchParams({ state: hidden(html, 'state'), lang: hidden(html, 'lang'), way, ...fields });
  const to = new URL(action, url);
  const headers = { 'accept-language': 'en', 'x-forwarded-for': from, origin: to.origin };
  return openPage(to.href, { method: 'POST', body, headers });
}

export function nextOf({ html, url }: Page): string {
  const next = /http-equiv="refresh" content="\d+;url=([^"]*)"/.exec(html)?.[1] ?? '';
  return new URL(next.replaceAll('&amp;', '&'), url).href;
}

export const alertOf = ({ html }: Page): string | null => /role="alert"[^>]*>([^<]*)</.exec(html)?.[1] ?? null;
