import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { accessPoint, endDevices, enrol, listedAs } from '../../../../test/conformance/device-client.ts';
import { type AccessPoint, accessPointCapabilities } from '../../../../test/conformance/peer/access-point.ts';
import { type SpotClient, Uspot } from '../../../../test/conformance/peer/uspot.ts';
import { numbered } from '../../../../test/numbered.ts';
import { type Registered, startTestServer, type TestServer } from '../../../../test/server.ts';
import { newId } from '../../../platform/database/index.ts';
import {
  alertOf,
  contentWith,
  freeLimits,
  memoryTemplates,
  newClient,
  nextOf,
  openPage,
  submit,
} from '../testing/guest.ts';

const templates = memoryTemplates();
let server: TestServer;
let owner: Registered;
let gwid: string;
let template_id: string;

beforeAll(async () => {
  server = await startTestServer({ portalTemplates: templates });
  owner = await server.register();
});
afterAll(async () => {
  await endDevices();
  await server.stop();
});
beforeEach(async () => {
  gwid = (await call<{ gwid: string }>('network/create', { remark: numbered(owner, 'Hotel') })).data.gwid;
  template_id = newId();
  const whitelist = [
    { name: 'Menu', link: 'https://menu.example.org/x' },
    { name: 'TV', link: 'http://192.0.2.80' },
  ];
  templates.set(template_id, contentWith([{ kind: 'one_click', ...freeLimits }], { whitelist }));
});

const call = <T>(path: string, input: object) => server.call<T>(`/api/v3/${path}`, input, owner);

interface Site {
  site: { access_points: { ssids: string[] } | null; old_secret_since: string | null };
  wireless: {
    ssids: { id: string; name: string; vlan: number | null; obstacle: string | null }[];
    access_points: number;
    unable: { name: string }[];
  };
}
interface Saved {
  secrets: { settings: string } | null;
  job_id: string | null;
}
interface Steps {
  step: string;
  state: string;
  finding: string;
}

const guests = (more: object = {}) => ({
  enabled: true,
  name: 'Guests',
  security: 'open',
  bands: ['2G', '5G'],
  vlan: null,
  hidden: false,
  isolate: true,
  maximum_clients: null,
  down_mbps: null,
  up_mbps: null,
  ...more,
});
const staff = (more: object = {}) => guests({ name: 'Staff', security: 'psk2', key: 'welcome-2026', ...more });

const ended = (job: string | null, ...statuses: string[]) =>
  expect
    .poll(async () =>
      (await call<{ items: { status: string }[] }>('job/detail', { job_id: job })).data.items.map(
        ({ status }) => status,
      ),
    )
    .toEqual(statuses);

async function broadcast(ssids: object[], ...statuses: string[]): Promise<void> {
  const { data } = await call<{ job_id: string | null }>('network/wireless/save', {
    gwid,
    version: 0,
    ssids,
    radios: [],
  });
  if (statuses.length > 0) await ended(data.job_id, ...statuses);
}
const site = async () => (await call<Site>('portal/site', { gwid })).data;
const idOf = async (name: string) => (await site()).wireless.ssids.find((ssid) => ssid.name === name)!.id;
const save = (input: object) =>
  server.call<Saved>('/api/v3/portal/site/save', { gwid, template_id, enabled: true, gateway: 'uam', ...input }, owner);
const clients = async () =>
  (await call<{ list: { name: string; managed: boolean }[] }>('radius/nas/list', { gwid })).data.list;
const stepsOf = async (): Promise<string[]> => {
  const { data } = await call<{ access_points: { steps: Steps[] }[] }>('portal/check', { gwid });
  return data.access_points.flatMap(({ steps }) => steps.map(({ step, finding }) => `${step} ${finding}`));
};

async function connected(more: Parameters<typeof accessPoint>[1] = {}): Promise<AccessPoint> {
  const identity = await enrol(server, owner, { gwid });
  const device = accessPoint(identity, { shell: 'runs', ...more });
  await device.connect();
  await listedAs(server, owner, identity.serial, { status: 'online' });
  return device;
}

const captiveOf = (device: AccessPoint) => (device.running.services as { captive?: Record<string, unknown> }).captive;

it('pushes the sign-in, lets a guest in over the connection of the access point, counts and disconnects', async () => {
  const device = await connected();
  const spot = new Uspot(device);
  await broadcast([guests(), staff()], 'applied');
  const ssids = [await idOf('Guests')];
  const preview = await call<{ totals: object }>('portal/access_point/preview', { gwid, template_id, ssids });
  expect(preview.data.totals).toMatchObject({ devices: 1, changed: 1, wrong: 0 });
  expect(spot.gates).toBe(false);

  const saved = await save({ access_points: { ssids } });
  expect(saved.data.secrets).toBeNull();
  await ended(saved.data.job_id, 'applied');
  expect(captiveOf(device)).toMatchObject({
    'auth-mode': 'uam',
    'acct-port': 1813,
    'walled-garden-fqdn': ['localhost', 'menu.example.org'],
    'walled-garden-ipaddr': ['192.0.2.80'],
  });
  expect(captiveOf(device)!['uam-server']).toMatch(/^http:\/\/localhost:\d+\/p\/[\w-]{22}\/uam$/);
  expect(await clients()).toMatchObject([{ managed: true }]);
  const uuid = device.uuidActive;
  expect((await save({ access_points: { ssids } })).data.job_id).toBeNull();
  const again = await call<{ totals: object }>('portal/access_point/preview', { gwid, template_id, ssids });
  expect(again.data.totals).toMatchObject({ devices: 1, changed: 0 });

  const client: SpotClient = newClient();
  device.reportState();
  await expect
    .poll(stepsOf)
    .toEqual(['document fine', 'applied fine', 'read_back fine', 'redirect no_redirect', 'radius no_radius']);
  const page = await openPage(spot.redirect(client)!);
  const back = await spot.logon(client, nextOf(await submit(page, 'one_click')));
  expect(back).toContain('?res=success&');
  expect((await openPage(back)).html).toContain('You are online');
  expect(spot.redirect(client)).toBeNull();

  await spot.account(client, 'start');
  await spot.account(client, 'interim', 1000, 20_000);
  const online = async () =>
    (await call<{ list: { id: string; up_bytes: number; down_bytes: number }[] }>('portal/guest/list', { gwid })).data
      .list;
  const [guest] = await online();
  expect(guest).toMatchObject({ mac: client.mac, up_bytes: 1000, down_bytes: 20_000 });
  expect(await stepsOf()).toEqual(['document fine', 'applied fine', 'read_back fine', 'redirect fine', 'radius fine']);

  const kicked = await call<{ result: string }>('portal/guest/kick', { gwid, id: guest!.id });
  expect(kicked.data.result).toBe('disconnected');
  expect(spot.isOnline(client)).toBe(false);
  expect(await online()).toEqual([]);
  expect(device.uuidActive).toBe(uuid);
});

it('lets a guest who moves to another access point go on with the session', async () => {
  const [first, second] = [new Uspot(await connected()), new Uspot(await connected())];
  await broadcast([guests()], 'applied', 'applied');
  await ended((await save({ access_points: { ssids: [await idOf('Guests')] } })).data.job_id, 'applied', 'applied');
  const client: SpotClient = newClient();
  const page = await openPage(first.redirect(client)!);
  await first.logon(client, nextOf(await submit(page, 'one_click')));
  await first.account(client, 'start');
  const online = async () =>
    (await call<{ list: { id: string; expires_at: string; up_bytes: number }[] }>('portal/guest/list', { gwid })).data
      .list;
  const [before] = await online();

  const moved = await openPage(second.redirect(client)!);
  expect(await second.logon(client, nextOf(moved))).toContain('?res=success&');
  await second.account(client, 'start');
  // the first one misses the device some minutes later
  await first.account(client, 'interim', 400);
  await first.account(client, 'stop', 500);
  expect(await online()).toMatchObject([{ id: before!.id, expires_at: before!.expires_at, up_bytes: 500 }]);
  await second.account(client, 'stop', 20);
  expect(await online()).toEqual([]);
  // phones come back after the access point has reported that they left
  await first.logon(client, nextOf(await openPage(first.redirect(client)!)));
  expect(await online()).toMatchObject([{ id: before!.id, expires_at: before!.expires_at, up_bytes: 520 }]);
});

it('takes the sign-in and the RADIUS client away when the site leaves', async () => {
  const device = await connected();
  const spot = new Uspot(device);
  await broadcast([guests()], 'applied');
  const ssids = [await idOf('Guests')];
  await ended((await save({ access_points: { ssids } })).data.job_id, 'applied');
  expect(spot.gates).toBe(true);
  await ended((await save({ enabled: false })).data.job_id, 'applied');
  expect(captiveOf(device)).toBeUndefined();
  await ended((await save({})).data.job_id, 'applied');
  expect(spot.gates).toBe(true);

  const left = await save({ gateway: 'opennds_3' });
  expect(left.data.secrets!.settings).toContain('faskey');
  await ended(left.data.job_id, 'applied');
  expect(captiveOf(device)).toBeUndefined();
  expect([await clients(), (await site()).site.access_points]).toEqual([[], null]);
});

it('refuses SSIDs of a second VLAN, keys into others, and unknown SSIDs', async () => {
  const keys = [{ label: 'Room', key: 'room-101-key', mac: null, vlan: 30 }];
  await broadcast([guests(), staff({ vlan: 40 }), staff({ name: 'Rooms', keys })]);
  const refusal = async (ssids: string[], more: object = {}) => {
    const { errors } = (await save({ access_points: { ssids }, ...more })) as { errors?: Record<string, string[]> };
    return errors;
  };
  const [open, other, rooms] = [await idOf('Guests'), await idOf('Staff'), await idOf('Rooms')];
  expect(await refusal([open, other])).toEqual({
    'access_points.ssids.1': [expect.stringContaining('in one VLAN')],
  });
  expect(await refusal([rooms])).toEqual({ 'access_points.ssids.0': [expect.stringContaining('other VLANs')] });
  expect(await refusal([newId()])).toHaveProperty(['access_points.ssids.0']);
  expect(await refusal([open], { gateway: 'opennds_3' })).toHaveProperty('access_points');
  expect(await clients()).toEqual([]);
});

it('sends out no SSID of guests on firmware without the sign-in, and says so on its row', async () => {
  const { version: _version, ...old } = accessPointCapabilities;
  const device = await connected({ capabilities: old });
  await broadcast([guests(), staff()], 'applied');
  const ssids = [await idOf('Guests')];
  await ended((await save({ access_points: { ssids } })).data.job_id, 'applied');
  expect(JSON.stringify(device.running)).not.toContain('Guests');
  expect((await site()).wireless).toMatchObject({ access_points: 1, unable: [{}] });
  expect((await stepsOf())[0]).toBe('document unable');
});

it('gives a new secret by a push, and leaves the RADIUS client to the portal', async () => {
  const device = await connected();
  await broadcast([guests()], 'applied');
  await ended((await save({ access_points: { ssids: [await idOf('Guests')] } })).data.job_id, 'applied');
  const before = captiveOf(device)!['uam-secret'];
  const renewed = await call<{ settings: string | null; job_id: string }>('portal/secret/renew', { gwid });
  expect(renewed.data.settings).toBeNull();
  await ended(renewed.data.job_id, 'applied');
  expect(captiveOf(device)!['uam-secret']).not.toBe(before);
  const [nas] = (await call<{ list: { id: string }[] }>('radius/nas/list', { gwid })).data.list;
  for (const path of ['rotate_secret', 'delete'])
    expect((await call(`radius/nas/${path}`, { id: nas!.id })).code).toBe(4114);
});

it('takes the earlier secret until an access point uses the new one, and shows no settings', async () => {
  const device = await connected();
  const spot = new Uspot(device);
  await broadcast([guests()], 'applied');
  await ended((await save({ access_points: { ssids: [await idOf('Guests')] } })).data.job_id, 'applied');
  const isTaken = async (redirect: string | null) => alertOf(await openPage(redirect!)) === null;
  const earlier = spot.redirect(newClient());
  expect(await isTaken(earlier)).toBe(true);
  await ended((await call<{ job_id: string }>('portal/secret/renew', { gwid })).data.job_id, 'applied');
  expect(await isTaken(earlier)).toBe(true);
  expect((await site()).site.old_secret_since).not.toBeNull();
  expect(await stepsOf()).toContain('redirect no_redirect');
  expect(await isTaken(spot.redirect(newClient()))).toBe(true);
  expect(await stepsOf()).toContain('redirect fine');
  expect(await isTaken(earlier)).toBe(false);
  expect((await site()).site.old_secret_since).toBeNull();
  const { checks } = (await call<{ checks: { finding: string }[] }>('portal/check', { gwid })).data;
  expect(checks[0]).toMatchObject({ finding: 'other_secret' });
  expect((await call('portal/settings/reveal', { gwid })).code).toBe(4113);
});
