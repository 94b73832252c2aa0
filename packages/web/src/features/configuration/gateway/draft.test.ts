import { expect, test } from 'vitest';
import { draftOf, mtuRange, newWan, type Settings, settingsOf, usedExtras, withLease, withLimit } from './draft.ts';

const wan: Settings['lines'][number] = {
  name: 'Fibre',
  port: 'WAN1',
  addressing: 'dynamic',
  address: null,
  gateway: null,
  dns: [],
  down_mbps: null,
  up_mbps: null,
  probe: [],
};
const shop: Settings = {
  confirm_s: 60,
  lines: [wan],
  networks: [],
  forwards: [],
  routes: [],
  limits: [],
  reboot: null,
};

test('opening from a client finds its single entry, in any MAC spelling', () => {
  const { draft, wanted } = withLimit(draftOf(shop), '001A2B3C4D5E');
  expect(draft.limits).toEqual([
    {
      ref: wanted,
      name: '00-1a-2b-3c-4d-5e',
      kind: 'mac',
      target: '00:1a:2b:3c:4d:5e',
      down_mbps: null,
      up_mbps: null,
    },
  ]);
  const limited = draftOf({ ...settingsOf(draft) });
  const again = withLimit(limited, '00:1a:2b:3c:4d:5e');
  expect(again.draft.limits).toHaveLength(1);
  expect(again.wanted).toBe(again.draft.limits[0]?.ref);
});

const lan = (name: string, net: string): Settings['networks'][number] => ({
  name,
  address: `${net}.1/24`,
  vlan: null,
  ports: ['LAN1'],
  tagged: [],
  leases: [],
  pool: { first: `${net}.100`, count: 20, lease_minutes: 10 },
});
const client = { mac: '001A2B3C4D5E', ip: '10.8.0.120', name: 'Camera <1> & printer in the very back room' };
const leasesOf = (draft: ReturnType<typeof draftOf>) => settingsOf(draft).networks.map(({ leases }) => leases);

test('an address is reserved in the LAN that it lies in, under a name that the gateway takes', () => {
  const begun = withLease(draftOf({ ...shop, networks: [lan('Office', '10.7.0'), lan('Guest', '10.8.0')] }), client)!;
  expect(leasesOf(begun.draft)).toEqual([
    [],
    [{ mac: '00:1a:2b:3c:4d:5e', address: '10.8.0.120', note: expect.stringMatching(/^Camera-1-[a-z-]{1,23}$/) }],
  ]);
  const again = withLease(draftOf(settingsOf(begun.draft)), { ...client, ip: '10.7.0.5' })!;
  expect(leasesOf(again.draft)).toEqual(leasesOf(begun.draft));
});

test('an address of no LAN is left open, and without a LAN that gives out addresses nothing is reserved', () => {
  const office = lan('Office', '10.7.0');
  const begun = withLease(draftOf({ ...shop, networks: [office] }), client)!;
  expect(leasesOf(begun.draft)[0]).toMatchObject([{ address: '' }]);
  expect(withLease(draftOf({ ...shop, networks: [{ ...office, pool: null }] }), client)).toBeNull();
});

test('settings that were saved before lines had a VLAN are unchanged by being opened', () => {
  expect(settingsOf(draftOf(shop)).lines).toEqual([{ ...wan, vlan: null, mtu: null, mac: null }]);
});

test('a second line on a port has a name of its own', () => {
  const { lines: wans } = draftOf({ ...shop, lines: [{ ...wan, name: 'WAN1' }] });
  expect(newWan('WAN1', wans)).toMatchObject({ name: 'WAN1-2', port: 'WAN1' });
});

test('an MTU is bounded by its port, and by what a line can have', () => {
  expect(mtuRange({ port: 'WAN1', min: 68, max: 1500 })).toEqual({ min: 576, max: 1500 });
  expect(mtuRange({ port: 'WAN1', min: 68, max: 65_535 })).toEqual({ min: 576, max: 9216 });
  expect(mtuRange(undefined)).toEqual({ min: 576, max: 9216 });
});

test('a WAN shows beyond name, port and type only what it uses', () => {
  const used = (more: Partial<Settings['lines'][number]>) =>
    usedExtras(draftOf({ ...shop, lines: [{ ...wan, ...more }] }).lines[0]!);
  expect(used({})).toEqual([]);
  expect(used({ vlan: 40, mtu: 1492, up_mbps: 20, metered: false, ssh: true })).toEqual([
    'vlan',
    'mtu',
    'up_mbps',
    'ssh',
  ]);
  expect(used({ dns: ['192.0.2.53'], metered: true })).toEqual(['dns', 'metered']);
});
