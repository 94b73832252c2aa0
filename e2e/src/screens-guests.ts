import type { DataOf, portal as portalContract } from '@yunxun/contract';
import type { Locator, Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const template = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Lobby', version: 3 };
const site: DataOf<typeof portalContract.site> = {
  site: {
    enabled: true,
    template,
    gateway: 'opennds_3',
    seen_at: at(-1),
    url: 'http://portal.example.org:8081/p/sJx0Rm2gTtWcVZk3bN5yQw/',
    old_secret_since: at(-30),
    settings_changed: true,
    captive: {
      lans: ['Guests'],
      ranges: [{ lan: 'Guests', range: '10.20.0.100-10.20.0.199' }],
      ssids: [],
      exempt_macs: ['02:00:00:00:00:09'],
      exempt_addresses: ['10.20.0.9'],
      exempt_remarks: [{ device: '02:00:00:00:00:09', remark: 'Printer' }],
    },
    access_points: null,
    pay_hosts: false,
  },
  edge: {
    reason: null,
    lans: [
      { name: 'LAN', vlan: null, subnet: '10.1.0.1/24' },
      { name: 'Guests', vlan: 20, subnet: '10.20.0.1/24' },
    ],
    ssids: [
      { id: template.id, name: 'Guests', vlan: 20, lan: 'Guests', obstacle: null },
      { id: '7c9e6679-7425-40de-944b-e07fc1f90ae8', name: 'Staff', vlan: null, lan: null, obstacle: 'ssid_untagged' },
    ],
    lacks: [],
    in_force: true,
  },
  wireless: {
    ssids: [
      { id: template.id, name: 'Guests', vlan: 20, enabled: true, obstacle: null },
      { id: '7c9e6679-7425-40de-944b-e07fc1f90ae8', name: 'Staff', vlan: 30, enabled: true, obstacle: null },
      { id: '7c9e6679-7425-40de-944b-e07fc1f90ae9', name: 'Rooms', vlan: 20, enabled: true, obstacle: 'captive_keys' },
    ],
    access_points: 3,
    unable: [{ serial: '24f5a2b40011', name: 'AP-Lobby' }],
  },
  templates: [template],
};
const managed = { ...site.site, gateway: 'uam', access_points: { ssids: [template.id] } };
const gateSteps = [
  { step: 'document', state: 'ok', finding: 'fine' },
  { step: 'applied', state: 'ok', finding: 'fine' },
  { step: 'read_back', state: 'unknown', finding: 'not_reported' },
  { step: 'redirect', state: 'unknown', finding: 'no_redirect' },
  { step: 'radius', state: 'wrong', finding: 'offline' },
];
const gateTotals = { devices: 3, changed: 2, wrong: 1, offline: 1, terminals: 14 };
const texts = (zh: string, en: string) => ({ zh, en });
const page = {
  name: template.name,
  network: 'Lobby',
  own: false,
  in_use: true,
  methods: ['sms', 'voucher', 'one_click'],
  page: {
    title: texts('欢迎光临', 'Welcome'),
    text: texts('请选择一种方式上网', 'Choose a way to get online'),
    terms: texts('', ''),
    colour: '#1264d8',
    logo: null,
    background: null,
    carousel: [],
    countdown: null,
  },
  pictures: [],
  revision: 0,
  updated_at: null,
  updated_by: null,
};
const funnel = {
  steps: [
    { step: 'seen', visits: 420 },
    { step: 'opened', visits: 391 },
    { step: 'tried', visits: 340 },
    { step: 'online', visits: 322 },
  ],
  failures: [
    { reason: 'voucher_expired', visits: 11 },
    { reason: 'not_taken', visits: 2 },
  ],
};
const guest = {
  id: template.id,
  mac: '02:00:00:00:00:02',
  verified: true,
  ip: '192.168.77.2',
  method: 'voucher',
  identity: '…7KQ',
  granted_at: at(-20),
  expires_at: at(40),
  up_bytes: 1_200_000,
  down_bytes: 98_000_000,
};
const session = {
  ...guest,
  gwid: template.id,
  network: 'Lobby',
  method: 'sms',
  identity: '138****5678',
  masked: true,
  state: 'ended',
  ended_at: at(-5),
  end_reason: 'expired',
  terms: { version: 2, locale: 'en' },
};
const checks = [
  { step: 'capture', state: 'ok', finding: 'fine', name: null },
  { step: 'dns', state: 'unknown', finding: 'by_hand', name: null },
  { step: 'port', state: 'wrong', finding: 'port_closed', name: 'portal.example.org' },
  { step: 'garden', state: 'wrong', finding: 'unresolved', name: 'menu.example.org' },
  { step: 'messages', state: 'wrong', finding: 'sms_to_file', name: null },
  { step: 'grant', state: 'ok', finding: 'fine', name: null },
  { step: 'radius', state: 'unneeded', finding: 'unneeded', name: null },
];
const batch = {
  id: template.id,
  name: 'DayPass',
  minutes: 1440,
  devices: 1,
  valid_until: at(86_400),
  created_at: at(-90),
  created_by: 'Lin',
  total: 200,
  used: 37,
  voided: 2,
  kept: true,
};
const member = {
  id: template.id,
  name: 'reception',
  enabled: true,
  until: null,
  devices: 3,
  last_at: at(-300),
  real_name: true,
};

const portal =
  (rest: string, own: object = {}) =>
  async (screen: Page, { url, gwid }: Stage) => {
    const answers: Readonly<Record<string, unknown>> = {
      site: { ...site, site: { ...site.site, ...own } },
      'access_point/preview': { totals: gateTotals, devices: [] },
      funnel,
      'guest/list': {
        list: [
          { ...guest, extend_hindrance: null, signs_out: true },
          {
            ...guest,
            extend_hindrance: 'gateway',
            signs_out: false,
            verified: false,
            identity: null,
            up_bytes: null,
            down_bytes: null,
          },
        ],
        total: 2,
      },
      check: {
        checks,
        exempt: [{ device: '02:00:00:00:00:09', remark: 'Printer' }],
        access_points: [{ serial: '24f5a2b40011', name: 'AP-Lobby', steps: gateSteps }],
      },
      'voucher/list': { list: [batch], total: 1 },
      'member/list': { list: [member], total: 1 },
      'voucher/count': { valid: 240 },
      'voucher/network/list': { list: [{ gwid, name: 'Lobby' }], total: 1 },
      'session/list': { list: [session], total: 1 },
      'voucher/create': { id: batch.id, codes: ['7KQ2M9XA', 'BD34WQ8E', 'R5TY6U7P'], valid_until: at(86_400) },
      dynamic_password: { every: 'day', until: at(3_600) },
      'site/save': {
        secrets: { settings: "uci set opennds.@opennds[0].fasport='8081'\nservice opennds restart" },
        job_id: null,
      },
    };
    await screen.route('**/api/v3/auth_template/site/detail', (route) =>
      route.fulfill({ json: { code: 2000, message: 'Success', data: page } }),
    );
    for (const [path, data] of Object.entries(answers))
      await screen.route(`**/api/v3/portal/${path}`, (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
    await screen.goto(`${url}/auth/${gwid}${rest}`);
  };

const waiting = {
  id: '0b6f3a52-6d1c-4c0e-9a53-2f4f6f0a7d11',
  mac: '02:00:00:00:00:09',
  verified: true,
  ip: '192.168.1.31',
  system: 'iphone',
  at: at(-2),
  reason: 'devices',
};
const reception =
  (rest: string) =>
  async (screen: Page, { url, gwid }: Stage) => {
    const row = { ...guest, extend_hindrance: null, signs_out: true };
    const tried = { ...waiting, way: 'voucher', online: false, exempt: false };
    const answers: Readonly<Record<string, unknown>> = {
      'network/list': { list: [{ gwid, name: 'Lobby' }], total: 1 },
      'guest/list': {
        list: [row, { ...row, id: waiting.id, signs_out: false, extend_hindrance: 'gateway' }],
        total: 2,
      },
      'waiting/list': { list: [waiting], total: 1 },
      'try/list': { list: [tried, { ...tried, id: guest.id, reason: 'voucher_expired' }], total: 2 },
    };
    for (const [path, data] of Object.entries(answers))
      await screen.route(`**/api/v3/portal/reception/${path}`, (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
    await screen.goto(`${url}/reception${rest}`);
  };

const receptionDialog = (act: 'extend' | 'move' | 'tries') => async (page: Page, stage: Stage) => {
  await reception('')(page, stage);
  await page
    .getByRole('button', { name: stage.t(`reception.${act}`), exact: true })
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
};

async function openBatchForm(page: Page, stage: Stage): Promise<Locator> {
  await portal('?tab=vouchers')(page, stage);
  await page.getByRole('button', { name: stage.t('site_portal.batch_create') }).click();
  return page.getByRole('dialog');
}

export const guestScreens: readonly BuiltScreen[] = [
  { name: 'portal-new', as: 'owner', open: (page, { url, gwid }) => page.goto(`${url}/auth/${gwid}`) },
  { name: 'portal', as: 'owner', answered: true, open: portal('') },
  { name: 'portal-edge', page: true, as: 'owner', answered: true, open: portal('', { gateway: 'edge' }) },
  { name: 'portal-access-points', as: 'owner', answered: true, open: portal('', managed) },
  {
    name: 'portal-settings',
    page: true,
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await portal('')(page, stage);
      await page
        .getByRole('button', { name: stage.t('site_portal.save') })
        .first()
        .click();
      await page.getByRole('dialog').getByText('opennds').first().waitFor();
    },
  },
  { name: 'portal-check', page: true, as: 'owner', answered: true, open: portal('?tab=check') },
  {
    name: 'portal-person',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await portal('?tab=sessions')(page, stage);
      await page.getByRole('button', { name: stage.t('site_portal.person') }).click();
    },
  },
  { name: 'portal-guests', page: true, as: 'owner', answered: true, open: portal('?tab=guests') },
  { name: 'portal-sessions', page: true, as: 'owner', answered: true, open: portal('?tab=sessions') },
  {
    name: 'vouchers',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await portal('')(page, stage);
      await page.goto(`${stage.url}/vouchers`);
      await page.getByText('DayPass').waitFor();
    },
  },
  { name: 'reception', as: 'owner', answered: true, open: reception('') },
  { name: 'reception-tries', page: true, as: 'owner', answered: true, open: reception('?tab=tries') },
  { name: 'reception-extend', as: 'owner', answered: true, open: receptionDialog('extend') },
  { name: 'reception-move', as: 'owner', answered: true, open: receptionDialog('move') },
  { name: 'portal-vouchers', page: true, as: 'owner', answered: true, open: portal('?tab=vouchers') },
  {
    name: 'portal-codes',
    page: true,
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const { t } = stage;
      const dialog = await openBatchForm(page, stage);
      await dialog.getByLabel(t('site_portal.batch_name')).fill('DayPass');
      await dialog.getByLabel(t('site_portal.batch_count')).fill('3');
      await dialog.getByLabel(t('site_portal.batch_minutes')).fill('1440');
      await dialog.getByRole('button', { name: t('site_portal.batch_create') }).click();
      await page.getByText('7KQ2M9XA').waitFor();
    },
  },
  {
    name: 'portal-batch',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const dialog = await openBatchForm(page, stage);
      await dialog.getByLabel(stage.t('site_portal.batch_count')).fill('20');
      await page.getByText(stage.t('site_portal.batch_length_hint', { n: 6, valid: 240 })).waitFor();
    },
  },
  {
    name: 'portal-codes-short',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const { t } = stage;
      const dialog = await openBatchForm(page, stage);
      await dialog.getByLabel(t('site_portal.batch_name')).fill('DayPass');
      await dialog.getByLabel(t('site_portal.batch_count')).fill('20');
      await dialog.getByLabel(t('site_portal.batch_characters')).selectOption('digits');
      await dialog.getByRole('button', { name: t('site_portal.batch_create') }).click();
      await page.getByText(t('site_portal.batch_too_short', { n: 9 })).waitFor();
    },
  },
  { name: 'portal-members', page: true, as: 'owner', answered: true, open: portal('?tab=members') },
];
