import { afterAll, beforeAll, expect, it } from 'vitest';
import { host } from '../../../test/seed.ts';
import { seedPerson } from '../../../test/seed-account.ts';
import { makeTelemetry, type Telemetry } from '../../../test/seed-statistics.ts';
import { type As, type Registered, startTestServer, type TestServer } from '../../../test/server.ts';
import { systemClock } from '../../platform/clock.ts';

let server: TestServer;
let owner: Registered;
let telemetry: Telemetry;
let guest: As;

beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  telemetry = await makeTelemetry(server, owner, systemClock);
  const cafe = await telemetry.network('Cafe');
  // an access point that routes reports no storage
  await telemetry.device(cafe, { kind: 'ap', online: true, gateway: true });
  const person = await seedPerson(server);
  await host(server, owner.accountId, person.accountId, ['statistics.read'], [cafe]);
  guest = { token: person.token, account: owner.accountId };
});
afterAll(() => server.stop());

const details = (as: As) => server.call('/api/v3/open/get_active_details', undefined, as);

it('counts routers that say they have less than 32 GB, and hides for one person', async () => {
  const branch = await telemetry.network('Branch');
  const router = (bytes: unknown) =>
    telemetry.device(branch, { kind: 'gateway', online: false, capabilities: { storage_bytes: bytes } });
  for (const bytes of [8e9, 31_999_999_999, 32e9, 64e9, '8000000000', null]) await router(bytes);
  const shown = { is_hidden: false, lt_32g_router_num: 2, unknown_router_num: 3 };
  expect(await details(owner)).toMatchObject({ code: 2000, data: shown });
  expect(await details(guest)).toMatchObject({
    code: 2000,
    data: { ...shown, lt_32g_router_num: 0, unknown_router_num: 1 },
  });
  for (let times = 0; times < 2; times += 1) {
    expect(await server.get('/api/v3/open/hidden_star_dialog', owner)).toMatchObject({ code: 2000 });
  }
  expect(await details(owner)).toMatchObject({ data: { is_hidden: true, lt_32g_router_num: 2 } });
  expect(await details(guest)).toMatchObject({ data: { is_hidden: false } });
});
