import { isIPv4 } from 'node:net';
import type { RadiusAddress } from '../radius-address.ts';

/** Plain, as in RouterOS' own page; `-esc` variables are for addresses. */
const fields = ['mac', 'ip', 'link-login-only', 'link-orig', 'chap-id', 'chap-challenge'] as const;

export function loginPage(page: string): string {
  const hidden = fields.map((name) => `<input type="hidden" name="${name}" value="$(${name})">`);
  return [
    '<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="pragma" content="no-cache">',
    '<meta name="viewport" content="width=device-width,initial-scale=1"><title>Sign in</title></head>',
    `<body><form name="go" method="get" action="${page}">`,
    '<input type="hidden" name="res" value="$(if error)reject$(else)notyet$(endif)">',
    ...hidden,
    '<button>Sign in / 登录</button></form><script>document.go.submit()</script></body></html>',
  ].join('\n');
}

/** Quotes for a RouterOS string. */
const quoted = (text: string) => `"${text.replace(/[\\"$]/g, (one) => `\\${one}`).replace(/\n/g, '\\n')}"`;

/**
 * Returns RouterOS commands: RADIUS, profile, walled garden and `login.html`. Host names and keys contain no quotes.
 * The hotspot must be named by its address, or the sign-in page would send guests to a name that a visitor chose.
 */
export function hotspotSettings(origin: string, key: string, open: readonly string[], radius: RadiusAddress): string {
  const server = (port: number | null) => (port === null ? '<RADIUS is switched off>' : radius.host);
  const hosts = [...new Set([new URL(origin).hostname, ...open])];
  const garden = hosts.map((host) =>
    isIPv4(host)
      ? `/ip hotspot walled-garden ip add action=accept dst-address=${host} comment=yunxun`
      : `/ip hotspot walled-garden ip add action=accept dst-host=${host} comment=yunxun`,
  );
  return [
    '/radius remove [find comment=yunxun]',
    `/radius add service=hotspot address=${server(radius.auth)} authentication-port=${radius.auth ?? 0} accounting-port=${radius.acct ?? 0} secret="<RADIUS secret>" comment=yunxun`,
    '/radius incoming set accept=yes port=3799',
    '/ip hotspot profile set [find name="<hotspot profile>"] dns-name="" login-by=http-chap use-radius=yes radius-accounting=yes radius-interim-update=1m',
    '/ip hotspot walled-garden ip remove [find comment=yunxun]',
    ...garden,
    `/file set [find name="hotspot/login.html"] contents=${quoted(loginPage(`${origin}/p/${key}/mikrotik`))}`,
  ].join('\n');
}
