import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { answerGateway, changeAnswer } from './gateway-answers.ts';
import { answers } from './screens-sign-in.ts';

const network = async (page: Page, { gwid, t, url }: Stage) => {
  await page.goto(`${url}/network/${gwid}`);
  await page.getByRole('heading', { name: t('card.network_flow') }).waitFor();
};

const listens = { process: 'dnsmasq', address: '0.0.0.0', port: 53 };
const overlap = { name: 'Branch-1', prefix: '10.9.0.0/24', other: 'Harbour', other_prefix: '10.9.0.0/16' };
const effect = {
  id: '01a1f97f-0000-7000-8000-00000000d001',
  name: 'Branches',
  from: '10.7.0.0/24',
  to: null,
  more: 3,
  gateways: ['Branch-1', 'Branch-2'],
  errors: [],
};
const gatewayPreview = (effect: string, severity: string, code: string, effects: object[]) => ({
  devices: [
    {
      serial: '53494d000001',
      name: 'Gateway',
      status: 'online',
      effect,
      first: true,
      wired: true,
      changes: [],
      more: 0,
      terminals: null,
      findings: [{ severity, code, field: 'take_port53', params: listens }],
    },
  ],
  totals: { devices: 1, changed: 1, wrong: severity === 'wrong' ? 1 : 0, offline: 0, terminals: 0 },
  drops: [],
  effects,
});
const effects = [
  { ...effect, effect: 'sdwan_follows', to: '10.9.0.0/24' },
  {
    ...effect,
    effect: 'sdwan_cut',
    from: '10.8.0.0/24',
    gateways: [],
    errors: [{ code: 'overlap', key: null, field: null, params: overlap }],
  },
  { ...effect, effect: 'sdwan_host', from: '203.0.113.9', more: 0 },
  { ...effect, effect: 'sdwan_reconnects', from: '203.0.113.9', more: 0 },
];

const apply = async (page: Page, { gwid, t, url }: Stage, preview: object) => {
  await changeAnswer(page, '/api/v3/network/gateway/get', (data) => ({ ...data, gates: [], version: 0 }));
  await answers(page, 'network/gateway/preview', 2000, preview);
  await page.goto(`${url}/network/gateway/${gwid}`);
  await page.getByRole('button', { name: t('gateway.review') }).click();
  await page.getByText(t('gateway.take_port53', { process: listens.process })).waitFor();
};

export const gatewayScreens: readonly BuiltScreen[] = [
  {
    name: 'network-gateway',
    page: true,
    as: 'owner',
    answered: true,
    async open(page, stage) {
      await answerGateway(page);
      await network(page, stage);
    },
  },
  {
    name: 'network-gateway-unreported',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const nothing = { connections: null, connections_max: null, disk: null, lines: null };
      await answerGateway(page, { ...nothing, gateway_reason: 'no_report' });
      await network(page, stage);
    },
  },
  {
    name: 'network-trial',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const trial_until = new Date(Date.now() + 170_000).toISOString();
      await answerGateway(page, { sync_state: 'applying', trial_until });
      await network(page, stage);
      await page.getByText(stage.t('network.trial')).waitFor();
    },
  },
  {
    name: 'network-returned',
    as: 'owner',
    answered: true,
    async open(page, stage) {
      const sync_reason = 'the console was not reached within 60 s (connect ETIMEDOUT 203.0.113.1:5912)';
      await answerGateway(page, { sync_state: 'failed', returned_at: new Date().toISOString(), sync_reason });
      await network(page, stage);
      await page.getByText(sync_reason).waitFor();
    },
  },
  {
    name: 'network-gateway-page',
    page: true,
    as: 'owner',
    answered: true,
    async open(page, { gwid, t, url }) {
      // access point firmware hides the settings
      await changeAnswer(page, '/api/v3/network/gateway/get', (data) => ({ ...data, gates: [], version: 0 }));
      await page.goto(`${url}/network/gateway/${gwid}`);
      await page.getByRole('button', { name: t('gateway.review') }).waitFor();
    },
  },
  {
    name: 'gateway-returned',
    as: 'owner',
    answered: true,
    async open(page, { gwid, t, url }) {
      const sync_reason = 'the console was not reached within 60 s (connect ETIMEDOUT 203.0.113.1:5912)';
      await answerGateway(page, { sync_state: 'failed', returned_at: new Date().toISOString(), sync_reason });
      await page.goto(`${url}/network/gateway/${gwid}`);
      await page.getByText(t('network.returned_settings')).waitFor();
    },
  },
  {
    name: 'gateway-apply',
    as: 'owner',
    answered: true,
    open: (page, stage) => apply(page, stage, gatewayPreview('wrong', 'wrong', 'port53_in_use', effects)),
  },
  {
    name: 'gateway-apply-unconfirmed',
    as: 'owner',
    answered: true,
    open: (page, stage) => apply(page, stage, gatewayPreview('unconfirmed', 'adjusted', 'port53_taken', [])),
  },
  {
    name: 'waiting-help',
    as: 'newPerson',
    async open(page, { t, url }) {
      await page.goto(`${url}/waiting_devices`);
      await page.getByText(t('waiting.help')).click();
      await page.getByText(t('waiting.help_again')).waitFor();
    },
  },
  {
    name: 'network-flow-failed',
    as: 'owner',
    async open(page, stage) {
      await page.route('**/api/v3/user_stat/flow_model', (route) => route.abort());
      await network(page, stage);
      await page.getByText(stage.t('empty.failed')).waitFor();
    },
  },
];
