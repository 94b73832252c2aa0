import type { Page } from 'playwright-core';
import type { Text } from './browser.ts';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { accountScreens } from './screens-account.ts';
import { adminScreens } from './screens-admin.ts';
import { alarmScreens } from './screens-alarms.ts';
import { backupScreens } from './screens-backup.ts';
import { clearingScreens } from './screens-clearing.ts';
import { fapiaoScreens } from './screens-fapiao.ts';
import { firmwareScreens } from './screens-firmware.ts';
import { fleetScreens } from './screens-fleet.ts';
import { flowScreens } from './screens-flow.ts';
import { gatewayScreens } from './screens-gateway.ts';
import { guestScreens } from './screens-guests.ts';
import { homeScreens } from './screens-home.ts';
import { moneyScreens } from './screens-money.ts';
import { peripheralScreens } from './screens-peripherals.ts';
import { personalScreens } from './screens-personal.ts';
import { pluginScreens } from './screens-plugins.ts';
import { portalScreens } from './screens-portal.ts';
import { radiusScreens } from './screens-radius.ts';
import { remoteScreens } from './screens-remote.ts';
import { sdwanScreens } from './screens-sdwan.ts';
import { shieldScreens } from './screens-shield.ts';
import { answers, signInScreens } from './screens-sign-in.ts';
import { templateScreens } from './screens-templates.ts';
import { wirelessScreens } from './screens-wireless.ts';
import { until } from './until.ts';

const at =
  (path: string | ((stage: Stage) => string)) =>
  (page: Page, stage: Stage): Promise<unknown> =>
    page.goto(stage.url + (typeof path === 'string' ? path : path(stage)));

const network = (rest = '') => at(({ gwid }) => `/network/${gwid}${rest}`);
const wireless = network('?tab=wireless');

const moreOf = async (page: Page, { t }: Stage, item: Parameters<Text>[0]) => {
  await page
    .locator('.page-head')
    .getByRole('button', { name: t('action.more') })
    .click();
  await page.getByRole('menuitem', { name: t(item) }).click();
  await page.getByRole('dialog').waitFor();
};

const preview = async (page: Page, stage: Stage) => {
  const { t } = stage;
  await wireless(page, stage);
  await page.getByRole('button', { name: t('wireless.add') }).click();
  await page.getByLabel(t('wireless.name')).fill('Conference');
  await page.getByLabel(t('wireless.key'), { exact: true }).fill('welcome-2026');
  await page.getByRole('button', { name: t('wireless.apply') }).click();
  await page.getByRole('button', { name: t('wireless.preview') }).click();
  await page.getByRole('dialog').locator('summary').first().click();
};

export const screens: readonly BuiltScreen[] = [
  ...signInScreens,
  { name: 'not-found', as: 'visitor', open: at('/no/such/page') },
  { name: 'networks-empty', as: 'newPerson', open: at('/networks') },
  { name: 'waiting-empty', as: 'newPerson', open: at('/waiting_devices') },
  { name: 'jobs-empty', as: 'newPerson', open: at('/jobs') },
  { name: 'messages-empty', as: 'newPerson', open: at('/messages') },
  ...homeScreens,
  ...wirelessScreens,
  ...flowScreens,
  ...pluginScreens,
  ...remoteScreens,
  ...sdwanScreens,
  ...backupScreens,
  ...firmwareScreens,
  ...alarmScreens,
  ...radiusScreens,
  ...peripheralScreens,
  ...shieldScreens,
  ...templateScreens,
  ...portalScreens,
  ...guestScreens,
  { name: 'networks', as: 'owner', open: at('/networks') },
  { name: 'networks-no-hits', as: 'owner', open: at('/networks?keyword=nothing+like+it') },
  {
    name: 'networks-failed',
    as: 'owner',
    async open(page, { t, url }) {
      await page.route('**/api/v3/network/list', (route) => route.abort());
      await page.goto(`${url}/networks`);
      await page.getByText(t('empty.failed')).waitFor();
    },
  },
  {
    name: 'network-new',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/networks`);
      await page.getByRole('button', { name: t('networks.create') }).click();
      await page.getByLabel(t('networks.create_name')).fill('a "quoted" name');
      await page.keyboard.press('Enter');
      await page.getByText(t('validation.freeText', { character: '"' })).waitFor();
    },
  },
  { name: 'network', as: 'owner', open: network() },
  ...fleetScreens,
  ...gatewayScreens,
  { name: 'network-gateway-tab', as: 'owner', open: network('?tab=gateway') },
  { name: 'network-wireless', page: true, as: 'owner', open: wireless },
  { name: 'network-devices', page: true, as: 'owner', open: network('?tab=devices') },
  { name: 'network-gone', as: 'owner', open: at('/network/01a1f97f-0000-7000-8000-000000000000') },
  {
    name: 'network-ssid',
    as: 'owner',
    async open(page, stage) {
      await wireless(page, stage);
      await page.locator('.ssid-line').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'network-preview', as: 'owner', open: preview },
  {
    name: 'network-restart',
    as: 'owner',
    async open(page, stage) {
      await network()(page, stage);
      await page.getByRole('button', { name: stage.t('networks.reboot') }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'network-unbind',
    as: 'owner',
    async open(page, stage) {
      await network()(page, stage);
      await moreOf(page, stage, 'networks.unbind');
    },
  },
  {
    name: 'network-menu',
    as: 'owner',
    async open(page, stage) {
      await network()(page, stage);
      await page
        .locator('.page-head')
        .getByRole('button', { name: stage.t('action.more') })
        .click();
      await page.getByRole('menu').waitFor();
    },
  },
  { name: 'access-points', as: 'owner', open: at(({ gwid }) => `/network/aps/${gwid}`) },
  {
    name: 'device',
    as: 'owner',
    async open(page, stage) {
      await network(`?tab=devices&device=${stage.serial}`)(page, stage);
      await page
        .getByRole('dialog')
        .getByRole('heading', { name: stage.t('device.config'), exact: true })
        .waitFor();
    },
  },
  {
    name: 'device-history',
    page: true,
    as: 'owner',
    async open(page, stage) {
      await network(`?tab=devices&device=${stage.serial}`)(page, stage);
      const drawer = page.getByRole('dialog');
      await drawer.getByRole('tab', { name: stage.t('device.tab_history') }).click();
      await drawer.getByText(stage.t('history.none')).or(drawer.locator('.history li').first()).waitFor();
    },
  },
  { name: 'waiting', as: 'owner', open: at('/waiting_devices') },
  {
    name: 'waiting-transfer',
    as: 'owner',
    async open(page, { t, url }) {
      const at = new Date().toISOString();
      await answers(page, 'binding/transfer/list', 2000, {
        list: [{ id: '1', serial: '9c0000000001', reason: 'Sold with the shop', asked_at: at, due_at: at }],
      });
      await page.goto(`${url}/waiting_devices`);
      await page.getByText(t('transfers.title')).waitFor();
    },
  },
  {
    name: 'import',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/waiting_devices`);
      await page.getByRole('button', { name: t('imports.open') }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'waiting-place',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/waiting_devices`);
      await page
        .getByRole('row')
        .getByRole('button', { name: t('waiting.adopt') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'terminals-empty', as: 'newPerson', open: at('/networks/online_users') },
  { name: 'terminals', as: 'owner', open: at('/networks/online_users') },
  {
    name: 'terminals-today',
    page: true,
    as: 'owner',
    open: at(({ gwid }) => `/networks/online_users/${gwid}?tab=today`),
  },
  { name: 'terminals-blocked', page: true, as: 'owner', open: at('/networks/online_users?tab=blocked') },
  {
    name: 'terminal',
    as: 'owner',
    async open(page, { url }) {
      await page.goto(`${url}/networks/online_users`);
      const facts = page.getByRole('dialog').locator('.facts');
      // clients come and go
      await until('a terminal opens', async () => {
        await page
          .locator('tbody tr .users-two')
          .first()
          .click({ timeout: 2000 })
          .catch(() => undefined);
        return facts.waitFor({ timeout: 2000 }).then(
          () => true,
          () => false,
        );
      });
    },
  },
  { name: 'assets', as: 'owner', open: at(({ gwid }) => `/asset/${gwid}`) },
  { name: 'asset', as: 'owner', open: at(({ gwid, serial }) => `/asset/${gwid}?asset=${serial}`) },
  { name: 'map', as: 'owner', open: at('/map') },
  {
    name: 'map-alarms',
    as: 'owner',
    answered: true,
    async open(page, { url }) {
      const point = (n: number, lat: number, lng: number, status: string, worst: string | null) => ({
        gwid: `7c9e6679-7425-40de-944b-e07fc1f90b0${n}`,
        remark: `Shop-${n}`,
        tags: [],
        lat,
        lng,
        address: '',
        status,
        status_since: new Date().toISOString(),
        ap_num: 4,
        ap_online_num: 4,
        alarms: { total: worst ? n : 0, worst },
      });
      const points = [
        point(1, 30.2, 120.1, 'offline', 'FATAL'),
        point(2, 31.2, 121.4, 'online', 'MIDDLE'),
        point(3, 32.1, 118.8, 'online', 'GENERAL'),
        point(4, 28.2, 113, 'online', null),
        point(5, 28.3, 113.1, 'online', 'MIDDLE'),
      ];
      const unplaced = { total: 0, list: [] };
      const data = { as_of: new Date().toISOString(), points, left_out: 0, unplaced, tiles: null };
      await page.route('**/api/v3/map/list', (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data } }),
      );
      await page.goto(`${url}/map?network=${points[0]!.gwid}`);
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'topology-empty', as: 'newPerson', open: at('/topology') },
  { name: 'topology', as: 'owner', open: at(({ gwid }) => `/topology/${gwid}`) },
  {
    name: 'topology-device',
    as: 'owner',
    async open(page, { url, gwid }) {
      await page.goto(`${url}/topology/${gwid}`);
      await page.locator('.topo-ap [role=button]').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'jobs', as: 'owner', open: at('/jobs') },
  { name: 'sign-ins', as: 'owner', open: at('/logs/auth') },
  { name: 'message-gone', as: 'owner', open: at('/message/01a1f97f-0000-7000-8000-000000000000') },
  { name: 'network-history', page: true, as: 'owner', open: network('?tab=history') },
  {
    name: 'job',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/jobs`);
      await page
        .getByRole('row')
        .filter({ hasText: t('job_type.configuration') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'operation-log', page: true, as: 'owner', open: at('/logs/action') },
  {
    name: 'operation',
    as: 'owner',
    async open(page, { t, url }) {
      // filtered: other screens fill the log
      await page.goto(`${url}/logs/action?keyword=${encodeURIComponent(t('log_action.network.wireless.save'))}`);
      await page
        .getByRole('row')
        .filter({ hasText: t('log_action.network.wireless.save') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'operation-group',
    as: 'owner',
    async open(page, { t, url }) {
      const object = { type: 'group', id: '01a1f97f-0000-7000-8000-000000000001', name: 'Lobbies' };
      const row = {
        seq: 1,
        time: new Date().toISOString(),
        operator: 'li@example.com',
        hosted: false,
        token_name: null,
        source: 'web',
        ip: '203.0.113.7',
        action: 'group.settings.save',
        object,
        gwid: null,
        result: 'success',
        job_id: null,
        undoable: true,
        undo_permission: 'config.write',
        undoes: null,
        before: { version: 3, maximum_clients: 40 },
        after: { version: 4, maximum_clients: 60 },
      };
      const totals = { devices: 5, changed: 4, wrong: 0, offline: 1, terminals: 12 };
      await answers(page, 'log/action/list', 2000, { list: [row], total: 1 });
      await answers(page, 'ap/group/settings/revert_preview', 2000, { devices: [], totals, drops: [] });
      await page.goto(`${url}/logs/action`);
      await page.getByRole('row').filter({ hasText: object.name }).first().click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('action.undo') })
        .click();
      await page.getByText(t('wireless.preview_sum', { changed: 4, devices: 5 })).waitFor();
    },
  },
  ...personalScreens,
  ...moneyScreens,
  ...clearingScreens,
  ...fapiaoScreens,
  ...accountScreens,
  ...adminScreens,
  { name: 'planned', as: 'owner', open: at('/billing/transactions') },
  { name: 'forbidden', as: 'owner', open: at('/forbidden?permission=network.write') },
];

/** Closes toasts, which stay six seconds. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    for (const close of document.querySelectorAll<HTMLElement>('.toast > button:last-child')) close.click();
    return (
      document.fonts.status === 'loaded' &&
      document.querySelector('h1, h2') !== null &&
      document.querySelector('[aria-busy="true"], [data-busy], [data-loading], .toast') === null
    );
  });
}
