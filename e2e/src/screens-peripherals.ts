import { cameraPicture } from '@yunxun/simulator';
import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const row = (at: number, more: object) => ({
  id: `7c9e6679-7425-40de-944b-e07fc1f90b0${at}`,
  gwid: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  network: 'West-Lake',
  group: 'Ground floor',
  mode: 'tcp',
  detect_port: 554,
  web_port: 80,
  shell_port: null,
  screen_port: null,
  reason: null,
  mac: null,
  since: null,
  rtt_ms: null,
  checked_at: null,
  last_offline_at: null,
  offline_count_30d: null,
  availability_30d: 100,
  measured_since: null,
  ...more,
});

const rows = [
  row(1, { name: 'Door-Camera', type: 'camera', ip: '192.168.1.64', status: 'online', rtt_ms: 1.4 }),
  row(2, {
    name: 'Till-Printer',
    type: 'printer',
    ip: '192.168.1.70',
    detect_port: 9100,
    status: 'offline',
    last_offline_at: new Date(Date.now() - 3_600_000).toISOString(),
    offline_count_30d: 3,
    availability_30d: 97.42,
  }),
  row(3, {
    name: 'Rack-Server',
    type: 'server',
    ip: '10.0.0.5',
    mode: 'icmp',
    detect_port: null,
    shell_port: 22,
    status: 'unknown',
    reason: 'gateway_offline',
    availability_30d: null,
  }),
];

const host = (more: object) => ({
  mac: null,
  vendor: null,
  hostname: null,
  ports: [],
  type: 'other',
  guess: null,
  name: null,
  model: null,
  known: null,
  ...more,
});
const found = {
  state: 'done',
  reason: null,
  started_at: '2026-11-21T10:00:00Z',
  finished_at: '2026-11-21T10:00:40Z',
  done: 301,
  total: 301,
  subnets: ['192.168.1.0/24'],
  hosts: [
    host({
      ip: '192.168.1.64',
      mac: 'bcad28000064',
      vendor: 'Hangzhou Hikvision',
      ports: [80, 554],
      known: 'Door-Camera',
    }),
    host({
      ip: '192.168.1.70',
      mac: '008077000070',
      vendor: 'Brother',
      ports: [80, 9100],
      type: 'printer',
      guess: 'ipp',
      model: 'Brother HL-L2350DW series',
    }),
    host({
      ip: '192.168.1.81',
      ports: [8443],
      type: 'smart_device',
      guess: 'mdns',
      name: 'Lobby screen',
      model: 'Chromecast',
    }),
    host({ ip: '192.168.1.99', hostname: '<b>tablet</b>' }),
  ],
};

const withScan = async (page: Page, { t, url, gwid }: Stage) => {
  const json = { code: 2000, message: 'Success', data: { unable: null, scan: found } };
  await page.route('**/api/v3/peripheral/scan/detail', (route) => route.fulfill({ json }));
  await page.goto(`${url}/device/index/${gwid}`);
  await page
    .getByRole('button', { name: t('peripherals.scan'), exact: true })
    .first()
    .click();
  await page.getByRole('table', { name: t('peripherals.found'), exact: true }).waitFor();
};

const withWrongRow = async (page: Page, { t, url, gwid }: Stage) => {
  const cells = {
    type: 'camera',
    network: '',
    group: '',
    mac: '',
    mode: 'TCP',
    detect_port: '554',
    web_port: '80',
    shell_port: '',
  };
  const rows = [
    { line: 2, name: 'Door-Camera', ip: '192.168.1.64', ...cells },
    { line: 3, name: 'Gate-Camera', ip: '8.8.8.8', ...cells },
  ];
  const answer = (path: string, status: number, json: object) =>
    page.route(`**/api/v3/peripheral/${path}`, (route) => route.fulfill({ status, json }));
  await answer('import/read', 200, { code: 2000, message: 'Success', data: { rows } });
  const errors = { 'rows.1.ip': ['Enter a private address (10/8, 172.16/12, 192.168/16 or 100.64/10)'] };
  await answer('import', 422, { code: 422, message: '', data: null, errors });
  await page.goto(`${url}/device/index/${gwid}`);
  await page
    .getByRole('button', { name: t('peripherals.import'), exact: true })
    .first()
    .click();
  const file = { name: 'a.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('x') };
  await page.getByLabel(t('peripherals.import_file'), { exact: true }).setInputFiles(file);
  await page.getByText(t('peripherals.import_wrong', { n: 1, all: 2 }), { exact: true }).waitFor();
};

/** Mocks peripheral devices, which a demo lacks. */
const withRows = async (page: Page, { url }: Stage, list: readonly object[] = rows) => {
  const json = { code: 2000, message: 'Success', data: { list, total: list.length } };
  await page.route('**/api/v3/peripheral/list', (route) => route.fulfill({ json }));
  await page.goto(`${url}/device/index`);
};

/** From the menu of the first row. */
const choose = async (page: Page, item: string, { t }: Stage) => {
  await page.getByRole('button', { name: t('peripherals.more', { name: 'Door-Camera' }), exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

const withPicture = async (page: Page, stage: Stage, data: object) => {
  const json = { code: 2000, message: 'Success', data: { at: '2026-11-21T10:00:00Z', ...data } };
  await page.route('**/api/v3/peripheral/snapshot', (route) => route.fulfill({ json }));
  await withRows(page, stage);
  await choose(page, stage.t('peripherals.picture_act'), stage);
};

const poweredPort = {
  port: 'Ethernet5',
  label: 'Gate',
  up: true,
  speed: 100,
  duplex: 'full',
  top_speed: 100,
  uplink: false,
  poe: { status: 'delivering-power', fault: null, class: 3, watts: 5.2 },
  vlan: 30,
  tagged: [],
  neighbours: [],
  clients: [{ mac: '00:1b:21:00:00:64', name: 'Door-Camera', ip: '192.168.1.64', vlan: 30, serial: null }],
  client_total: 1,
  counters: null,
  rates: null,
  settings: { port: 'Ethernet5', label: 'Gate', enabled: true, poe: true, vlan: 30, tagged: [], speed: null },
  own: true,
  source: { layer: 'device', id: '', name: '', locked: false },
  rule_gate: null,
  cycled_at: null,
  cycle_gate: null,
};

const withPower = async (page: Page, stage: Stage) => {
  const found = { serial: '02aa00000001', name: 'Cellar switch', status: 'online', as_of: null, port: poweredPort };
  const json = { code: 2000, message: 'Success', data: { found } };
  await page.route('**/api/v3/switch/port/find', (route) => route.fulfill({ json }));
  await withRows(page, stage, [{ ...rows[0]!, mac: '001b21000064' }]);
  await choose(page, stage.t('peripherals.restart_power'), stage);
  await page.getByRole('dialog').getByText(stage.t('ports.cycle_body')).waitFor();
};

export const peripheralScreens: readonly BuiltScreen[] = [
  { name: 'peripherals-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/device/index`) },
  { name: 'peripherals', as: 'owner', answered: true, open: (page, stage) => withRows(page, stage) },
  {
    name: 'peripherals-menu',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withRows(page, stage);
      const { t } = stage;
      await page.getByRole('button', { name: t('peripherals.more', { name: 'Door-Camera' }), exact: true }).click();
      await page.getByRole('menuitem', { name: t('peripherals.picture_act'), exact: true }).waitFor();
    },
  },
  { name: 'peripherals-scan', page: true, as: 'owner', answered: true, open: (page, stage) => withScan(page, stage) },
  { name: 'peripherals-import', as: 'owner', answered: true, open: (page, stage) => withWrongRow(page, stage) },
  { name: 'peripherals-power', as: 'owner', answered: true, open: (page, stage) => withPower(page, stage) },
  {
    name: 'peripherals-power-rule',
    as: 'owner',
    async open(page, { t, url, gwid }) {
      await page.goto(`${url}/device/index/${gwid}`);
      await page
        .getByRole('button', { name: t('peripherals.power'), exact: true })
        .first()
        .click();
      await page.getByRole('dialog').getByText(t('peripherals.power_enabled')).waitFor();
    },
  },
  {
    name: 'peripherals-picture',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withPicture(page, stage, { picture: cameraPicture, reason: null });
      await page.locator('canvas.peripheral-picture').waitFor();
    },
  },
  {
    name: 'peripherals-picture-none',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withPicture(page, stage, { picture: null, reason: 'password' });
      await page.getByText(stage.t('peripherals.picture_why_password'), { exact: true }).waitFor();
    },
  },
  {
    name: 'peripherals-new',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/device/index`);
      await page
        .getByRole('button', { name: t('peripherals.create') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
