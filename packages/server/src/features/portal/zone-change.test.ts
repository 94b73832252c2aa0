import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { contentWith, freeLimits, memoryTemplates } from './testing/guest.ts';
import { portalNetwork } from './testing/portal-network.ts';
import { createZoneChange } from './zone-change.ts';

const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;

beforeAll(async () => {
  server = await startTestServer({ portalTemplates: templates });
  owner = await server.register();
});
afterAll(() => server.stop());

it('asks once for all sites, and pushes to those with hours that open while the console is away', async () => {
  const hours = [{ days: [1], from: '09:00', to: '18:00' }];
  const network = async (change: Parameters<typeof contentWith>[1]) => {
    const content = contentWith([{ kind: 'one_click', ...freeLimits }], change);
    return (await portalNetwork(server, owner, templates, { gateway: 'opennds_1', content })).gwid;
  };
  const able = [await network({ hours, away: 'open' }), await network({ hours, away: 'open' })];
  for (const other of [{ hours, away: 'closed' as const }, { away: 'open' as const }, {}]) await network(other);
  await server.db.database.systemPool.query(
    "update portal_site set gateway = 'edge', captive_lans = '{Guests}' where account_id = $1",
    [owner.accountId],
  );
  const opening = vi.fn(templates.opening);
  const openingAway = vi.fn(async (_tx: Tx, _accountId: string, gwids: readonly string[]) => [...gwids]);
  const push = vi.fn(async (_tx: Tx, _acting: Acting, _gwids: readonly string[]) => 'job');
  const zoneChanged = createZoneChange({ templates: { opening }, gateways: { openingAway, push } });
  expect(await server.db.database.withSystem((tx) => zoneChanged(tx, bySystem(owner.accountId)))).toBe('job');
  expect([opening, openingAway, push].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  expect(push.mock.calls[0]![2].toSorted()).toEqual(able.toSorted());
});
