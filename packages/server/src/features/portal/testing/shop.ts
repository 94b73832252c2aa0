import type { PortalMethod } from '@yunxun/contract';
import type { Registered, TestServer } from '../../../../test/server.ts';
import { contentWith, freeLimits, memoryTemplates } from './guest.ts';
import { portalNetwork } from './portal-network.ts';

/** For `startTestServer`, and for the networks of its accounts. */
export const shopTemplates = memoryTemplates();

const purchase: PortalMethod = { kind: 'purchase', ...freeLimits };
const terms = { minutes: 120, bytes: 0, devices: 1, up_kbps: 0, down_kbps: 8192, valid_days: 30, gwids: null };

export const shopNetwork = (server: TestServer, owner: Registered, gateway: 'opennds_1' | 'opennds_3' = 'opennds_3') =>
  portalNetwork(server, owner, shopTemplates, { gateway, content: contentWith([purchase]) });

export async function sellPackage(server: TestServer, owner: Registered, change: object = {}): Promise<string> {
  const input = { name: 'TwoHours', price: '9.90', ...terms, enabled: true, ...change };
  return (await server.call<{ id: string }>('/api/v3/billing/package/create', input, owner)).data.id;
}
