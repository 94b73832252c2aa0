import { expect, it, vi } from 'vitest';
import { createUplinkHandlers } from './uplink-handlers.ts';

it('looks again with each report only for a waiting device that serves clients', async () => {
  const routes = vi.fn(async () => false);
  const database = { withSystem: (work: (tx: null) => unknown) => work(null) };
  const deps = { database, presence: { routes }, mayLead: async () => true };
  const handlers = createUplinkHandlers(deps as unknown as Parameters<typeof createUplinkHandlers>[0]);
  const report = (serial: string, serves: boolean) =>
    handlers.reported(
      { accountId: 'a', serial },
      { downstream: { routes: serves, serves }, uptimeS: null },
      new Date(0),
    );
  for (let reports = 0; reports < 3; reports += 1) await report('bridge', false);
  expect(routes).toHaveBeenCalledTimes(1);
  for (let reports = 0; reports < 3; reports += 1) await report('router', true);
  expect(routes).toHaveBeenCalledTimes(4);
});
