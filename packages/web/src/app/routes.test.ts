import { expect, test } from 'vitest';
import { aloneRoutes, isPlanned, layoutRoutes, leadsToPlanned, publicRoutes, sections } from './routes.ts';

/** Some are fixed (docs/adr/0039). */
const wanted = `
/ remote networks network/{gwid} device/index/{gwid?} network/gateway/{gwid} network/aps/{gwid?} asset/{gwid}
networks/online_users/{gwid?} auth/{gwid}/{remark?} auth_portal/{id}/{tempid}/{remark?} sms_pay_log/{gwid}/{remark?}
sdwan/index sdwan/package sdwan/create sdwan/order sdwan/manage sdwan/show sdwan/group sdwan/link_strategy
config/ac_dynamic_password config/radius config/template_manage config/template_edit/{id} config/template_add/{id}
config/auth_portal/{id}/{tempid} config/template_wireless/ac config/template_wireless/wireless
config/template_wireless/ac_create config/template_wireless/ac_edit/{id} config/template_wireless/wireless_create
config/template_wireless/wireless_edit/{id} config/router_cloud_backup cloud_security/index index messages
message/{msg_id} alarm alarm_subscribe logs/auth logs/upgrade logs/action profile security account personalization
forbidden topology/{gwid?} map flow_monitor/{gwid?} wireless_monitor/{gwid?} audit/{gwid?} billing/packages
billing/cards billing/transactions billing/withdrawals billing/invoices billing/balance plugin_apps/{id} waiting_devices jobs install vouchers
reception
`;
const outside =
  '/login /register /forgot_password /register_protocol /password_reset/{token} /remote/link/{secret} /404';
/** Paths for confirming a sign-in on a phone and for invitation links. */
const alone =
  '/qr/{code} /invitation/{token} /remote/terminal/{id} /remote/web/{id} /remote/screen/{id} /remote/replay/{id}';

const spelled = (path: string): string => path.replace(/\{-\$(\w+)\}/g, '{$1?}').replace(/\$(\w+)/g, '{$1}');
const list = (text: string): string[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((path) => (path.startsWith('/') ? path : `/${path}`))
    .sort();

test('every path has its row, and no other', () => {
  expect(layoutRoutes.map((row) => spelled(row.path)).sort()).toEqual(list(wanted));
  expect(aloneRoutes.map((row) => spelled(row.path)).sort()).toEqual(list(alone));
  expect(publicRoutes.map((row) => spelled(row.path)).sort()).toEqual(list(outside));
});

test('every section has a menu, and every row without an entry names the entry that it belongs to', () => {
  const entries = new Set(layoutRoutes.filter((row) => row.menu).map((row) => row.path));
  for (const section of sections) expect(layoutRoutes.some((row) => row.section === section && row.menu)).toBe(true);
  for (const row of layoutRoutes) {
    if (row.path === '/forbidden' || row.menu) continue;
    expect([row.path, [...entries].some((path) => path === row.parent || path.startsWith(`${row.parent}/`))]).toEqual([
      row.path,
      true,
    ]);
  }
});

test('the hidden routes of a network keep the networks entry highlighted', () => {
  for (const path of [
    '/auth/$gwid/{-$remark}',
    '/auth_portal/$id/$tempid/{-$remark}',
    '/sms_pay_log/$gwid/{-$remark}',
    '/network/$gwid',
    '/network/gateway/$gwid',
    '/network/aps/{-$gwid}',
  ]) {
    expect(layoutRoutes.find((row) => row.path === path)?.parent).toBe('/networks');
  }
});

test('SD-WAN is shown only to accounts that have it', () => {
  for (const row of layoutRoutes.filter((each) => each.path.startsWith('/sdwan/')))
    expect(row.needs).toBe('sdwan_status');
});

test('a planned screen has a sentence of its own', () => {
  const planned = [...layoutRoutes, ...publicRoutes].filter(isPlanned);
  expect(planned.length).toBeGreaterThan(0);
  for (const row of planned) expect(row.screen.planned).toMatch(/^planned\./);
});

test.each([
  ['/billing/transactions', false],
  ['/flow_monitor', false],
  ['/flow_monitor/f3e8', false],
  ['/auth/f3e8', false],
  ['/audit/f3e8', true],
  ['/alarm', false],
  ['/alarm_subscribe', false],
  ['/', false],
  ['/networks', false],
  ['/network/f3e8', false],
  ['/networks/online_users', false],
  ['/wireless_monitor/f3e8', false],
  ['/alarm/elsewhere', false],
])('whether %s leads to a screen that is still to be built: %s', (to, planned) => {
  expect(leadsToPlanned(to)).toBe(planned);
});
