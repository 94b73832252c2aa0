import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { portalDraft, portalLimits } from '../../../packages/server/test/portal-draft.ts';
import { type LabConsole, slowly, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

let labConsole: LabConsole;
let gwid = '';
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  gwid = '';
});

type Where = 'a' | 'b';

async function captured(): Promise<void> {
  if (gwid !== '') return;
  const { ask, folder, lab, owner } = labConsole;
  // dnsmasq reads its files as another user
  execFileSync('chmod', ['755', folder]);
  const made = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data.gwid;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, made));
  const { serial } = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as {
    serial: string;
  };
  labConsole.startAgent();
  await labConsole.online(serial);
  await labConsole.configure(made);
  for (const where of ['a', 'b'] as const) await lab.lease(where);
  const methods = [{ kind: 'password', ...portalLimits, minutes: 60, password: 'welcome-2026' }];
  const { id } = (
    await ask<{ id: string }>('/api/v3/auth_template/create', {
      name: 'Lobby',
      ...portalDraft({ methods, away: 'open', hours: [] }),
    })
  ).data;
  await ask('/api/v3/auth_template/publish', { id, revision: 1 });
  const { lans } = (await ask<{ edge: { lans: { name: string }[] } }>('/api/v3/portal/site', { gwid: made })).data.edge;
  const captive = { lans: lans.map(({ name }) => name), exempt_macs: [], exempt_addresses: [] };
  const pushed = await ask<{ job_id: string }>('/api/v3/portal/site/save', {
    gwid: made,
    enabled: true,
    template_id: id,
    gateway: 'edge',
    captive,
  });
  await labConsole.applied(pushed.data.job_id);
  gwid = made;
}

async function visit(where: Where): Promise<{ status: number; to: string }> {
  const write = '%{http_code} %{redirect_url}';
  const argv = ['-s', '-m', '5', '-o', '/dev/null', '-w', write, 'http://192.0.2.10/whoami'];
  const { stdout } = await labConsole.lab.try(where, 'curl', ...argv);
  const [status = '0', to = ''] = stdout.split(' ');
  return { status: Number(status), to };
}
const status = async (where: Where) => (await visit(where)).status;
const read = (where: Where, url: string, form: Record<string, string> = {}) =>
  labConsole.lab.run(
    where,
    'curl',
    '-sL',
    '-m',
    '30',
    '-H',
    'accept-language: en',
    ...Object.entries(form).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
    url,
  );

it('gives a forged query no sign-in, and a page of another device no way in for this one', async () => {
  await captured();
  const [own, other] = [(await visit('a')).to, labConsole.lab.mac('b')];
  for (const [name, value] of Object.entries({ mac: other, ip: '192.168.1.77', nonce: 'x'.repeat(22) })) {
    const forged = new URL(own);
    forged.searchParams.set(name, value);
    expect(await read('a', forged.href), name).not.toContain('name="state"');
  }
  const html = await read('a', own);
  const [state, action] = [/name="state" value="([^"]*)"/.exec(html)?.[1], /action="([^"]+)"/.exec(html)?.[1]];
  // the sealed state names the device, not the sender or the form
  const form = { state: state!, way: 'password', lang: 'en', password: 'welcome-2026', mac: other };
  expect(await read('b', new URL(action!, own).href, form)).toContain('You are online');
  expect(await status('b')).toBe(302);
  expect(await status('a')).toBe(200);
});

it('keeps guests online while the console is dead, opens for new ones, and captures them once it is back', async () => {
  await captured();
  expect([await status('a'), await status('b')]).toEqual([200, 302]);
  await labConsole.kill();
  expect([await status('a'), await status('b')]).toEqual([200, 302]);
  await expect.poll(() => status('b'), slowly).toBe(200);
  expect(await status('a')).toBe(200);
  await labConsole.restart();
  await expect.poll(() => status('b'), slowly).toBe(302);
  expect(await status('a')).toBe(200);
});
