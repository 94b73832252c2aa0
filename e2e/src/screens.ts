import type { Page } from 'playwright-core';
import type { Text } from './browser.ts';
import { accountScreens } from './screens-account.ts';
import { adminScreens } from './screens-admin.ts';
import { backupScreens } from './screens-backup.ts';
import { firmwareScreens } from './screens-firmware.ts';
import { fleetScreens } from './screens-fleet.ts';
import { gatewayScreens } from './screens-gateway.ts';
import { homeScreens } from './screens-home.ts';
import { personalScreens } from './screens-personal.ts';
import { signInScreens } from './screens-sign-in.ts';
import { templateScreens } from './screens-templates.ts';
import { wirelessScreens } from './screens-wireless.ts';
import { until } from './until.ts';

/** What a screen is shown of. */
export interface Stage {
  t: Text;
  url: string;
  /** A network with access points that are in sync. */
  gwid: string;
  remark: string;
  /** One of its access points. */
  serial: string;
}

/** A built screen, or a state of one that looks like nothing else. */
export interface BuiltScreen {
  name: string;
  /** Who looks: nobody, the owner of an account without a device, or of one with a fleet, or the installation's administrator. */
  as: 'visitor' | 'newcomer' | 'owner' | 'admin';
  /** Some of what it shows is made up here, because no device of a demo reports it: no picture of what is. */
  answered?: true;
  /** Brings the page there; the caller waits until it has settled. */
  open(page: Page, stage: Stage): Promise<unknown>;
}

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

/** Adds an SSID to the draft of a network and asks what pushing it would do. */
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

/** Every built screen, its dialogs, and its empty and error states. */
export const screens: readonly BuiltScreen[] = [
  ...signInScreens,
  { name: 'not-found', as: 'visitor', open: at('/no/such/page') },
  { name: 'networks-empty', as: 'newcomer', open: at('/networks') },
  { name: 'waiting-empty', as: 'newcomer', open: at('/waiting_devices') },
  { name: 'jobs-empty', as: 'newcomer', open: at('/jobs') },
  { name: 'messages-empty', as: 'newcomer', open: at('/messages') },
  ...homeScreens,
  ...wirelessScreens,
  ...backupScreens,
  ...firmwareScreens,
  ...templateScreens,
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
      await page.getByText(t('validation.nameText')).waitFor();
    },
  },
  { name: 'network', as: 'owner', open: network() },
  ...fleetScreens,
  ...gatewayScreens,
  { name: 'network-gateway-tab', as: 'owner', open: network('?tab=gateway') },
  { name: 'network-wireless', as: 'owner', open: wireless },
  { name: 'network-devices', as: 'owner', open: network('?tab=devices') },
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
  { name: 'terminals-empty', as: 'newcomer', open: at('/networks/online_users') },
  { name: 'terminals', as: 'owner', open: at('/networks/online_users') },
  { name: 'terminals-today', as: 'owner', open: at(({ gwid }) => `/networks/online_users/${gwid}?tab=today`) },
  { name: 'terminals-blocked', as: 'owner', open: at('/networks/online_users?tab=blocked') },
  {
    name: 'terminal',
    as: 'owner',
    async open(page, { url }) {
      await page.goto(`${url}/networks/online_users`);
      const facts = page.getByRole('dialog').locator('.facts');
      // terminals come and go: the first row may be another one by the time it is pressed
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
  { name: 'topology-empty', as: 'newcomer', open: at('/topology') },
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
  { name: 'network-history', as: 'owner', open: network('?tab=history') },
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
  { name: 'operation-log', as: 'owner', open: at('/logs/action') },
  {
    name: 'operation',
    as: 'owner',
    async open(page, { t, url }) {
      // what other screens did stands above it, page after page
      await page.goto(`${url}/logs/action?keyword=${encodeURIComponent(t('log_action.network.wireless.save'))}`);
      await page
        .getByRole('row')
        .filter({ hasText: t('log_action.network.wireless.save') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  ...personalScreens,
  ...accountScreens,
  ...adminScreens,
  { name: 'planned', as: 'owner', open: at('/flow_monitor') },
  { name: 'forbidden', as: 'owner', open: at('/forbidden?permission=network.write') },
];

/** Waits until nothing is loading any more: data, chunks, fonts, messages in the corner. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.fonts.status === 'loaded' &&
      document.querySelector('h1, h2') !== null &&
      document.querySelector('[aria-busy="true"], [data-busy], [data-loading], .toast') === null,
  );
}
