import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataOf, fleetTools, sdwan } from '@yunxun/contract';
import { expect, it } from 'vitest';
import { slowly } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { type SdwanConsole, startSdwanConsole } from './sdwan-console.ts';
import { type Site, siteNames, sites } from './sdwan-sites.ts';

/** Real agents: centres A and B, branch C behind NAT, branch D. */
let lab: SdwanConsole;
let id: string;

type Check = DataOf<typeof sdwan.check>;
type Detail = DataOf<typeof sdwan.networkDetail>;
type PathResult = DataOf<typeof sdwan.pathTestResult>;
type Measured = DataOf<typeof fleetTools.toolDetail>;

const roles: Readonly<Record<Site, string>> = { A: 'main', B: 'bak', C: '', D: '' };
const detail = async () => (await lab.ask<Detail>('sdwan/network/detail', { id })).data;

labFixture(async (own) => {
  lab = own(await startSdwanConsole());
  id = await deployStar();
});

const prefixOf = (site: Site) => `${sites[site].lan}.0/24`;

function nodeOf(site: Site) {
  const { lan, seen } = sites[site];
  return {
    key: lab.gateways[site].gwid,
    role: roles[site],
    pid: '',
    position: 1,
    widthband: 100,
    foreign_widthband: 0,
    host: null,
    group_id: null,
    lans: [{ prefix: prefixOf(site), ...(lan === seen ? {} : { as: `${seen}.0/24` }) }],
  };
}

async function deployStar(): Promise<string> {
  await lab.ask('sdwan/order/create', { kind: 'package', package_id: 'standard' });
  const strategy = { name: 'Quick', probe_ms: 500, fails: 3, recovers: 3, hold_s: 2, order: 'preferred' };
  const { data } = await lab.ask<{ id: string }>('sdwan/link_strategy/create', strategy);
  const plan = { type: 2, mode: 'transit', strategy_id: data.id };
  const unmapped = siteNames.map((site) => ({ ...nodeOf(site), lans: [{ prefix: prefixOf(site) }] }));
  const { errors } = (await lab.ask<Check>('sdwan/check', { ...plan, nodes: unmapped })).data;
  expect(errors.map(({ code }) => code)).toEqual(['overlap']);
  const nodes = siteNames.map(nodeOf);
  const made = await lab.ask<{ id: string }>('sdwan/network/create', { name: 'Branches', ...plan, nodes });
  const pushed = await lab.ask<{ job_id: string }>('sdwan/network/deploy', { id: made.data.id });
  await lab.applied(pushed.data.job_id);
  return made.data.id;
}

const pairs = siteNames.flatMap((from) => siteNames.filter((to) => to !== from).map((to) => [from, to] as const));
const matrixOf = async () => {
  const reached = await Promise.all(pairs.map(([from, to]) => lab.reaches(from, to)));
  return pairs.flatMap((pair, at) => (reached[at] ? [] : [pair.join('-')]));
};
/** Nothing is missing. */
const whole: string[] = [];

const pathOf = async (site: Site, to: Site) => {
  const route = await lab.run(site, 'ip', 'route', 'show', `${sites[to].seen}.0/24`, 'metric', '50');
  return /dev (\S+)/.exec(route)?.[1];
};
const pathsOf = (...of: readonly (readonly [Site, Site])[]) => Promise.all(of.map((pair) => pathOf(...pair)));

async function reported() {
  await lab.refresh();
  return (await detail()).network;
}

async function answeredAgain(pings: { answered(): number }, count = 10): Promise<void> {
  const from = pings.answered();
  await expect.poll(() => pings.answered() - from, slowly).toBeGreaterThan(count);
}

it('joins all sites in both directions, as the matrix on the screen says, and runs', async () => {
  await expect.poll(matrixOf, slowly).toEqual(whole);
  expect(await matrixOf()).toEqual(whole);
  await expect.poll(reported, slowly).toMatchObject({ status: 'running', nodes: 4, online: 4 });
  const { matrix, nodes } = await detail();
  expect(matrix.rows).toEqual(siteNames.map(() => '1111'));
  const endpoints = nodes.map(({ key, endpoint }) => [key, endpoint]);
  expect(endpoints).toContainEqual([lab.gateways.A.gwid, sites.A.wan]);
  expect(endpoints).toContainEqual([lab.gateways.C.gwid, null]);
});

it('tests the path from a branch to a host and to a TCP port behind another site', async () => {
  const test = async (target: string, port?: number) => {
    const from = lab.gateways.C.gwid;
    const asked = { id, from, target };
    const run = await lab.ask<{ run_id: string }>('sdwan/path_test', { ...asked, ...(port ? { port } : {}) });
    const read = { ...asked, run_id: run.data.run_id };
    const result = async () => (await lab.ask<PathResult>('sdwan/path_test/result', read)).data;
    await expect.poll(async () => (await result()).done, slowly).toBe(true);
    return result();
  };
  const good = { tunnel: 'ok', route: 'ok', firewall: 'ok', failed_at: null };
  const path = (['C', 'A', 'D'] as const).map((site) => lab.gateways[site].gwid);
  expect(await test(`${sites.D.seen}.10`)).toMatchObject({ ...good, path, loss_pct: 0 });
  expect(await test(`${sites.A.seen}.10`, 80)).toMatchObject({ ...good, rtt_ms: expect.any(Number) as unknown });
  const up = { tunnel: 'ok', route: 'ok' };
  expect(await test(`${sites.A.seen}.10`, 81)).toMatchObject({ ...up, reason: 'sdwan.test_closed' });
  expect(await test(`${sites.D.seen}.99`)).toMatchObject({ ...up, host: 'failed', reason: 'sdwan.test_no_host' });
  const chain = (rule: string) =>
    `add table ip f; add chain ip f in { type filter hook input priority 0; }; add rule ip f in ${rule}`;
  const silence = async (rule: string, asked: () => Promise<PathResult>) => {
    await lab.run('Dh', 'nft', chain(rule));
    const found = await asked();
    await lab.run('Dh', 'nft', 'delete table ip f');
    return found;
  };
  const ping = () => test(`${sites.D.seen}.10`);
  const noReply = { ...up, firewall: 'unknown', reason: 'sdwan.test_no_reply' };
  expect(await silence('icmp type echo-request drop', ping)).toMatchObject(noReply);
  const dropped = { ...up, firewall: 'failed', reason: 'sdwan.test_dropped' };
  expect(await silence(`ip saddr != ${sites.D.lan}.0/24 drop`, ping)).toMatchObject(dropped);
});

it('measures a tunnel both ways with iperf3, whose port is open to the other end alone, and only then', async () => {
  const measure = async (more: object) => {
    const ends = { id, from: lab.gateways.C.gwid, to: lab.gateways.A.gwid };
    const { run_id } = (await lab.ask<{ run_id: string }>('sdwan/throughput', { ...ends, seconds: 2, ...more })).data;
    const read = async () => (await lab.ask<Measured>('network/tool/detail', { id: run_id })).data;
    await expect.poll(async () => ['done', 'failed'].includes((await read()).state), slowly).toBe(true);
    const { reason, throughput } = await read();
    expect(reason).toBeNull();
    return throughput!;
  };
  const tests = () => lab.run('A', 'nft', 'list', 'set', 'inet', 'yunxun', 'sdwan_tests');
  expect(await tests()).not.toContain('elements');
  const opened = expect.poll(tests, slowly).toContain(sites.C.overlay);
  const [{ up, down }] = await Promise.all([measure({ mbps: 8 }), opened]);
  for (const way of [up, down]) {
    expect(way).toMatchObject({ retransmits: expect.any(Number) as unknown, loss_pct: null });
    expect(way!.mbps).toBeGreaterThan(6);
    expect(way!.mbps).toBeLessThan(10);
  }
  const udp = await measure({ udp: true, mbps: 8 });
  for (const way of [udp.up, udp.down]) {
    expect(way).toMatchObject({ retransmits: null, loss_pct: expect.any(Number) as unknown });
    expect(way!.mbps).toBeGreaterThan(6);
    expect(way!.jitter_ms).not.toBeNull();
  }
  await expect.poll(tests, slowly).not.toContain('elements');
});

it('finds a tunnel that was cut a moment ago, before any report', async () => {
  await lab.run('net', 'ip', 'link', 'set', 'pD', 'down');
  const from = lab.gateways.C.gwid;
  const asked = { id, from, target: `${sites.D.seen}.10` };
  const run = await lab.ask<{ run_id: string }>('sdwan/path_test', asked);
  const result = async () =>
    (await lab.ask<PathResult>('sdwan/path_test/result', { ...asked, run_id: run.data.run_id })).data;
  await expect.poll(async () => (await result()).done, slowly).toBe(true);
  expect(await result()).toMatchObject({ tunnel: 'failed', failed_at: lab.gateways.D.gwid });
  await lab.run('net', 'ip', 'link', 'set', 'pD', 'up');
  await expect.poll(matrixOf, slowly).toEqual(whole);
});

it('moves to the backup centre when the main one is cut, and back, in the order of the plan', async () => {
  const between = [
    ['C', 'D'],
    ['D', 'C'],
  ] as const;
  const [main, bak] = [await pathsOf(...between), ['b', 'b']];
  expect(main.map((name) => name?.at(-1))).toEqual(['d', 'd']);
  const cut = lab.pings('C', 'D');
  await answeredAgain(cut, 3);
  await lab.run('net', 'ip', 'link', 'set', 'pA', 'down');
  await expect.poll(async () => (await pathsOf(...between)).map((name) => name?.at(-1)), slowly).toEqual(bak);
  await answeredAgain(cut);
  const seen = async () => {
    await lab.refresh(['C']);
    const { nodes, links } = await detail();
    const own = (kind: string) => links.find((link) => link.from === lab.gateways.C.gwid && link.kind === kind);
    const node = nodes.find(({ key }) => key === lab.gateways.C.gwid);
    return { bak: own('bak')?.detours, changed: node?.path_changed_at };
  };
  // A and D: two routes of C leave the main centre
  await expect.poll(seen, slowly).toMatchObject({ bak: 2, changed: expect.any(String) as unknown });
  // five pings a second
  expect(await cut.lost()).toBeLessThanOrEqual(30);
  const back = lab.pings('C', 'D');
  await answeredAgain(back, 3);
  await lab.run('net', 'ip', 'link', 'set', 'pA', 'up');
  await expect.poll(() => pathsOf(...between), slowly).toEqual(main);
  await answeredAgain(back);
  expect(await back.lost()).toBeLessThanOrEqual(5);
  await expect.poll(matrixOf, slowly).toEqual(whole);
  await expect.poll(reported, slowly).toMatchObject({ status: 'running' });
});

it('has no private key of a gateway', async () => {
  const answers = JSON.stringify([await detail(), await lab.ask('sdwan/candidate/list', { limit: 50 })]);
  for (const site of siteNames) {
    const file = join(lab.gateways[site].folder, 'var/lib/yunxun-edge/wireguard.key');
    const secret = readFileSync(file, 'utf8').trim();
    expect(secret).toHaveLength(44);
    expect(answers).not.toContain(secret);
    expect(spawnSync('grep', ['-rlF', '--', secret, lab.dataDir], { encoding: 'utf8' }).stdout).toBe('');
  }
});

it('ends the traffic of a removed branch at all neighbours within 10 s, and keeps the others', async () => {
  const { gwid } = lab.gateways.D;
  const own = (await lab.wg('D', 'show', 'all', 'public-key')).split('\n')[0]?.split('\t')[1] ?? '';
  expect(await lab.wg('A', 'show', 'all', 'peers')).toContain(own);
  const kept = lab.pings('C', 'A');
  const ended = (['A', 'B', 'C'] as const).map((from) => lab.pings(from, 'D'));
  for (const pings of [kept, ...ended]) await answeredAgain(pings, 3);
  const { data } = await lab.ask<{ job_id: string }>('sdwan/member/remove', { id, keys: [gwid] });
  const from = performance.now();
  const peers = () => Promise.all((['A', 'B'] as const).map((site) => lab.wg(site, 'show', 'all', 'peers')));
  await expect.poll(async () => (await peers()).join('\n'), slowly).not.toContain(own);
  await lab.applied(data.job_id);
  for (const pings of ended) expect(pings.lastAt() - from).toBeLessThan(10_000);
  expect(await lab.reaches('C', 'D')).toBe(false);
  expect(await lab.run('D', 'ip', '-br', 'link')).not.toMatch(/\bsd\d/);
  await answeredAgain(kept);
  expect(await kept.lost()).toBe(0);
  for (const pings of ended) await pings.lost();
});
