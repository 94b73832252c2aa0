import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgeSdwanState } from '@yunxun/contract/device';
import { expect, it } from 'vitest';
import { labFixture } from './lab-fixture.ts';
import { steadyRate } from './rate.ts';
import { type SdwanLab, startSdwanLab } from './sdwan-lab.ts';
import { type Star, starDocument } from './sdwan-plan.ts';
import { type Site, siteNames, sites } from './sdwan-sites.ts';

/** Real WireGuard tunnels: main centre A, backup B, branches C and D. */
let lab: SdwanLab;
let keys: Star['keys'];
let uuid = 100;
const slowly = { timeout: 60_000, interval: 250 };

labFixture(async (own) => {
  lab = own(await startSdwanLab());
  const found: Partial<Record<Site, string>> = {};
  for (const site of siteNames) {
    const session = await lab.hosts[site].start();
    const { params } = await session.message('connect');
    expect(params.capabilities).toMatchObject({ yunxun: { abilities: { sdwan: true } } });
    found[site] = (await reportOf(site)).public_key;
  }
  keys = found as Star['keys'];
  await star();
  await Promise.all(allPairs().map(([from, to]) => expect.poll(() => lab.reaches(from, to), slowly).toBe(true)));
});

async function reportOf(site: Site): Promise<EdgeSdwanState> {
  const session = await lab.hosts[site].session();
  const from = session.messages.length;
  session.send('request', { message: 'state', request_uuid: `state-${from}`, when: 0 });
  const { params } = await session.message('state', from);
  return (params.state as { yunxun: { sdwan: EdgeSdwanState } }).yunxun.sdwan;
}

function allPairs(): (readonly [Site, Site])[] {
  return siteNames.flatMap((from) => siteNames.filter((to) => to !== from).map((to) => [from, to] as const));
}

async function star(more: Partial<Star> = {}, which: readonly Site[] = siteNames): Promise<void> {
  uuid += 1;
  for (const site of which) {
    const document = starDocument(site, { uuid, keys, ...more });
    expect(await lab.hosts[site].configure(document), lab.hosts[site].log()).toMatchObject({ status: { error: 0 } });
  }
}

const pathOf = async (site: Site, to: Site) => {
  const route = await lab.run(site, 'ip', 'route', 'show', `${sites[to].seen}.0/24`, 'metric', '50');
  return /dev (\S+)/.exec(route)?.[1];
};

async function answeredAgain(pings: ReturnType<SdwanLab['pings']>, count = 10): Promise<void> {
  const from = pings.answered();
  await expect.poll(() => pings.answered() - from, slowly).toBeGreaterThan(count);
}

async function arrivals(at: Site, source: string): Promise<() => Promise<number>> {
  const chain = 'type filter hook input priority -500;';
  await lab.run(
    `${at}h`,
    'nft',
    `table inet seen; delete table inet seen; add table inet seen; add chain inet seen in { ${chain} }; add rule inet seen in ip saddr ${source} counter`,
  );
  return async () => Number(/packets (\d+)/.exec(await lab.run(`${at}h`, 'nft', 'list', 'table', 'inet', 'seen'))?.[1]);
}

const silent = (where: string, ...argv: string[]) => lab.run(where, ...argv).catch(() => '');

it('joins all sites in both directions, twice, with 1:1 mapping where prefixes overlap', async () => {
  for (let turn = 0; turn < 2; turn += 1)
    expect(await Promise.all(allPairs().map(([from, to]) => lab.reaches(from, to)))).toEqual(
      allPairs().map(() => true),
    );
});

it('moves to the backup centre and back without a console', async () => {
  await lab.run('net', 'ip', 'link', 'set', 'host', 'down');
  const steady = lab.pings('C', 'D');
  await answeredAgain(steady, 20);
  expect(await steady.lost()).toBe(0);
  const cut = lab.pings('C', 'D');
  await answeredAgain(cut, 3);
  await lab.run('net', 'ip', 'link', 'set', 'pA', 'down');
  await expect.poll(() => Promise.all([pathOf('C', 'D'), pathOf('D', 'C')]), slowly).toEqual(['sdbak', 'sdbak']);
  await answeredAgain(cut);
  // five pings a second
  expect(await cut.lost()).toBeLessThanOrEqual(30);
  const back = lab.pings('C', 'D');
  await answeredAgain(back, 3);
  await lab.run('net', 'ip', 'link', 'set', 'pA', 'up');
  await expect.poll(() => Promise.all([pathOf('C', 'D'), pathOf('D', 'C')]), slowly).toEqual(['sdmain', 'sdmain']);
  await answeredAgain(back);
  expect(await back.lost()).toBeLessThanOrEqual(5);
  await lab.run('net', 'ip', 'link', 'set', 'host', 'up');
});

it('uses the other centre while only the path to one is cut, and recovers on both sides', async () => {
  await expect.poll(() => pathOf('A', 'C'), slowly).toBe('sddown');
  const { messages } = await lab.hosts.C.session();
  const from = messages.length;
  await lab.run(
    'N',
    'nft',
    'add table ip cut; add chain ip cut c { type filter hook forward priority -10; }; add rule ip cut c ip daddr 198.51.100.11 drop; add rule ip cut c ip saddr 198.51.100.11 drop',
  );
  await expect.poll(() => Promise.all([pathOf('C', 'A'), pathOf('A', 'C')]), slowly).toEqual(['sdbak', 'sdhub']);
  for (const [from, to] of [
    ['A', 'C'],
    ['C', 'A'],
    ['D', 'C'],
  ] as const)
    await expect.poll(() => lab.reaches(from, to), slowly).toBe(true);
  await lab.run('N', 'nft', 'delete table ip cut');
  await expect.poll(() => Promise.all([pathOf('C', 'A'), pathOf('A', 'C')]), slowly).toEqual(['sdmain', 'sddown']);
  expect(await lab.reaches('A', 'C')).toBe(true);
  await expect.poll(() => JSON.stringify(messages.slice(from)), slowly).toContain('"sdwan.path"');
});

it('loses no packet while a node is added and while agents restart', async () => {
  const pings = lab.pings('C', 'D');
  await answeredAgain(pings, 3);
  await star({ added: Buffer.alloc(32, 7).toString('base64') }, ['A', 'B']);
  expect(await lab.run('A', 'ip', 'route', 'show', '100.64.0.5')).toContain('dev sddown');
  for (const site of ['A', 'C'] as const) {
    await lab.hosts[site].end('SIGKILL');
    await lab.hosts[site].start();
  }
  await answeredAgain(pings);
  expect(await pings.lost()).toBe(0);
  await star({}, ['A', 'B']);
});

it('lets no spoofed source and no forbidden pair pass', async () => {
  const spoofed = await arrivals('A', `${sites.D.seen}.77`);
  await lab.run('Ch', 'ip', 'addr', 'add', `${sites.D.seen}.77/32`, 'dev', 'eth0');
  await silent('Ch', 'ping', '-n', '-c', '3', '-i', '0.2', '-W', '1', '-I', `${sites.D.seen}.77`, `${sites.A.seen}.10`);
  expect(await spoofed()).toBe(0);
  await lab.run('Ch', 'ip', 'addr', 'del', `${sites.D.seen}.77/32`, 'dev', 'eth0');
  await star({ forbidden: [['D', 'C']] }, ['A', 'B']);
  const barred = await arrivals('C', `${sites.D.seen}.10`);
  await silent('Dh', 'ping', '-n', '-c', '3', '-i', '0.2', '-W', '1', `${sites.C.seen}.10`);
  expect(await barred()).toBe(0);
  expect(await lab.reaches('D', 'A')).toBe(true);
  await star({}, ['A', 'B']);
});

it('keeps the rate on both uplinks', async () => {
  const kbps = 4000;
  await star({ rate: kbps }, ['D']);
  const bytes = 1_500_000;
  const measure = async () => {
    const call = JSON.stringify({ url: `http://${sites.A.seen}.10/whoami`, post: bytes, timeoutS: 60 });
    const caller = join(import.meta.dirname, 'caller.mjs');
    const { ms } = JSON.parse(await lab.run('Dh', process.execPath, caller, call)) as { ms: number };
    return (bytes * 8) / ms;
  };
  const check = async () => {
    const rate = await steadyRate(kbps, measure);
    expect(rate).toBeGreaterThan(kbps * 0.85);
    expect(rate).toBeLessThanOrEqual(kbps);
  };
  expect(await pathOf('D', 'A')).toBe('sdmain');
  await check();
  const cut =
    'add table ip cut; add chain ip cut c { type filter hook output priority 0; }; add rule ip cut c ip daddr 198.51.100.11 drop';
  await lab.run('D', 'nft', cut);
  await expect.poll(() => Promise.all([pathOf('D', 'A'), pathOf('A', 'D')]), slowly).toEqual(['sdbak', 'sdhub']);
  await check();
  await lab.run('D', 'nft', 'delete table ip cut');
  await expect.poll(() => pathOf('D', 'A'), slowly).toBe('sdmain');
});

it('starts a tunnel again whose process died', async () => {
  const pids = execFileSync('ip', ['netns', 'pids', `yx${process.pid}Cgw`], { encoding: 'utf8' }).split('\n');
  const pid = pids.find((one) => one !== '' && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('\0sdmain'));
  process.kill(Number(pid), 'SIGKILL');
  await expect
    .poll(() => lab.run('C', 'ip', '-br', 'link', 'show', 'dev', 'sdmain').catch(() => ''), slowly)
    .toContain('sdmain');
  await expect
    .poll(async () => [await pathOf('C', 'D'), await lab.reaches('C', 'D')], slowly)
    .toEqual(['sdmain', true]);
});

it('reports what runs, and leaves nothing behind', async () => {
  await expect
    .poll(() => reportOf('C'), slowly)
    .toMatchObject({
      public_key: keys.C,
      networks: [{ id: 'star', peers: [{ alive: true, handshake: expect.any(Number) }, { alive: true }] }],
    });
  const secret = readFileSync(join(lab.hosts.C.folder, 'var/lib/yunxun-edge/wireguard.key'), 'utf8').trim();
  for (const { messages } of lab.hosts.C.console.sessions) expect(JSON.stringify(messages)).not.toContain(secret);
  expect(lab.hosts.C.log()).not.toContain(secret);
  const { 'third-party': _, ...plain } = starDocument('C', { uuid: uuid + 1, keys });
  uuid += 1;
  expect(await lab.hosts.C.configure(plain)).toMatchObject({ status: { error: 0 } });
  expect(await lab.run('C', 'ip', '-br', 'link')).not.toContain('sd');
  expect(await lab.run('C', 'ip', 'route')).not.toMatch(/100\.64|metric 50/);
  expect(await lab.run('C', 'nft', 'list', 'table', 'inet', 'yunxun')).not.toContain('sd');
  expect(readdirSync(join(lab.hosts.C.folder, 'wireguard'))).toEqual([]);
});
