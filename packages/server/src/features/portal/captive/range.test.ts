import type { EdgeCaptive } from '@yunxun/contract/device';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Identity } from '../../../../test/conformance/device-client.ts';
import type { AccessPoint } from '../../../../test/conformance/peer/access-point.ts';
import { portalDraft, portalLimits } from '../../../../test/portal-draft.ts';
import { call, ended, running, startFixture, stopFixture } from '../../configuration/testing/fixture.ts';
import { connectGateway, gatewayNetwork, settings } from '../../configuration/testing/gateway.ts';

interface Site {
  site: { captive: { ranges: object[]; ssids: string[]; exempt_remarks: object[] } };
  edge: {
    lans: { name: string; vlan: number | null; subnet: string | null }[];
    ssids: { id: string; name: string; lan: string | null; obstacle: string | null }[];
    lacks: string[];
  };
}

let gwid: string;
let gateway: AccessPoint;
let identity: Identity;
let template: string;

const known = { vlan: true, captive: true, nftset: true, captiveRates: true, captiveAway: true, connect: true };
const newer = { ...known, captiveRanges: true, captiveBridge: true };

async function networkWith(abilities: Record<string, boolean>) {
  const made = await gatewayNetwork();
  const device = await connectGateway(made.identity, undefined, {}, abilities);
  const { networks } = settings();
  const guests = { ...networks[0]!, name: 'Guests', address: '10.30.0.1/24', vlan: 30, ports: [], tagged: ['LAN1'] };
  const pool = { first: '10.30.0.100', count: 50, lease_minutes: 60 };
  const saved = await call<{ job_id: string }>('/api/v3/network/gateway/save', {
    gwid: made.gwid,
    version: 0,
    settings: settings({ networks: [networks[0]!, { ...guests, pool, leases: [] }] }),
  });
  await ended(saved, 'applied');
  return { ...made, gateway: device };
}

const save = (captive: object, more: object = {}) =>
  call<{ job_id: string }>('/api/v3/portal/site/save', {
    gwid,
    enabled: true,
    template_id: template,
    gateway: 'edge',
    captive,
    ...more,
  });
const site = async () => (await call<Site>('/api/v3/portal/site', { gwid })).data;
const sectionOf = (device: AccessPoint) =>
  (JSON.parse(running(device)) as { 'third-party'?: { yunxun?: { captive?: EdgeCaptive } } })['third-party']?.yunxun
    ?.captive;
interface Checked {
  checks: { step: string; finding: string; name: string | null }[];
  exempt: object[];
}

/** The gateway refuses to look up names and connect, so that the check need not wait for it. */
async function captureOf() {
  let checked: Checked | undefined;
  const checking = call<Checked>('/api/v3/portal/check', { gwid }).then(({ data }) => {
    checked = data;
  });
  const { serial } = gateway.options;
  const refused = new Set<unknown>();
  await expect
    .poll(() => {
      for (const { command } of gateway.received) {
        const { tool } = (command?.params ?? {}) as { tool?: string };
        if (!command || !['dns', 'connect'].includes(tool ?? '') || refused.has(command.id)) continue;
        refused.add(command.id);
        gateway.sendJson({ jsonrpc: '2.0', id: command.id, result: { serial, status: { error: 1, text: 'no' } } });
      }
      return checked;
    })
    .toBeDefined();
  await checking;
  return { ...checked!.checks.find(({ step }) => step === 'capture')!, exempt: checked!.exempt };
}
const ssid = (name: string, vlan: number | null) => ({
  enabled: true,
  name,
  security: 'open',
  bands: ['2G'],
  vlan,
  hidden: false,
  isolate: true,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
});

beforeAll(startFixture);
afterAll(stopFixture);

async function prepare(): Promise<void> {
  const methods = [{ kind: 'one_click', ...portalLimits, minutes: 30 }];
  const made = await call<{ id: string }>('/api/v3/auth_template/create', {
    name: 'Range',
    ...portalDraft({ methods }),
  });
  template = made.data.id;
  await call('/api/v3/auth_template/publish', { id: template, revision: 1 });
  ({ gwid, gateway, identity } = await networkWith(newer));
}

it('captures VLANs, and addresses of a LAN only', async () => {
  await prepare();
  expect((await site()).edge).toMatchObject({
    lans: [
      { name: 'LAN', vlan: null, subnet: '10.1.0.1/24' },
      { name: 'Guests', vlan: 30 },
    ],
    lacks: [],
  });
  const ranges = [
    { lan: 'LAN', range: '10.1.0.100-10.1.0.150' },
    { lan: 'LAN', range: '10.1.0.192/26' },
  ];
  await ended(await save({ lans: ['LAN', 'Guests'], ranges }), 'applied');
  expect(sectionOf(gateway)).toMatchObject({
    interfaces: ['Guests', 'LAN'],
    ranges: [
      { interface: 'LAN', first: '10.1.0.100', last: '10.1.0.150' },
      { interface: 'LAN', first: '10.1.0.192', last: '10.1.0.255' },
    ],
  });
  // an older program changes the networks alone
  await ended(await save({ lans: ['Guests'] }), 'applied');
  expect((await site()).site.captive.ranges).toEqual([]);
  expect(sectionOf(gateway)).not.toHaveProperty('ranges');
});

it('refuses ranges that are none, outside of their LAN, of another one, or overlap', async () => {
  const refusals: [string, string][] = [
    ['10.1.0.9-10.1.0.8', 'is no range'],
    ['10.1.0.1/26', 'is no range'],
    ['10.2.0.5', 'is outside of LAN (10.1.0.0/24)'],
    ['10.1.0.0/23', 'is outside of LAN'],
    ['10.1.0.149-10.1.0.160', 'overlaps 10.1.0.100-10.1.0.150'],
  ];
  for (const [range, text] of refusals)
    expect(
      await save({
        lans: ['LAN'],
        ranges: [
          { lan: 'LAN', range: '10.1.0.100-10.1.0.150' },
          { lan: 'LAN', range },
        ],
      }),
    ).toMatchObject({ code: 422, errors: { 'captive.ranges.1.range': [expect.stringContaining(text)] } });
  expect(await save({ lans: ['Guests'], ranges: [{ lan: 'LAN', range: '10.1.0.5' }] })).toMatchObject({
    code: 422,
    errors: { 'captive.ranges.0.range': [expect.stringContaining('LAN is none')] },
  });
});

it('captures the LAN of an SSID, follows its VLAN, and says what it cannot tell apart', async () => {
  const broadcast = async (version: number, vlan: number | null, other = 40) => {
    const ssids = [ssid('Lobby', vlan), ssid('Staff', null), ssid('Rooms', other)];
    const held = (await site()).edge.ssids;
    const input = { gwid, version, ssids: ssids.map((one, at) => ({ ...one, ...(held[at] && { id: held[at].id }) })) };
    return call<{ job_id: string; version: number }>('/api/v3/network/wireless/save', { ...input, radios: [] });
  };
  await broadcast(0, 30);
  const { ssids } = (await site()).edge;
  expect(ssids).toMatchObject([
    { name: 'Lobby', lan: 'Guests', obstacle: null },
    { name: 'Staff', lan: null, obstacle: 'ssid_untagged' },
    { name: 'Rooms', lan: null, obstacle: 'ssid_no_lan' },
  ]);
  const [lobby, staff, rooms] = ssids.map(({ id }) => id);
  for (const [id, text] of [
    [staff, 'has no VLAN'],
    [rooms, 'no network with VLAN 40'],
  ])
    expect(await save({ lans: [], ssids: [id] })).toMatchObject({
      code: 422,
      errors: { 'captive.ssids.0': [expect.stringContaining(text!)] },
    });
  const whole = { lans: ['Guests'], ssids: [lobby], ranges: [{ lan: 'Guests', range: '10.30.0.100' }] };
  expect(await save(whole)).toMatchObject({
    code: 422,
    errors: { 'captive.ranges.0.range': [expect.stringContaining('The SSID Lobby makes all clients')] },
  });
  await save({ lans: ['LAN'], ssids: [lobby] }).then((saved) => ended(saved, 'applied'));
  expect(sectionOf(gateway)?.interfaces).toEqual(['Guests', 'LAN']);

  const moved = await broadcast(1, null);
  await ended(moved, 'applied');
  expect(sectionOf(gateway)?.interfaces).toEqual(['LAN']);
  expect(await captureOf()).toMatchObject({ finding: 'ssid_lost', name: 'Lobby' });

  const path = '/api/v3/network/gateway';
  type Networks = ReturnType<typeof settings>['networks'];
  const { data } = await call<{ version: number; settings: { networks: Networks } }>(`${path}/get`, { gwid });
  const { version, settings: held } = data;
  const pool = { first: '10.40.0.100', count: 50, lease_minutes: 60 };
  const more = { ...held.networks[1]!, name: 'Rooms', address: '10.40.0.1/24', vlan: 40, pool };
  const networks = [...held.networks, more];
  await ended(await call(`${path}/save`, { gwid, version, settings: { ...held, networks, reboot: null } }), 'applied');
  const ranges = [{ lan: 'Guests', range: '10.30.0.100' }];
  await ended(await save({ lans: ['Guests'], ssids: [rooms], ranges }), 'applied');
  await broadcast(2, null, 30);
  expect(await captureOf()).toMatchObject({ finding: 'range_of_ssid', name: 'Rooms' });
});

it('lets exempt devices past by MAC and by address of both families, with remarks', async () => {
  const exempt = {
    exempt_macs: ['02:00:00:00:00:09'],
    exempt_addresses: ['10.1.0.20', '2001:DB8:0::20'],
    exempt_remarks: [
      { device: '02:00:00:00:00:09', remark: 'Printer' },
      { device: '2001:db8:0:0::20', remark: 'Camera' },
      { device: '02:00:00:00:00:10', remark: 'Not exempt' },
    ],
  };
  for (const address of ['ff02::1', '::1', 'fe80::1', '2001:db8::1%eth0', '2001:db8:::1'])
    expect(await save({ lans: ['LAN'], ssids: [], exempt_addresses: [address] })).toMatchObject({
      code: 422,
      errors: { 'captive.exempt_addresses.0': [expect.stringContaining(`${address} is neither`)] },
    });
  expect(
    await save({ lans: ['LAN'], ssids: [], exempt_macs: ['02:00:00:00:00:09', '01:00:5e:00:00:01'] }),
  ).toMatchObject({
    code: 422,
    errors: { 'captive.exempt_macs.1': [expect.stringContaining('01:00:5e:00:00:01 is neither')] },
  });
  await ended(await save({ lans: ['LAN'], ssids: [], ...exempt }), 'applied');
  expect(sectionOf(gateway)).toMatchObject({
    exempt_macs: ['02:00:00:00:00:09'],
    exempt_addresses: ['10.1.0.20'],
    exempt_ipv6: ['2001:db8::20'],
  });
  const remarks = [
    { device: '02:00:00:00:00:09', remark: 'Printer' },
    { device: '2001:db8::20', remark: 'Camera' },
  ];
  expect((await site()).site.captive.exempt_remarks).toEqual(remarks);
  expect((await captureOf()).exempt).toEqual([remarks[0], { device: '10.1.0.20', remark: null }, remarks[1]]);
});

it('refuses ranges for an older agent, and leaves its document as it was', async () => {
  const before = gwid;
  const old = await networkWith(known);
  gwid = old.gwid;
  expect((await site()).edge.lacks).toEqual(['ranges_version']);
  const ranged = { lans: ['LAN', 'Guests'], ranges: [{ lan: 'LAN', range: '10.1.0.100' }] };
  expect(await save(ranged)).toMatchObject({ code: 422, errors: { 'captive.ranges.0.range': [expect.any(String)] } });
  expect(await save({ lans: ['LAN'], exempt_addresses: ['2001:db8::20'] })).toMatchObject({
    code: 422,
    errors: { 'captive.exempt_addresses.0': [expect.stringContaining('too old')] },
  });
  await ended(await save({ lans: ['LAN', 'Guests'] }), 'applied');
  expect(Object.keys(sectionOf(old.gateway)!).toSorted()).toEqual(
    ['exempt_addresses', 'exempt_macs', 'garden', 'interfaces', 'page', 'secret'].toSorted(),
  );
  gwid = before;
});

it('leaves networks with ranges out for a gateway that was replaced by an older one', async () => {
  const ranges = [{ lan: 'LAN', range: '10.1.0.100' }];
  await ended(await save({ lans: ['LAN', 'Guests'], ranges }), 'applied');
  expect(sectionOf(gateway)?.ranges).toHaveLength(1);
  gateway = await connectGateway(identity, undefined, {}, known);
  await expect.poll(async () => (await site()).edge.lacks).toEqual(['ranges_version']);
  const { data } = await call<{ version: number; settings: object }>('/api/v3/network/gateway/get', { gwid });
  const { version, settings: held } = data;
  await ended(
    await call('/api/v3/network/gateway/save', { gwid, version, settings: { ...held, reboot: null } }),
    'applied',
  );
  expect(sectionOf(gateway)?.interfaces).toEqual(['Guests']);
  expect(sectionOf(gateway)).not.toHaveProperty('ranges');
  expect(await captureOf()).toMatchObject({ finding: 'ranges_version' });
  gateway = await connectGateway(identity, undefined, {}, newer);
  await expect.poll(async () => (await site()).edge.lacks).toEqual([]);
});

it('says that a range has lost its subnet', async () => {
  await ended(await save({ lans: ['LAN'], ranges: [{ lan: 'LAN', range: '10.1.0.100' }] }), 'applied');
  const lan = { ...settings().networks[0]!, address: '10.7.0.1/24', leases: [] };
  const pool = { first: '10.7.0.100', count: 50, lease_minutes: 60 };
  const moved = { ...settings({ networks: [{ ...lan, pool }], forwards: [], routes: [] }), limits: [] };
  const { version } = (await call<{ version: number }>('/api/v3/network/gateway/get', { gwid })).data;
  await ended(await call('/api/v3/network/gateway/save', { gwid, version, settings: moved }), 'applied');
  expect(await captureOf()).toMatchObject({ finding: 'range_outside', name: '10.1.0.100 (LAN)' });
});
