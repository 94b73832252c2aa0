import type { Page } from 'playwright-core';
import type { BuiltScreen, Stage } from './built-screen.ts';
import { answerGateway, changeAnswer } from './gateway-answers.ts';

const network = async (page: Page, { gwid, t, url }: Stage) => {
  await page.goto(`${url}/network/${gwid}`);
  await page.getByRole('heading', { name: t('card.network_flow') }).waitFor();
};

export const gatewayScreens: readonly BuiltScreen[] = [
  {
    name: 'network-gateway',
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
    as: 'owner',
    answered: true,
    async open(page, { gwid, t, url }) {
      // access point firmware hides the settings
      await changeAnswer(page, '/api/v3/network/gateway/get', (data) => ({ ...data, gates: [] }));
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
