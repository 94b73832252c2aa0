import { expect, it } from 'vitest';
import { slowly } from '../edge/lab-console.ts';
import { labFixture } from '../edge/lab-fixture.ts';
import { type Fixture, startFixture } from './fixture.ts';

let fixture: Fixture;
let serial = '';
let gwid = '';
labFixture(async (own) => {
  fixture = own(await startFixture());
  serial = '';
});

interface Got {
  version: number;
  settings: Record<string, unknown> & { lines: Record<string, unknown>[] };
}

async function save(
  change: (settings: Got['settings']) => object,
): Promise<{ status: string; reason: string | null }[]> {
  const { ask, finished } = fixture;
  const { version, settings } = (await ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
  const body = { gwid, version, settings: { ...settings, confirm_s: 30, ...change(settings) } };
  const { data } = await ask<{ job_id: string }>('/api/v3/network/gateway/save', body);
  return finished(data.job_id);
}

async function configured(): Promise<void> {
  if (serial !== '') return;
  const bound = await fixture.bind();
  gwid = bound.gwid;
  const ports = JSON.parse(await fixture.machine.run('cat /etc/yunxun-edge/ports.json')) as Record<string, string>;
  const port = Object.entries(ports).find(([, device]) => device === 'lan1')?.[0];
  const pool = { first: '10.7.0.100', count: 20, lease_minutes: 10 };
  const office = { name: 'Office', address: '10.7.0.1/24', vlan: null, ports: [port], tagged: [], leases: [], pool };
  expect(await save(() => ({ networks: [office] }))).toEqual([{ status: 'applied', reason: null }]);
  serial = bound.serial;
}

async function lanWorks(): Promise<void> {
  expect((await fixture.lab.lease('a')).address).toMatch(/^10\.7\.0\.1\d\d$/);
  await expect.poll(() => fixture.lab.page(), slowly).toBe(200);
}

it('serves its LAN with what the console pushed', async () => {
  await configured();
  await lanWorks();
});

async function returnsFromWrongWan(): Promise<void> {
  const wrong = { addressing: 'static', address: '198.51.100.77/24', gateway: '198.51.100.200', dns: ['192.0.2.53'] };
  const items = await save(({ lines }) => ({ lines: lines.map((line) => ({ ...line, ...wrong })) }));
  // by answer, or by report after the revert
  expect(items).toMatchObject([{ status: expect.stringMatching(/^(rejected|reverted)$/) }]);
  await fixture.shows(serial, 'online');
  await lanWorks();
  expect(await fixture.machine.run('yunxun-edge status')).toMatch(/^taken back/m);
}

it("returns by itself from settings that cut it off, although the distribution's client puts its route back", async () => {
  await configured();
  await returnsFromWrongWan();
});

it("keeps its session and its names when the distribution's DHCP client is taken away", async () => {
  await configured();
  const { machine } = fixture;
  await machine.run('ifdown wan1; rm /etc/network/interfaces.d/wan');
  // without the lab's help
  await machine.run('systemctl restart yunxun-edge.service && yunxun-edge wait-online');
  const names = async () => (await machine.try('getent ahostsv4 console.lab.example')).code;
  await expect.poll(names, slowly).toBe(0);
  await fixture.shows(serial, 'online');
  await lanWorks();
});

it('returns by itself from settings that cut it off from the console', async () => {
  await configured();
  await returnsFromWrongWan();
});

it('routes and serves its LAN after a restart while the console cannot be reached', async () => {
  await configured();
  const { machine } = fixture;
  await fixture.console('cut');
  await machine.reboot();
  await lanWorks();
  const waited = await machine.try('yunxun-edge wait-online');
  expect(waited.code).toBe(4);
  expect(waited.stderr).toMatch(/not online: .*(no route|does not answer|no answer|refuses)/);
  await fixture.console('mended');
  await fixture.shows(serial, 'online');
});
