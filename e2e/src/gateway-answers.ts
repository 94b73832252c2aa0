import type { Page } from 'playwright-core';
import { answers } from './home-answers.ts';

const since = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

export const gatewayFacts = () => ({
  connections: 71_204,
  connections_max: 262_144,
  disk: { total: 31 * 1024 ** 3, free: 22 * 1024 ** 3 },
  gateway_reason: null,
  lines: [
    {
      interface: 'up0v0',
      address: '198.51.100.3',
      gateway: '198.51.100.1',
      alive: true,
      latency_ms: 3.52,
      loss_pct: 0,
      since: since(4000),
    },
    {
      interface: 'up1v0',
      address: '203.0.113.9',
      gateway: '203.0.113.1',
      alive: false,
      latency_ms: null,
      loss_pct: 100,
      since: since(7),
    },
    {
      interface: 'up2v0',
      address: null,
      gateway: null,
      alive: null,
      latency_ms: null,
      loss_pct: null,
      since: null,
    },
  ],
});

export async function changeAnswer(page: Page, path: string, change: (data: object) => object): Promise<void> {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: change(body.data) } });
  });
}

export async function answerGateway(page: Page, more: object = {}): Promise<void> {
  await changeAnswer(page, '/api/v3/network/detail', (data) => ({ ...data, ...gatewayFacts(), ...more }));
  await page.route('**/api/v3/user_stat/flow_model', (route) =>
    route.fulfill({ json: { code: 2000, message: '', data: answers.flow_model } }),
  );
}
