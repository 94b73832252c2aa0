import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

let labConsole: LabConsole;
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
});

it('applies its whole configuration, and serves and counts its clients', async () => {
  const { ask, folder, lab, owner } = labConsole;
  const { data: network } = await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' });
  const { gwid } = network;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  const identity = readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8');
  const { serial } = JSON.parse(identity) as { serial: string };
  labConsole.startAgent();
  await labConsole.online(serial);

  // joins the LAN: the provider behind it would answer DHCP too
  await lab.wan(2, 'carrier');
  const settings = { gwid, version: 0, ssids: [], radios: [] };
  const { data: saved } = await ask<{ job_id: string }>('/api/v3/network/wireless/save', settings);
  await labConsole.applied(saved.job_id);

  const lease = await lab.lease('a');
  expect(lease.address).toMatch(/^192\.168\.1\./);
  const detail = async () => {
    await ask('/api/v3/device/refresh', { serial });
    return (await ask<{ connections: number | null; lines: object[] | null }>('/api/v3/network/detail', { gwid })).data;
  };
  await expect
    .poll(detail, slowly)
    .toMatchObject({ gateway_reason: null, lines: [{ interface: 'up0v0', gateway: '198.51.100.1', alive: true }] });
  await expect.poll(async () => (await detail()).connections, slowly).toBeGreaterThan(0);

  const mac = lab.mac('a').replaceAll(':', '');
  const counted = await lab.count('a', '192.0.2.10');
  const answer = await lab.call('a', { url: 'http://192.0.2.10/bytes/1000000', timeoutS: 60 });
  expect(answer.status).toBe(200);
  const truth = await counted();
  expect(truth.rx).toBeGreaterThan(1_000_000);
  const near = (bytes: number, wanted: number) => Math.abs(bytes - wanted) / wanted <= 0.02;
  const query = { tab: 'online', gwid, keyword: mac };
  // once a minute, from disk and committed
  const pollOptions = { timeout: 240_000, interval: 3000 };
  await expect
    .poll(async () => {
      await detail();
      const { list } = (await ask<{ list: { down: number }[] }>('/api/v3/user_online/list', query)).data;
      return list.map(({ down, ...row }) => ({ ...row, down: near(down, truth.rx) || down }));
    }, pollOptions)
    .toMatchObject([{ mac, band: 0, port: 'LAN1', ip: lease.address, down: true }]);
  const flow = async () => {
    const asked = ask<{ cumulative_flow: { items: { name: string; value: number }[]; source: string } }>;
    const { items, source } = (await asked('/api/v3/user_stat/complex', { gwid })).data.cumulative_flow;
    const bytes = items.find(({ name }) => name === 'HTTP')?.value ?? 0;
    return { source, HTTP: near(bytes, truth.rx + truth.tx) || bytes };
  };
  await expect.poll(flow, pollOptions).toEqual({ source: 'complete', HTTP: true });
});
