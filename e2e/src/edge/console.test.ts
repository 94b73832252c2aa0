import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LabConsole, startLabConsole } from './lab-console.ts';

/** A box under our own agent, from the console: what it is sent, and what it tells. */

let world: LabConsole;
beforeAll(async () => {
  world = await startLabConsole({ dhcpOnLines: true });
});
afterAll(() => world?.stop());

it('takes its configuration whole, and serves and counts who is behind it', async () => {
  const { ask, folder, lab, owner } = world;
  const { data: network } = await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Box' });
  const { gwid } = network;
  await lab.run('gw', 'sh', '-c', world.line(owner.bindingCode, gwid));
  const identity = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as {
    serial: string;
  };
  const { serial } = identity;
  world.startAgent();
  const within = { timeout: 60_000, interval: 200 };
  await expect
    .poll(async () => (await ask<{ status: string }>('/api/v3/ap/detail', { serial })).data.status, within)
    .toBe('online');

  const settings = { gwid, version: 0, ssids: [], radios: [] };
  const { data: saved } = await ask<{ job_id: string }>('/api/v3/network/wireless/save', settings);
  const items = async () => (await ask<{ items: object[] }>('/api/v3/job/detail', saved)).data.items;
  await expect.poll(items, within).toMatchObject([{ serial, status: 'applied', reason: null }]);

  const lease = await lab.lease('a');
  expect(lease.address).toMatch(/^192\.168\.1\./);
  const detail = async () => {
    await ask('/api/v3/device/refresh', { serial });
    return (await ask<{ connections: number | null; lines: object[] | null }>('/api/v3/network/detail', { gwid })).data;
  };
  await expect
    .poll(detail, within)
    .toMatchObject({ gateway_reason: null, lines: [{ interface: 'up0v0', gateway: '198.51.100.1', alive: true }] });
  expect((await detail()).connections).toBeGreaterThan(0);

  const mac = lab.mac('a').replaceAll(':', '');
  const answer = await lab.call('a', { url: 'http://192.0.2.10/bytes/1000000' });
  expect(answer.status).toBe(200);
  const who = { tab: 'online', gwid, keyword: mac };
  // the agent tells what is safe on its disk: that is once a minute
  await expect
    .poll(
      async () => {
        await detail();
        const { list } = (await ask<{ list: { down: number }[] }>('/api/v3/user_online/list', who)).data;
        // a million bytes, and the headers of their packets
        return list.map(({ down, ...row }) => ({ ...row, down: down > 1_000_000 && down < 1_020_000 }));
      },
      { timeout: 150_000, interval: 3000 },
    )
    .toMatchObject([{ mac, band: 0, port: 'LAN1', ip: lease.address, down: true }]);
}, 300_000);
