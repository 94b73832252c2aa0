import type { Page } from 'playwright-core';
import { answerGateway } from './gateway-answers.ts';
import type { BuiltScreen, Stage } from './screens.ts';

const network = async (page: Page, { gwid, t, url }: Stage) => {
  await page.goto(`${url}/network/${gwid}`);
  await page.getByRole('heading', { name: t('card.network_flow') }).waitFor();
};

/** What a gateway under our own agent shows in its network; the demo's are of other firmware. */
export const gatewayScreens: readonly BuiltScreen[] = [
  {
    name: 'network-gateway',
    as: 'owner',
    async open(page, stage) {
      await answerGateway(page);
      await network(page, stage);
    },
  },
  {
    name: 'network-gateway-unreported',
    as: 'owner',
    async open(page, stage) {
      const nothing = { connections: null, connections_max: null, disk: null, lines: null };
      await answerGateway(page, { ...nothing, gateway_reason: 'no_report' });
      await network(page, stage);
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
