import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';

const at = '2026-11-21T10:00:00Z';
const both = (zh: string, en: string) => ({ zh, en });
const card = {
  id: 'metrics',
  name: both('Prometheus 指标', 'Prometheus metrics'),
  publisher: 'Yunxun',
  licence: 'Apache-2.0',
  description: both('以 Prometheus 文本格式提供接口流量与负载。', 'Serves interface traffic and load for Prometheus.'),
  version: '1.1.0',
  fits: 3,
  installed: 2,
  outdated: 1,
};
const settings = {
  type: 'object',
  properties: {
    address: { type: 'string', title: both('监听地址', 'Listen address'), default: '127.0.0.1' },
    port: { type: 'integer', title: both('端口', 'Port'), default: 9100, minimum: 1024, maximum: 65_535 },
    loopback: { type: 'boolean', title: both('包含环回接口', 'Include the loopback interface'), default: false },
  },
};
const gwid = '01a1f97f-0000-7000-8000-00000000e001';
const device = (index: number, more: object) => ({
  serial: `53494d00000${index}`,
  name: `Box-${index}`,
  gwid,
  network: 'Head-office',
  online: true,
  unfit: null,
  install: null,
  ...more,
});
const installed = {
  version: '1.1.0',
  reported_version: '1.1.0',
  removing: false,
  state: 'running',
  reason: null,
  log: ['listening on 192.168.1.1:9100'],
  changed_at: at,
  settings: { address: '192.168.1.1', port: 9100, loopback: false },
};
const failed = { ...installed, version: '1.0.0', reported_version: '1.0.0', state: 'failed', reason: 'exited' };
const answers: Readonly<Record<string, object>> = {
  list: { list: [card], total: 1 },
  detail: {
    ...card,
    permissions: ['net.listen', 'host.read'],
    memory_mb: 48,
    needs: null,
    settings,
    versions: [{ version: '1.1.0', arch: 'all', min_agent: '0.1.0', size: 1800, sha256: 'ab'.repeat(32) }],
    devices: [
      device(1, { install: installed }),
      device(2, { install: { ...failed, log: ['EADDRINUSE', 'exit code 1'] } }),
      device(3, {}),
      device(4, { unfit: 'agent_version', network: null, gwid: null }),
    ],
  },
  log: {
    list: [
      {
        id: gwid,
        at,
        serial: '53494d000002',
        name: 'Box-2',
        version: '1.0.0',
        event: 'failed',
        reason: 'exited',
      },
    ],
    total: 1,
  },
};

async function answer(on: Page): Promise<void> {
  await on.route('**/api/v3/plugin/**', (route) => {
    const data = answers[new URL(route.request().url()).pathname.replace('/api/v3/plugin/', '')];
    return data ? route.fulfill({ json: { code: 2000, message: '', data } }) : route.fallback();
  });
}

async function detail(on: Page, { t, url }: Stage): Promise<void> {
  await answer(on);
  await on.goto(`${url}/plugin_apps/metrics`);
  await on.getByRole('heading', { name: t('plugins.devices'), exact: true }).waitFor();
}

export const pluginScreens: readonly BuiltScreen[] = [
  { name: 'plugins-none', as: 'newPerson', open: (on, { url }) => on.goto(`${url}/index`) },
  {
    name: 'plugins',
    as: 'owner',
    answered: true,
    async open(on, { url }) {
      await answer(on);
      await on.goto(`${url}/index`);
      await on.locator('a[href="/plugin_apps/metrics"]').waitFor();
    },
  },
  { name: 'plugin', as: 'owner', answered: true, open: detail },
  {
    name: 'plugin-missing',
    as: 'owner',
    async open(on, { t, url }) {
      await on.goto(`${url}/plugin_apps/none`);
      await on.getByRole('heading', { name: t('plugins.missing') }).waitFor();
    },
  },
  {
    name: 'plugin-install',
    as: 'owner',
    answered: true,
    async open(on, stage) {
      await detail(on, stage);
      await on.getByRole('button', { name: stage.t('plugins.install'), exact: true }).click();
      await on.getByRole('dialog').waitFor();
    },
  },
];
