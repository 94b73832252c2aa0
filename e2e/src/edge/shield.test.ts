import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LabConsole, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

let labConsole: LabConsole;
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
});

let refused = 0;

const lookup = async (where: 'a' | 'b', name: string, server: string) => {
  const program = `const { Resolver } = require('node:dns').promises;
    const asker = new Resolver({ timeout: 3000, tries: 1 });
    asker.setServers(['${server}']);
    asker.resolve4('${name}').then(([one]) => console.log(one), ({ code }) => console.log(code));`;
  const answer = (await labConsole.lab.run(where, process.execPath, '-e', program)).trim();
  if (answer === 'ENOTFOUND') refused += 1;
  return answer;
};
const resolver = '192.168.1.1';
const promptly = { timeout: 60_000, interval: 250 };

it('blocks listed domains for clients, allows what the whitelist names, counts, and survives a restart', async () => {
  const { ask, folder, lab, owner } = labConsole;
  // dnsmasq reads its files as another user
  chmodSync(folder, 0o755);
  const { gwid } = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  const { serial } = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as {
    serial: string;
  };
  labConsole.startAgent();
  await labConsole.online(serial);
  await labConsole.configure(gwid);
  await lab.lease('a');
  await expect.poll(() => lookup('a', 'www.example.com', resolver), promptly).toBe('192.0.2.10');

  const security = <T>(path: string, body: object) => ask<T>(`/api/v3/cloud_security/${path}`, body);
  await security('own/save', { domains: ['example.com'] });
  const policy = { gwids: [gwid], mode: 'block', categories: ['own'], redirect: true };
  const pushed = await security<{ job_id: string }>('setting/save', policy);
  await labConsole.applied(pushed.data.job_id);
  const state = async () => {
    await ask('/api/v3/device/refresh', { serial });
    const { list } = (await security<{ list: { state: string }[] }>('setting/list', {})).data;
    return list[0]?.state;
  };
  await expect.poll(state, { timeout: 60_000, interval: 1000 }).toBe('enforced');
  expect(await lookup('a', 'www.example.com', resolver)).toBe('ENOTFOUND');
  // a query for another server ends at the gateway too
  expect(await lookup('a', 'www.example.com', '192.0.2.53')).toBe('ENOTFOUND');
  expect(await lookup('a', 'v.douyin.com', resolver)).toMatch(/^192\.0\.2\./);

  const allowed = await security<{ job_id: string }>('allowlist/create', {
    name: 'Shop-Page',
    link: 'https://www.example.com/start',
  });
  await labConsole.applied(allowed.data.job_id);
  await expect.poll(() => lookup('a', 'www.example.com', resolver), promptly).toBe('192.0.2.10');
  expect(await lookup('a', 'other.example.com', resolver)).toBe('ENOTFOUND');

  const blocked = async () =>
    (await security<{ blocked: { today: number }; top_terminals: { mac: string }[] }>('briefing', {})).data;
  const counted = { blocked: { today: refused }, top_terminals: [{ mac: lab.mac('a').replaceAll(':', '') }] };
  await expect.poll(blocked, { timeout: 150_000, interval: 2000 }).toMatchObject(counted);

  const pid = (await lab.run('gw', 'sh', '-c', `cat ${folder}/run/yunxun-edge/dnsmasq.pid`)).trim();
  await lab.run('gw', 'kill', '-9', pid);
  await expect.poll(() => lookup('a', 'other.example.com', resolver), promptly).toBe('ENOTFOUND');
  expect(await lookup('a', 'www.example.com', resolver)).toBe('192.0.2.10');
});
