import type { DataOf, sdwan } from '@yunxun/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { slowly } from './lab-console.ts';
import { labFixture } from './lab-fixture.ts';
import { type SdwanConsole, startSdwanConsole } from './sdwan-console.ts';
import { type Site, siteNames, sites } from './sdwan-sites.ts';

/** One network of four agents that changes between the topologies. Only C is behind NAT. */
type Topology = 'mesh' | 'star' | 'tree';
type Detail = DataOf<typeof sdwan.networkDetail>;
type Pair = readonly [Site, Site];

let lab: SdwanConsole;
let id: string;
let now: Topology;

const topologies: Readonly<
  Record<Topology, { type: 1 | 2 | 3; of: (site: Site) => object; tunnels: readonly Pair[] }>
> = {
  mesh: {
    type: 1,
    of: () => ({}),
    tunnels: siteNames.flatMap((one, at) => siteNames.slice(at + 1).map((other) => [one, other] as const)),
  },
  star: {
    type: 2,
    of: (site) => ({ role: site === 'A' ? 'main' : '' }),
    tunnels: (['B', 'C', 'D'] as const).map((site) => ['A', site] as const),
  },
  tree: {
    type: 3,
    of: (site) => ({ pid: { A: '1', B: gwidOf('A'), C: gwidOf('B'), D: gwidOf('A') }[site] }),
    tunnels: [
      ['A', 'B'],
      ['A', 'D'],
      ['B', 'C'],
    ],
  },
};

const changes: readonly (readonly [Topology, Topology])[] = [
  ['star', 'mesh'],
  ['mesh', 'star'],
  ['star', 'tree'],
  ['tree', 'mesh'],
  ['mesh', 'tree'],
  ['tree', 'star'],
];

const gwidOf = (site: Site) => lab.gateways[site].gwid;
const detail = async () => (await lab.ask<Detail>('sdwan/network/detail', { id })).data;
const status = async () => (await detail()).network.status;

function planOf(topology: Topology) {
  const { type, of } = topologies[topology];
  const nodes = siteNames.map((site) => {
    const { lan, seen } = sites[site];
    return {
      key: gwidOf(site),
      role: '',
      pid: '',
      position: 1,
      widthband: 100,
      foreign_widthband: 0,
      host: null,
      group_id: null,
      lans: [{ prefix: `${lan}.0/24`, ...(lan === seen ? {} : { as: `${seen}.0/24` }) }],
      ...of(site),
    };
  });
  return { type, mode: 'transit', strategy_id: null, nodes };
}

labFixture(async (own) => {
  lab = own(await startSdwanConsole());
  await lab.ask('sdwan/order/create', { kind: 'package', package_id: 'standard' });
  id = (await lab.ask<{ id: string }>('sdwan/network/create', { name: 'Branches', ...planOf('star') })).data.id;
  await lab.applied((await lab.ask<{ job_id: string }>('sdwan/network/deploy', { id })).data.job_id);
  now = 'star';
});

async function save(to: Topology): Promise<string> {
  const { version, name } = (await detail()).network;
  const { data } = await lab.ask<{ job_id: string }>('sdwan/network/update', { id, version, name, ...planOf(to) });
  now = to;
  return data.job_id;
}

/** Polls the console alone: gateways report by themselves. */
async function runs(): Promise<void> {
  await expect.poll(status, slowly).toBe('running');
  await expect.poll(() => unreached(siteNames), slowly).toEqual([]);
  expect(await status()).toBe('running');
}

async function unreached(among: readonly Site[]): Promise<string[]> {
  const pairs = among.flatMap((from) => among.filter((to) => to !== from).map((to) => [from, to] as const));
  const reached = await Promise.all(pairs.map(([from, to]) => lab.reaches(from, to)));
  return pairs.flatMap((pair, at) => (reached[at] ? [] : [pair.join('-')]));
}

async function answeredAgain(pings: { answered(): number }, count = 10): Promise<void> {
  const from = pings.answered();
  await expect.poll(() => pings.answered() - from, slowly).toBeGreaterThan(count);
}

const cable = (site: Site, state: 'up' | 'down') =>
  lab.run('net', 'ip', 'link', 'set', site === 'C' ? 'pN' : `p${site}`, state);

describe.each(changes)('a change from %s to %s', (from, to) => {
  beforeEach(async () => {
    if (now !== from) await lab.applied(await save(from));
    await runs();
  });

  it('ends running, and loses no packet on tunnels of both', async () => {
    const isIn = ([one, other]: Pair) =>
      topologies[to].tunnels.some((pair) => pair.includes(one) && pair.includes(other));
    const shared = topologies[from].tunnels.filter(isIn).flatMap(([one, other]): Pair[] => [
      [one, other],
      [other, one],
    ]);
    const kept = shared.map((pair) => lab.pings(...pair));
    for (const pings of kept) await answeredAgain(pings, 3);
    await lab.applied(await save(to));
    await runs();
    for (const pings of kept) await answeredAgain(pings, 3);
    const lost = await Promise.all(kept.map(async (pings, at) => `${shared[at]!.join('-')} ${await pings.lost()}`));
    expect(lost).toEqual(shared.map((pair) => `${pair.join('-')} 0`));
  });

  it('with a node cut off works for the others, says what is missing, and ends running', async () => {
    await cable('D', 'down');
    const job = await save(to);
    await expect.poll(() => unreached(['A', 'B', 'C']), slowly).toEqual([]);
    expect(await status()).not.toBe('running');
    await cable('D', 'up');
    await lab.applied(job);
    await runs();
  });
});

it('is not running once its centre lost its cable, by the reports of the branches', async () => {
  if (now !== 'star') await lab.applied(await save('star'));
  await runs();
  await cable('A', 'down');
  const from = performance.now();
  await expect.poll(status, slowly).not.toBe('running');
  expect(performance.now() - from).toBeLessThan(30_000);
  await cable('A', 'up');
  await runs();
});

it('is repaired by another deployment', async () => {
  const names = async () => (await lab.wg('B', 'show', 'interfaces')).trim();
  const name = await names();
  await lab.wg('B', 'set', name, 'listen-port', '40001');
  for (const key of (await lab.wg('B', 'show', name, 'peers')).split('\n').filter(Boolean))
    await lab.wg('B', 'set', name, 'peer', key, 'allowed-ips', '');
  await lab.run('B', 'ip', 'route', 'flush', 'proto', '201', 'dev', name);
  expect(await lab.reaches('B', 'A')).toBe(false);
  await lab.applied((await lab.ask<{ job_id: string }>('sdwan/network/deploy', { id })).data.job_id);
  await runs();
  expect(await lab.wg('B', 'show', name, 'listen-port')).toContain('51822');
});
