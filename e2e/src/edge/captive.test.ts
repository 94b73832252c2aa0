import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { portalDraft, portalLimits } from '../../../packages/server/test/portal-draft.ts';
import { logged } from './lab.ts';
import { type LabConsole, startLabConsole } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';

const stream = join(import.meta.dirname, 'stream.mjs');
const port = 9000;

let labConsole: LabConsole;
let site: { gwid: string } | null = null;
labFixture(async (own) => {
  labConsole = own(await startLabConsole({ dhcpOnWans: true }));
  site = null;
});

type Where = 'a' | 'b';

interface Guest {
  id: string;
  mac: string;
  method: string;
  verified: boolean;
}

async function captured(): Promise<{ gwid: string }> {
  if (site) return site;
  const { ask, folder, lab, owner } = labConsole;
  // dnsmasq reads its files as another user
  execFileSync('chmod', ['755', folder]);
  const { gwid } = (await ask<{ gwid: string }>('/api/v3/network/create', { remark: 'Shop' })).data;
  await lab.run('gw', 'sh', '-c', labConsole.line(owner.bindingCode, gwid));
  const { serial } = JSON.parse(readFileSync(join(folder, 'etc/yunxun-edge/identity.json'), 'utf8')) as {
    serial: string;
  };
  labConsole.startAgent();
  await labConsole.online(serial);
  await labConsole.configure(gwid);
  for (const where of ['a', 'b'] as const) await lab.lease(where);
  expect(await lab.page('a')).toBe(200);

  const methods = (['one_click', 'voucher'] as const).map((kind) => ({ kind, ...portalLimits, minutes: 60 }));
  const whitelist = [{ name: 'Videos', link: 'http://cdn.googlevideo.com' }];
  const content = portalDraft({ methods, whitelist });
  const { id } = (await ask<{ id: string }>('/api/v3/auth_template/create', { name: 'Lobby', ...content })).data;
  await ask('/api/v3/auth_template/publish', { id, revision: 1 });
  const lans = (await ask<{ edge: { lans: { name: string }[] } }>('/api/v3/portal/site', { gwid })).data.edge.lans;
  const captive = { lans: lans.map(({ name }) => name), exempt_macs: [], exempt_addresses: [] };
  const pushed = await ask<{ job_id: string }>('/api/v3/portal/site/save', {
    gwid,
    enabled: true,
    template_id: id,
    gateway: 'edge',
    captive,
  });
  await labConsole.applied(pushed.data.job_id);
  await logged(lab.start('net', process.execPath, [stream, 'serve', '192.0.2.10', String(port)]), 'ready');
  site = { gwid };
  return site;
}

async function visit(where: Where, url = 'http://192.0.2.10/whoami'): Promise<{ status: number; to: string }> {
  const write = '%{http_code} %{redirect_url}';
  const { stdout } = await labConsole.lab.try(where, 'curl', '-sk', '-m', '5', '-o', '/dev/null', '-w', write, url);
  const [status = '0', to = ''] = stdout.split(' ');
  return { status: Number(status), to };
}
const status = async (where: Where, url?: string) => (await visit(where, url)).status;

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

/** Follows the pages without scripts; returns the last. */
async function signIn(where: Where, way: string, fields: Record<string, string> = {}): Promise<string> {
  const { to } = await visit(where);
  const html = await read(where, to);
  const [state, action] = [/name="state" value="([^"]*)"/.exec(html)?.[1], /action="([^"]+)"/.exec(html)?.[1]];
  if (!state || !action) throw new Error(`no sign-in at ${to}: ${html}`);
  return read(where, new URL(action, to).href, { state, way, lang: 'en', ...fields });
}

const guests = async (gwid: string) =>
  (await labConsole.ask<{ list: Guest[] }>('/api/v3/portal/guest/list', { gwid })).data.list;
const kick = (gwid: string, id: string) =>
  labConsole.ask<{ result: string }>('/api/v3/portal/guest/kick', { gwid, id });

it('captures HTTP, opens names and the walled garden, and nothing else', async () => {
  await captured();
  const { to } = await visit('a');
  const query = new URL(to).searchParams;
  expect(query.get('mac')).toBe(labConsole.lab.mac('a'));
  expect(query.get('url')).toBe('http://192.0.2.10/whoami');
  expect(await status('a', 'https://192.0.2.10/whoami')).toBe(0);
  expect(await status('a', 'http://192.0.2.10:8080/whoami')).toBe(0);
  const garden = { url: 'http://cdn.googlevideo.com/whoami', resolver: '192.168.1.1', timeoutS: 5 };
  expect((await labConsole.lab.call('a', garden)).status).toBe(200);
  // another server's answers open nothing
  expect((await labConsole.lab.call('b', { ...garden, resolver: '192.0.2.53' })).status).toBe(200);
  expect((await visit('a', 'http://192.0.2.12/whoami')).status).toBe(302);
});

it('refuses a query that the gateway did not sign', async () => {
  const { gwid } = await captured();
  const { to } = await visit('b');
  const forged = new URL(to);
  forged.searchParams.set('mac', labConsole.lab.mac('a'));
  const html = await read('b', forged.href);
  expect(html).not.toContain('name="state"');
  expect(await guests(gwid)).toEqual([]);
});

it('grants by one click, and a kick cuts open connections', async () => {
  const { gwid } = await captured();
  expect(await signIn('a', 'one_click')).toContain('You are online');
  expect(await status('a')).toBe(200);
  expect(await status('a', 'https://192.0.2.10/whoami')).toBe(200);
  expect(await status('b')).toBe(302);
  const [guest] = await guests(gwid);
  expect(guest).toMatchObject({ mac: labConsole.lab.mac('a'), method: 'one_click', verified: true });

  const listener = labConsole.lab.start('a', process.execPath, [stream, 'listen', 'udp', '192.0.2.10', String(port)]);
  const times: number[] = [];
  listener.stdout?.on('data', (part: Buffer) => times.push(...part.toString().trim().split('\n').map(Number)));
  await expect.poll(() => times.length).toBeGreaterThan(20);
  expect((await kick(gwid, guest!.id)).data.result).toBe('disconnected');
  expect(await status('a')).toBe(302);
  // the sender goes on, but nothing arrives
  await expect.poll(() => Date.now() - times.at(-1)!).toBeGreaterThan(2000);
  expect(await guests(gwid)).toEqual([]);
});

it('grants with a voucher until its minutes are over', async () => {
  const { gwid } = await captured();
  const batch = { name: 'Pass', count: 1, minutes: 1, devices: 1, valid_days: 1, characters: 'digits', length: 8 };
  const { codes } = (await labConsole.ask<{ codes: string[] }>('/api/v3/portal/voucher/create', { gwid, ...batch }))
    .data;
  expect(await signIn('b', 'voucher', { voucher: '00000000' })).toContain('role="alert"');
  expect(await status('b')).toBe(302);
  await signIn('b', 'voucher', { voucher: codes[0]! });
  expect(await status('b')).toBe(200);
  // each wait has the limit of a minute
  const almost = Date.now() + 45_000;
  await expect.poll(() => Date.now()).toBeGreaterThan(almost);
  await expect.poll(() => status('b')).toBe(302);
});

it('keeps grants while the console is away and the agent restarts', async () => {
  const { gwid } = await captured();
  await signIn('a', 'one_click');
  const { lab } = labConsole;
  await lab.run('net', 'nft', `add table ip away; add chain ip away out { type filter hook forward priority 0; }`);
  await lab.run('net', 'nft', `add rule ip away out ip daddr ${lab.console} drop`);
  const agents = async () =>
    (await lab.run('gw', 'ip', 'netns', 'pids', `${lab.prefix}gw`))
      .split('\n')
      .filter((pid) => pid !== '' && commandOf(Number(pid)).includes('yunxun-edge.mjs run'));
  const running = await agents();
  expect(running).toHaveLength(1);
  await lab.run('gw', 'kill', '-9', running[0]!);
  await expect.poll(agents).toEqual([]);
  expect(await status('a')).toBe(200);
  // as after a reboot: the kernel has no grants
  await lab.run('gw', 'nft', 'delete', 'table', 'inet', 'yunxun_captive');
  labConsole.startAgent();
  await expect.poll(() => status('b')).toBe(302);
  expect(await status('a')).toBe(200);
  await lab.run('net', 'nft', 'delete', 'table', 'ip', 'away');
  expect(await status('a')).toBe(200);
  const [guest] = await guests(gwid);
  // the console does not know yet that the session is over
  await expect.poll(async () => (await kick(gwid, guest!.id)).data.result).toBe('disconnected');
  expect(await status('a')).toBe(302);
});

it('opens the networks again when the sign-in is switched off', async () => {
  const { gwid } = await captured();
  const saved = await labConsole.ask<{ job_id: string }>('/api/v3/portal/site/save', {
    gwid,
    enabled: false,
    template_id: null,
    gateway: 'edge',
  });
  await labConsole.applied(saved.data.job_id);
  expect(await status('a')).toBe(200);
  expect(await status('b')).toBe(200);
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
