import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const gateway = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  kind: 'gateway_offline',
  level: 'FATAL',
  state: 'firing',
  gwid: '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  network: 'West-Lake',
  serial: '9c0000000001',
  name: 'Gateway',
  device_kind: 'gateway',
  part: '',
  began_at: ago(40),
  last_at: ago(12),
  recovered_at: null,
  seconds: 2400,
  count: 2,
  value: null,
  threshold: null,
  devices_hit: 41,
  clients_hit: 312,
  lasts: false,
  acknowledged_at: null,
  acknowledged_by: null,
  note: '',
  assignee: null,
  silenced_until: null,
};
const child = { ...gateway, kind: 'ap_offline', level: 'MIDDLE', device_kind: 'ap', devices_hit: 1, clients_hit: 8 };
const memory = {
  ...gateway,
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae9',
  kind: 'memory_high',
  level: 'GENERAL',
  state: 'silenced',
  name: 'AP-7',
  device_kind: 'ap',
  count: 1,
  value: 97,
  threshold: 95,
  devices_hit: 1,
  clients_hit: null,
  note: 'firmware comes on Friday',
  silenced_until: new Date(Date.now() + 3_600_000).toISOString(),
};
export const fullDisk = {
  ...gateway,
  id: '7c9e6679-7425-40de-944b-e07fc1f90aea',
  kind: 'console_disk',
  gwid: null,
  network: '',
  serial: null,
  name: 'console-1',
  device_kind: null,
  part: '/var/lib/yunxun',
  count: 1,
  value: 93,
  threshold: 90,
  devices_hit: 0,
  clients_hit: null,
};
const detail = {
  alarm: gateway,
  cause: null,
  children: [{ ...child, id: memory.id, name: 'AP-1' }],
  children_total: 40,
  portals: ['Guest lounge'],
  timeline: [
    { at: ago(12), type: 'reopened', person: null, note: null, until: null },
    { at: ago(20), type: 'recovered', person: null, note: null, until: null },
    { at: ago(30), type: 'acknowledged', person: 'Lin', note: 'on site at 9', until: null },
    { at: ago(37), type: 'opened', person: null, note: null, until: null },
  ],
};

const similar = {
  total: 12,
  list: [
    {
      id: memory.id,
      began_at: ago(3000),
      recovered_at: ago(2960),
      seconds: 2400,
      count: 1,
      value: null,
      end: 'resolved',
      person: 'Lin',
      note: 'power supply replaced',
    },
    {
      id: child.id,
      began_at: ago(9000),
      recovered_at: ago(8990),
      seconds: 600,
      count: 3,
      value: null,
      end: 'recovered',
      person: null,
      note: '',
    },
  ],
};
const stat = {
  as_of: ago(0),
  active: 3,
  by_level: { FATAL: 1, MIDDLE: 0, GENERAL: 2 },
  firing: 3,
  acknowledged: 0,
  silenced: 1,
};

const withAlarms = async (page: Page, { url }: Stage, rest = '', shown: object = detail) => {
  const answer = (data: unknown) => ({ json: { code: 2000, message: 'Success', data } });
  await page.route('**/api/v3/alarm/list', (route) =>
    route.fulfill(answer({ list: [gateway, fullDisk, memory], total: 3 })),
  );
  await page.route('**/api/v3/alarm/detail', (route) => route.fulfill(answer(shown)));
  await page.route('**/api/v3/alarm/similar', (route) => route.fulfill(answer(similar)));
  await page.route('**/api/v3/alarm/stat', (route) => route.fulfill(answer(stat)));
  await page.goto(`${url}/alarm${rest}`);
};

const acting =
  (item: 'alarm.acknowledge' | 'alarm.silence') =>
  async (page: Page, stage: Stage): Promise<void> => {
    const { t } = stage;
    await withAlarms(page, stage);
    await page.getByRole('button', { name: t('alarm.acts', { name: 'Gateway' }) }).click();
    await page.getByRole('menuitem', { name: t(item) }).click();
    await page.getByRole('dialog').waitFor();
  };

const subscription = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae1',
  name: 'On-call',
  enabled: true,
  locale: 'en',
  kinds: [],
  levels: ['FATAL', 'MIDDLE'],
  scope: { type: 'all', ids: [] },
  members: [],
  member_channels: [],
  schedule: [{ days: [1, 2, 3, 4, 5], period: '08:00-20:00' }],
  quiet: '22:00-07:00',
  digest_minutes: 5,
  repeat_hours: 4,
  recovery: true,
  last: { at: ago(12), state: 'failed', sent: 1, recipients: 2 },
  endpoints: [
    { id: '7c9e6679-7425-40de-944b-e07fc1f90ae2', type: 'feishu', shown: 'open.feishu.cn/…3fa1', has_secret: true },
    { id: '7c9e6679-7425-40de-944b-e07fc1f90ae3', type: 'webhook', shown: 'noc.example.org/…/in', has_secret: true },
  ],
};
const notice = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae4',
  batch_id: '7c9e6679-7425-40de-944b-e07fc1f90ae5',
  subscription: 'On-call',
  channel: 'feishu',
  recipient: 'open.feishu.cn/…3fa1',
  state: 'waiting',
  total: 1,
  error: 'HTTP 503',
  created_at: ago(12),
  sent_at: null,
  next_at: ago(-1),
  items: [{ alarm_id: gateway.id, event: 'opened', text: '[Critical] Gateway GW-1 of West-Lake is offline' }],
  attempts: [
    { at: ago(11), ok: false, error: 'HTTP 503' },
    { at: ago(12), ok: false, error: 'The provider did not answer in time' },
  ],
};
const sent = {
  ...notice,
  id: '7c9e6679-7425-40de-944b-e07fc1f90ae6',
  channel: 'console',
  recipient: 'Lin',
  state: 'sent',
};

const withSubscriptions = async (page: Page, { url }: Stage, rest = '') => {
  const answer = (data: unknown) => ({ json: { code: 2000, message: 'Success', data } });
  const list = { list: [subscription], time_zone: 'Asia/Shanghai' };
  const notices = { list: [notice, { ...sent, error: null, next_at: null, attempts: [] }], total: 2 };
  await page.route('**/api/v3/alarm_subscription/list', (route) => route.fulfill(answer(list)));
  await page.route('**/api/v3/alarm_notice/list', (route) => route.fulfill(answer(notices)));
  await page.goto(`${url}/alarm_subscribe${rest}`);
};

const browser = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90ab1',
  name: 'Safari 19 · iPhone',
  fingerprint: 'a1',
  created_at: ago(9000),
  last: { at: ago(12), error: null },
};
const browsers = [
  browser,
  {
    ...browser,
    id: '7c9e6679-7425-40de-944b-e07fc1f90ab2',
    name: 'Firefox 150 · Windows',
    last: { at: ago(300), error: 'The host cannot be reached' },
  },
  { ...browser, id: '7c9e6679-7425-40de-944b-e07fc1f90ab3', name: 'Edge 150 · Windows', last: null },
];

/** Answers browsers; `insecure`: the page says that it was opened over plain HTTP. */
const withBrowsers =
  (list: readonly object[], insecure = false) =>
  async (page: Page, { url }: Stage): Promise<void> => {
    const json = { code: 2000, message: 'Success', data: { list, public_key: '' } };
    await page.route('**/api/v3/alarm_browser/list', (route) => route.fulfill({ json }));
    if (insecure) await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
    // headless Chromium denies notifications
    else await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { value: 'default' }));
    await page.goto(`${url}/alarm_subscribe?tab=browsers`);
  };

const subscriptionScreens: readonly BuiltScreen[] = [
  { name: 'alarm-subscriptions-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/alarm_subscribe`) },
  {
    name: 'alarm-subscriptions',
    page: true,
    as: 'owner',
    answered: true,
    open: (page, stage) => withSubscriptions(page, stage),
  },
  {
    name: 'alarm-subscription',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withSubscriptions(page, stage);
      const name = stage.t('subscription.edit', { name: 'On-call' });
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'alarm-notices',
    page: true,
    as: 'owner',
    answered: true,
    open: (page, stage) => withSubscriptions(page, stage, '?tab=sent'),
  },
  { name: 'alarm-browsers', as: 'owner', answered: true, open: withBrowsers(browsers) },
  { name: 'alarm-browsers-plain-http', as: 'owner', answered: true, open: withBrowsers([], true) },
  {
    name: 'alarm-notice',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withSubscriptions(page, stage, '?tab=sent');
      await page
        .getByRole('button', { name: stage.t('subscription.open') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

const report = {
  id: '7c9e6679-7425-40de-944b-e07fc1f90af1',
  name: 'Morning',
  enabled: true,
  period: 'day',
  weekday: 1,
  hour: 8,
  members: ['7c9e6679-7425-40de-944b-e07fc1f90af3'],
  next_at: ago(-600),
  last: [
    { test: false, person: 'lin@example.com', state: 'sent', error: null, at: ago(840) },
    {
      test: false,
      person: 'wang@example.com',
      state: 'failed',
      error: 'This member has no e-mail address',
      at: ago(840),
    },
  ],
};
const weekly = { ...report, id: '7c9e6679-7425-40de-944b-e07fc1f90af2', name: 'Week', period: 'week', last: [] };

const withReports = async (page: Page, { url }: Stage) => {
  const data = { list: [report, { ...weekly, enabled: false, next_at: null }], time_zone: 'Asia/Shanghai', mail: true };
  await page.route('**/api/v3/report/list', (route) =>
    route.fulfill({ json: { code: 2000, message: 'Success', data } }),
  );
  await page.goto(`${url}/alarm_subscribe?tab=reports`);
};

const reportScreens: readonly BuiltScreen[] = [
  { name: 'reports-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/alarm_subscribe?tab=reports`) },
  { name: 'reports', as: 'owner', answered: true, open: withReports },
  {
    name: 'report',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withReports(page, stage);
      await page.getByRole('button', { name: stage.t('reports.edit', { name: 'Week' }) }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'report-preview',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/alarm_subscribe?tab=reports`);
      await page
        .getByRole('button', { name: t('reports.preview') })
        .first()
        .click();
      await page.getByRole('dialog').getByTitle(t('reports.preview_frame')).waitFor();
    },
  },
];

export const alarmScreens: readonly BuiltScreen[] = [
  ...subscriptionScreens,
  ...reportScreens,
  { name: 'alarms-empty', as: 'newPerson', open: (page, { url }) => page.goto(`${url}/alarm`) },
  { name: 'alarms', as: 'owner', answered: true, open: (page, stage) => withAlarms(page, stage) },
  {
    name: 'alarm',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await withAlarms(page, stage, `?alarm=${gateway.id}`);
      await page.getByRole('dialog').getByText(stage.t('alarm.timeline')).waitFor();
    },
  },
  {
    name: 'alarm-of-account',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const about = { ...detail, alarm: fullDisk, children: [], children_total: 0, portals: [] };
      await withAlarms(page, stage, `?alarm=${fullDisk.id}`, about);
      await page.getByRole('dialog').getByText(stage.t('alarm.timeline')).waitFor();
    },
  },
  { name: 'alarm-acknowledge', as: 'owner', answered: true, open: acting('alarm.acknowledge') },
  { name: 'alarm-silence', as: 'owner', answered: true, open: acting('alarm.silence') },
  { name: 'alarm-rules', page: true, as: 'owner', open: (page, { url }) => page.goto(`${url}/alarm?tab=rules`) },
  {
    name: 'alarm-rule',
    page: true,
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/alarm?tab=rules`);
      const name = t('alarm.kind_memory_high');
      await page.getByRole('button', { name: t('alarm.rule_edit', { name }) }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'alarm-rule-of-account',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/alarm?tab=rules&rule=sms_balance_low`);
      await page.getByRole('dialog').getByText(t('alarm.kind_sms_balance_low')).first().waitFor();
    },
  },
  {
    name: 'alarm-backtest',
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/alarm?tab=rules`);
      const name = t('alarm.kind_ap_offline');
      await page.getByRole('button', { name: t('alarm.backtest_rule', { name }) }).click();
      await page.getByRole('dialog').getByText(t('alarm.backtest_variants')).waitFor();
    },
  },
  {
    name: 'alarm-backtest-levels',
    as: 'owner',
    answered: true,
    async open(page, { t, url }) {
      const values = Array.from({ length: 240 }, (_, n) => (n % 37 === 5 ? null : 60 + 30 * Math.sin(n / 9) ** 2));
      const json = { code: 2000, message: 'Success', data: { curve: { from: ago(240 * 60), step: 3600, values } } };
      await page.route('**/api/v3/alarm_rule/levels', (route) => route.fulfill({ json }));
      await page.goto(`${url}/alarm?tab=rules`);
      const name = t('alarm.kind_memory_high');
      await page.getByRole('button', { name: t('alarm.backtest_rule', { name }) }).click();
      const line = page.getByRole('dialog').getByRole('slider', { name: t('alarm.threshold') });
      await line.press('PageDown');
      await page
        .getByRole('dialog')
        .getByText(t('alarm.backtest_tried', { tried: '85%', saved: '95%' }))
        .waitFor();
    },
  },
  {
    name: 'alarm-rule-from',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const { t } = stage;
      await page.route('**/api/v3/alarm/detail', (route) =>
        route.fulfill({ json: { code: 2000, message: 'Success', data: { ...detail, alarm: memory } } }),
      );
      await page.goto(`${stage.url}/alarm?tab=rules&rule=memory_high&from_alarm=${memory.id}`);
      await page.getByRole('dialog').getByText(t('alarm.rule_from_hint')).waitFor();
    },
  },
  {
    name: 'alarm-presets',
    page: true,
    as: 'owner',
    async open(page, { t, url }) {
      await page.goto(`${url}/alarm?tab=rules`);
      await page.getByRole('button', { name: t('alarm.presets') }).click();
      await page.getByRole('dialog').getByText(t('alarm.preset_uncounted')).waitFor();
    },
  },
];
