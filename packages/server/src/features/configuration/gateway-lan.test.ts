import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessPoint } from '../../../test/conformance/peer/access-point.ts';
import {
  call,
  ended,
  items,
  pushes,
  type Saved,
  save as saveWifi,
  ssid,
  startFixture,
  stopFixture,
} from './testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from './testing/gateway.ts';

beforeAll(startFixture);
afterAll(stopFixture);

type Settings = ReturnType<typeof settings>;
const get = async (gwid: string) =>
  (
    await call<{ settings: Settings; reported: { interface: string; subnet: string }[] }>(
      '/api/v3/network/gateway/get',
      { gwid },
    )
  ).data;
const proposed = async (gwid: string) => (await get(gwid)).settings.networks[0];
const save = (gwid: string, version: number, wanted: object) =>
  call<Saved>('/api/v3/network/gateway/save', { gwid, version, settings: wanted });

const report = (addresses: Record<string, string>) => ({
  unit: {},
  interfaces: Object.entries(addresses).map(([name, subnet]) => ({ name, ipv4: { addresses: [subnet] } })),
});
async function gatewayWith(addresses: Record<string, string>) {
  const { gwid, identity } = await gatewayNetwork();
  // reports only when the test sends one
  const gateway = await connectGateway(identity, undefined, { shell: 'nothing' }, { blocking: true });
  const tell = async (next: Record<string, string>): Promise<void> => {
    gateway.state(report(next));
    await expect.poll(async () => (await get(gwid)).reported.map(({ subnet }) => subnet)).toEqual(Object.values(next));
  };
  if (Object.keys(addresses).length > 0) await tell(addresses);
  return { gwid, identity, gateway, tell };
}
const lanOf = (gateway: AccessPoint) =>
  (gateway.running.interfaces as { role: string; ipv4: { subnet: string } }[]).find(({ role }) => role === 'downstream')
    ?.ipv4.subnet;
const behindRouter = { up0v0: '192.168.1.77/24' };
const eventsOf = async (serial: string) =>
  (
    await call<{ list: { type: string; payload: object }[] }>('/api/v3/device/event/list', {
      serial,
      type: 'console',
      page: 1,
      limit: 10,
    })
  ).data.list.map(({ type, payload }) => ({ type, payload }));

describe('the LAN that is proposed for a gateway', () => {
  it.each([
    [{}, '192.168.1.1/24'],
    [behindRouter, '192.168.2.1/24'],
    [{ up0v0: '192.168.1.77/24', down2v0: '192.168.2.9/24' }, '192.168.3.1/24'],
    [{ up0v0: '192.168.200.7/16' }, '10.1.0.1/24'],
    [{ up0v0: '192.168.200.7/16', up1v0: '10.3.4.5/8' }, '172.16.0.1/24'],
    [{ up0v0: '203.0.113.7/24', down2v0: '192.168.1.1/24' }, '192.168.1.1/24'],
  ] as const)('is outside every subnet that the box reports: %j', async (addresses, lan) => {
    const { gwid } = await gatewayWith(addresses);
    const net = lan.replace(/\.1\/24$/, '');
    expect(await proposed(gwid)).toMatchObject({ address: lan, pool: { first: `${net}.10` } });
  });

  it('is pushed without gateway settings too, and stays when a line changes its subnet', async () => {
    const { gwid, gateway, tell } = await gatewayWith(behindRouter);
    await ended(await saveWifi(gwid, 0, [ssid('Lobby')]), 'applied');
    expect(lanOf(gateway)).toBe('192.168.2.1/24');
    await tell({ up0v0: '203.0.113.7/24', down2v0: '192.168.2.1/24' });
    await ended(await saveWifi(gwid, 1, [ssid('Garden')]), 'skipped');
    expect(lanOf(gateway)).toBe('192.168.2.1/24');
    expect(await proposed(gwid)).toMatchObject({ address: '192.168.2.1/24' });
  });

  it('waits for the addresses of a box that has not reported any', async () => {
    const { gwid, gateway, tell } = await gatewayWith({});
    const saved = await saveWifi(gwid, 0, [ssid('Lobby')]);
    await ended(saved, 'waiting_offline');
    expect(await items(saved.data.job_id)).toMatchObject([{ reason: 'job.unreported' }]);
    await tell(behindRouter);
    await ended(saved, 'applied');
    expect(lanOf(gateway)).toBe('192.168.2.1/24');
  });
});

describe('a LAN in the subnet of a line', () => {
  const [dynamic] = settings().lines;
  const [lan] = settings().networks;
  const wanted = settings({
    lines: [dynamic!],
    networks: [{ ...lan!, address: '192.168.1.1/24', pool: null, leases: [] }],
    forwards: [],
    routes: [],
    limits: [],
  });

  it('is refused beside its field, also for a dynamic line, and not for a static one', async () => {
    const { gwid } = await gatewayWith(behindRouter);
    const fields = {
      'settings.networks.0.address': [expect.stringContaining('192.168.1.0/24')],
    };
    for (const path of ['preview', 'save'])
      expect(
        await call(`/api/v3/network/gateway/${path}`, {
          gwid,
          settings: wanted,
          ...(path === 'save' && { version: 0 }),
        }),
      ).toMatchObject({ code: 422, errors: fields });
    const fixed = { address: '203.0.113.2/29', gateway: '203.0.113.1', dns: ['192.0.2.53'] };
    const still = { ...wanted, lines: [{ ...dynamic!, ...fixed, addressing: 'static' as const }] };
    await ended(await save(gwid, 0, still), 'applied');
  });

  it('is refused for the LAN address of the device itself', async () => {
    const { identity } = await gatewayWith(behindRouter);
    const override = { serial: identity.serial, version: 0, radios: [], ssids_off: [] };
    expect(await call('/api/v3/ap/override/save', { ...override, lan_address: '192.168.1.1/24' })).toMatchObject({
      code: 422,
      errors: { lan_address: [expect.stringContaining('WAN1')] },
    });
    expect(await call('/api/v3/ap/override/save', { ...override, lan_address: '192.168.9.1/24' })).toMatchObject({
      code: 2000,
    });
  });

  it('is not pushed where the settings were saved before the box reported', async () => {
    const { gwid, gateway, tell } = await gatewayWith({});
    const saved = await save(gwid, 0, wanted);
    expect(saved.code).toBe(2000);
    await tell(behindRouter);
    await ended(saved, 'failed');
    expect(await items(saved.data.job_id)).toMatchObject([{ reason: 'job.config_wrong' }]);
    expect(pushes(gateway)).toBe(0);
  });

  it('is an event when a provider moves the line there later, and another when it leaves; the rest is still pushed', async () => {
    const { gwid, identity, gateway, tell } = await gatewayWith({ up0v0: '203.0.113.7/24' });
    await ended(await save(gwid, 0, wanted), 'applied');
    await tell({ up0v0: '203.0.113.8/24', down1v0: '192.168.1.1/24' });
    expect(await eventsOf(identity.serial)).toEqual([]);
    const collided = { up0v0: '192.168.1.77/24', down1v0: '192.168.1.1/24' };
    await tell(collided);
    const begun = {
      type: 'console.subnets-collide',
      payload: { line: 'WAN1', subnet: '192.168.1.0/24', lan: 'LAN' },
    };
    await expect.poll(() => eventsOf(identity.serial)).toEqual([begun]);
    await tell({ ...collided, up0v0: '192.168.1.78/24' });
    const macs = ['02000000000a'];
    expect((await call('/api/v3/user_online/block', { macs, elsewhere: 'now' })).code).toBe(2000);
    await expect.poll(() => JSON.stringify(gateway.running)).toContain('02:00:00:00:00:0a');
    await tell({ ...collided, up0v0: '203.0.113.9/24' });
    await expect
      .poll(() => eventsOf(identity.serial))
      .toEqual([{ type: 'console.subnets-apart', payload: { line: 'WAN1', lan: 'LAN' } }, begun]);
  });

  it('is one event, and shown, also where only the agent says that a lease collides', async () => {
    const { gwid, identity, gateway, tell } = await gatewayWith({ up0v0: '203.0.113.7/24' });
    await ended(await save(gwid, 0, wanted), 'applied');
    const says = (collides?: string, own = '203.0.113.8/24') =>
      gateway.state({ ...report({ up0v0: own }), yunxun: { lines: [{ interface: 'up0v0', collides }] } });
    says('<b>');
    await expect
      .poll(async () => (await get(gwid)).reported)
      .toEqual([{ interface: 'up0v0', subnet: '203.0.113.8/24' }]);
    const lanSubnet = '192.168.1.0/24';
    says(lanSubnet);
    const begun = { type: 'console.subnets-collide', payload: { line: 'WAN1', subnet: lanSubnet, lan: 'LAN' } };
    await expect.poll(() => eventsOf(identity.serial)).toEqual([begun]);
    expect((await get(gwid)).reported).toContainEqual({ interface: 'up0v0', subnet: lanSubnet });
    // now both say so
    says(lanSubnet, '192.168.1.77/24');
    await expect.poll(async () => (await get(gwid)).reported).toHaveLength(2);
    await tell({ up0v0: '203.0.113.9/24' });
    await expect
      .poll(() => eventsOf(identity.serial))
      .toEqual([{ type: 'console.subnets-apart', payload: { line: 'WAN1', lan: 'LAN' } }, begun]);
  });
});
