import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { endDevices, enrol } from '../../../test/conformance/device-client.ts';
import { asOwner } from '../../../test/database.ts';
import {
  call,
  ended,
  fixture,
  network,
  online,
  running,
  save,
  ssid,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';

beforeAll(startFixture);
afterEach(endDevices);
afterAll(stopFixture);

it('bridges where another device is the gateway, and routes where it is that itself', async () => {
  const { gwid, identity: enrolled } = await network();
  const port = fixture.server.program.devicePort;
  const routing = {
    unit: { uptime: 1 },
    interfaces: [
      { name: 'up0v0' },
      { name: 'down1v0', ipv4: { addresses: ['192.168.1.1/24'], leases: [{ address: '192.168.1.9' }] } },
    ],
  };
  const gateway = await online({ ...enrolled, port });
  gateway.shows = routing;
  gateway.reportState();
  await expect
    .poll(async () => (await call<{ has_gateway: boolean }>('/api/v3/network/detail', { gwid })).data.has_gateway)
    .toBe(true);
  const second = await online({ ...(await enrol(fixture.server, fixture.owner, { gwid })), port });
  second.shows = routing;
  second.reportState();
  // its role is stored last, and no endpoint shows it while the other is the gateway
  const routes = () =>
    asOwner(fixture.server.db.owner, (client) =>
      client.query<{ routes: boolean }>('select routes from config_contact where serial = $1', [second.options.serial]),
    );
  await expect.poll(async () => (await routes()).rows).toEqual([{ routes: true }]);
  await ended(await save(gwid, 0, [ssid('Lobby')]), 'applied', 'applied');
  expect(running(gateway)).toContain('"downstream"');
  const [wan, lan] = (second.flash.files.get(second.flash.active) as { interfaces: object[] }).interfaces;
  expect(wan).toMatchObject({ ethernet: [{ 'select-ports': ['WAN*'] }], ssids: [{ name: 'Lobby' }] });
  expect(lan).toMatchObject({ role: 'downstream', ipv4: { subnet: '192.168.1.1/24' } });
  expect(lan).not.toHaveProperty('ssids');
});
