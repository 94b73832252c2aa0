import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../../test/server.ts';
import { contentWith, freeLimits, memoryTemplates, newClient, openPage, uamRedirect } from '../testing/guest.ts';
import { type PortalNetwork, portalNetwork } from '../testing/portal-network.ts';

const templates = memoryTemplates();
let server: TestServer;
let network: PortalNetwork;

beforeAll(async () => {
  server = await startTestServer({ portalTemplates: templates });
  const content = contentWith([{ kind: 'one_click', ...freeLimits }]);
  network = await portalNetwork(server, await server.register(), templates, { gateway: 'uam', content });
});
afterAll(() => server.stop());

it('refuses a redirect whose MAC was changed, and one without a signature', async () => {
  const good = uamRedirect(`${network.base}/uam`, newClient(), network.secret);
  const forged = good.replace(/mac=[^&]+/, 'mac=02-00-00-00-00-99');
  for (const url of [forged, good.replace(/&md=.*/, '')])
    expect((await openPage(url)).html).toMatch(/role="alert"[^>]*>The console cannot verify your gateway/);
});
