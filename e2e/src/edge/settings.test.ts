import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage, startBrowser, texts } from '../browser.ts';
import { logged } from './lab.ts';
import { byDhcp, type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { steadyRate } from './rate.ts';

let labConsole: LabConsole;
let browser: Browser;
let gwid = '';
let wanAddress = '';
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  browser = await startBrowser();
  own({ stop: () => browser.close() });
  gwid = '';
});

interface Got {
  version: number;
  settings: Record<string, unknown> & { lines: object[]; networks: object[] };
  ports: string[];
  gates: string[];
}

async function configured(): Promise<void> {
  if (gwid !== '') return;
  const { ask, folder, lab, owner } = labConsole;
  gwid = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' })).data.gwid;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  const identity = readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8');
  const { serial } = JSON.parse(identity) as { serial: string };
  labConsole.startAgent();
  await labConsole.online(serial);
  const get = async () => (await ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
  const ports = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/ports.json'), 'utf8')) as Record<string, string>;
  const portOf = (device: string) => Object.entries(ports).find(([, own]) => own === device)?.[0] ?? device;
  const [usual] = [await get()];
  expect(usual).toMatchObject({ version: 0, gates: expect.not.arrayContaining(['firmware', 'no_gateway']) });
  expect(usual.ports).toContain(portOf('lan1'));

  const network = (name: string, port: string, net: string) => ({
    name,
    address: `${net}.1/24`,
    vlan: null,
    ports: [port],
    tagged: [],
    leases: [] as object[],
    pool: { first: `${net}.100`, count: 20, lease_minutes: 10 },
  });
  const office = network('Office', portOf('lan1'), '10.7.0');
  const settings = {
    ...byDhcp(usual.settings),
    confirm_s: 30,
    networks: [
      { ...office, leases: [{ mac: lab.mac('a'), address: '10.7.0.20', note: 'Camera' }] },
      network('Guest', portOf('lan2'), '10.8.0'),
    ],
    forwards: [{ note: 'Camera', protocol: 'tcp', port: '8081', address: '10.7.0.20', to_port: '80' }],
  };
  const { data: saved } = await ask<{ job_id: string; version: number }>('/api/v3/network/gateway/save', {
    gwid,
    version: 0,
    settings,
  });
  await labConsole.applied(saved.job_id);
  expect((await get()).version).toBe(1);

  expect(await lab.lease('a')).toMatchObject({ address: '10.7.0.20', router: '10.7.0.1' });
  expect((await lab.lease('b')).address).toMatch(/^10\.8\.0\.1[01]\d$/);

  const answers = join(import.meta.dirname, 'peer.mjs');
  await logged(lab.start('a', process.execPath, [answers, '0.0.0.0', '-', '-']), 'ready');
  const outside = await lab.run('gw', 'ip', '-4', '-o', 'addr', 'show', 'dev', 'wan1');
  wanAddress = /inet (198\.51\.100\.\d+)/.exec(outside)?.[1] ?? '';
}

async function forwarded(port: number): Promise<void> {
  const asked = () => labConsole.lab.call('net', { url: `http://${wanAddress}:${port}/whoami`, timeoutS: 5 });
  await expect.poll(asked).toMatchObject({ status: 200, text: expect.stringContaining('198.51.100.1') });
}

it('gives leases from a pool and forwards a port, as they were set in the console', async () => {
  await configured();
  await forwarded(8081);
});

it('lets a person change them: errors are next to their fields, and applied settings are on the wire', async () => {
  await configured();
  const { ask, lab, owner, url } = labConsole;
  const t = texts('en');
  const visit = await openPage(browser, url, 'en', 'light', { token: owner.token });
  const { page } = visit;
  await page.goto(`${url}/network/gateway/${gwid}`);
  await page.getByRole('heading', { name: t('gateway.title') }).waitFor();
  const guest = page.getByRole('group', { name: 'Guest', exact: true });
  const first = guest.getByLabel(t('gateway.pool_first'));
  await first.fill('10.9.0.5');
  await page.getByRole('button', { name: t('gateway.review') }).click();
  await guest.getByRole('alert').getByText('10.8.0.0/24').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);

  await first.fill('10.8.0.150');
  await page.getByRole('button', { name: t('gateway.add_forward') }).click();
  const forward = page.getByRole('group', { name: t('gateway.forward'), exact: true });
  await forward.getByLabel(t('gateway.inner_address')).fill('10.7.0.20');
  await forward.getByLabel(t('gateway.inner_port')).fill('8080');
  await forward.getByLabel(t('gateway.outer_port')).fill('8090');
  await page.getByRole('button', { name: t('gateway.review') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(t('gateway.confirm_hint', { n: 30 })).waitFor();
  await dialog.getByRole('button', { name: t('gateway.apply') }).click();
  const get = async () => (await ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
  await expect.poll(async () => (await get()).version, slowly).toBe(2);
  const jobs = async () =>
    (await ask<{ list: { status: string }[] }>('/api/v3/job/list', { page: 1, limit: 1 })).data.list;
  await expect.poll(jobs, slowly).toMatchObject([{ status: 'succeeded' }]);

  expect((await lab.lease('b')).address).toMatch(/^10\.8\.0\.1[5-6]\d$/);
  await forwarded(8090);
  expect(visit.errors).toEqual([expect.stringContaining('422')]);
  await visit.context.close();
});

const askTheTime = `
  const socket = require('node:dgram').createSocket('udp4');
  const request = Buffer.alloc(48);
  request[0] = 0x23;
  socket.on('message', (reply) => {
    const seconds = reply.readUInt32BE(40) - 2208988800;
    console.log(reply[1], Math.abs(seconds - Date.now() / 1000) < 2);
    process.exit();
  });
  socket.send(request, 123, '10.7.0.1');
  setTimeout(() => process.exit(), 2000);
`;

it('serves the time to the clients of a network', async () => {
  await configured();
  const { ask, lab } = labConsole;
  const { version, settings } = (await ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
  const networks = (settings.networks as { name: string }[]).map((lan) => ({ ...lan, ntp: lan.name === 'Office' }));
  const wanted = { gwid, version, settings: { ...settings, networks } };
  const { data } = await ask<{ job_id: string }>('/api/v3/network/gateway/save', wanted);
  await labConsole.applied(data.job_id);
  await expect.poll(() => lab.run('a', process.execPath, '-e', askTheTime), slowly).toMatch(/^10 true/);
});

it('limits a network, and leads it over the second line while the first is cut', async () => {
  await configured();
  const { ask, folder, lab } = labConsole;
  const { version, settings } = (await ask<Got>('/api/v3/network/gateway/get', { gwid })).data;
  const ports = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/ports.json'), 'utf8')) as Record<string, string>;
  const second = Object.entries(ports).find(([, device]) => device === 'wan2')?.[0];
  const line = {
    name: 'Second',
    port: second,
    addressing: 'static',
    address: '203.0.113.9/24',
    gateway: '203.0.113.1',
    dns: ['192.0.2.53'],
    down_mbps: null,
    up_mbps: null,
    probe: [],
  };
  const limit = { name: 'Office', kind: 'network', target: 'Office', down_mbps: 8, up_mbps: null };
  const wanted = { ...settings, lines: [...settings.lines, line], limits: [limit] };
  const save = { gwid, version, settings: wanted };
  const { data: saved } = await ask<{ job_id: string }>('/api/v3/network/gateway/save', save);
  await labConsole.applied(saved.job_id);

  const count = () => lab.device('a', 'eth0').rxBytes;
  const mbps = await steadyRate(8, async () => {
    const before = count();
    const { ms, bytes } = await lab.call('a', { url: 'http://192.0.2.10/bytes/5000000', timeoutS: 60 });
    expect(bytes).toBe(5_000_000);
    return ((count() - before) * 8) / ms / 1000;
  });
  expect(mbps).toBeGreaterThan(8 * 0.85);
  expect(mbps).toBeLessThan(8 * 1.15);

  const wayOut = async () =>
    (await lab.call('a', { url: 'http://192.0.2.10/whoami', timeoutS: 3 }).catch(() => null))?.text ?? 'none';
  await expect.poll(wayOut, slowly).toMatch(/^198\.51\.100\./);
  await lab.wan(1, 'carrier');
  await expect.poll(wayOut, slowly).toBe('203.0.113.9');
  await lab.wan(1, 'mended');
  await expect.poll(wayOut, slowly).toMatch(/^198\.51\.100\./);
});

it('measures the line to the console, as a person asks for it', async () => {
  await configured();
  const t = texts('en');
  const visit = await openPage(browser, labConsole.url, 'en', 'light', { token: labConsole.owner.token });
  const { page } = visit;
  await page.goto(`${labConsole.url}/network/${gwid}?tab=tools`);
  await page.getByRole('combobox', { name: t('tools.tool'), exact: true }).selectOption('speed');
  await page.getByRole('button', { name: t('tools.run'), exact: true }).click();
  const rates = page.getByText(/[\d.]+ Mbit\/s \([\d.]+ .?B in [\d.]+ s\)/);
  await expect.poll(() => rates.count(), slowly).toBe(2);
  expect(visit.errors).toEqual([]);
  await visit.context.close();
});
