import type { Owner } from '../accounts.ts';
import { localized, type Site, sitesOf } from './sites.ts';
import type { DemoWorld, Story } from './story.ts';
import { until } from './waiting.ts';

interface Candidate {
  key: string;
  reason: string | null;
  lans: { prefix: string }[];
}

interface Node {
  key: string;
  lans: { prefix: string; as?: string }[];
}

const star = { type: 2, mode: 'transit', strategy_id: null } as const;
const usualLan = '192.168.1.0/24';

/** Joins the sites with a Linux gateway in a star with a backup centre; all have the same subnet, so each is mapped. */
export const sdwan: Story = {
  name: 'sdwan',
  async tell(world) {
    for (const owner of world.owners) {
      const sites = sitesOf(world, owner).filter(({ shop }) => shop.edge);
      if (sites.length > 1) await join(world, owner, sites);
    }
  },
};

async function join(world: DemoWorld, owner: Owner, sites: readonly Site[]): Promise<void> {
  const { call } = owner;
  const { package_id, trial } = await call<{ package_id: string | null; trial: boolean }>('/api/v3/sdwan/status', {});
  if (package_id === null && !trial) await call('/api/v3/sdwan/order/create', { kind: 'trial' });
  let candidates: Candidate[] = [];
  await until(world, async () => {
    ({ list: candidates } = await call<{ list: Candidate[] }>('/api/v3/sdwan/candidate/list', { limit: 100 }));
    return sites.every(({ gwid }) => candidates.some((one) => isReady(one, gwid)));
  });
  const id = (await networkOf(owner)) ?? (await create(owner, sites));
  await call('/api/v3/sdwan/network/deploy', { id });
  const status = async () =>
    (await call<{ network: { status: string } }>('/api/v3/sdwan/network/detail', { id })).network.status;
  await until(world, async () => (await status()) === 'running');
  await testPath(world, owner, id, sites);
}

const isReady = ({ key, reason, lans }: Candidate, gwid: string) =>
  key === gwid && reason === null && lans.some(({ prefix }) => prefix === usualLan);

async function networkOf({ call }: Owner): Promise<string | null> {
  const { list } = await call<{ list: { id: string }[] }>('/api/v3/sdwan/network/list', { limit: 10 });
  return list[0]?.id ?? null;
}

async function create(owner: Owner, sites: readonly Site[]): Promise<string> {
  const main = sites.find(({ shop }) => shop.kind === 'office') ?? sites[0]!;
  const others = sites.filter((site) => site !== main);
  const node = ({ gwid }: Site, role: string, host: string | null) => ({
    key: gwid,
    role,
    pid: '',
    position: 1,
    widthband: 20,
    foreign_widthband: 0,
    host,
    group_id: null,
    lans: [{ prefix: usualLan }] as Node['lans'],
  });
  const nodes = [
    node(main, 'main', 'hub.demo.example'),
    ...others.map((site, index) => node(site, index === 0 && others.length > 1 ? 'bak' : '', hostOf(index, others))),
  ];
  const { suggestions } = await owner.call<{ suggestions: { key: string; prefix: string; as: string }[] }>(
    '/api/v3/sdwan/check',
    { ...star, nodes },
  );
  const mapped = nodes.map((one) => ({
    ...one,
    lans: one.lans.map(({ prefix }) => {
      const as = suggestions.find((found) => found.key === one.key && found.prefix === prefix)?.as;
      return as === undefined ? { prefix } : { prefix, as };
    }),
  }));
  const name = localized(owner, { zh: '总部-门店', en: 'Head-office-star' });
  return (await owner.call<{ id: string }>('/api/v3/sdwan/network/create', { name, ...star, nodes: mapped })).id;
}

const hostOf = (index: number, others: readonly Site[]) =>
  index === 0 && others.length > 1 ? 'backup.demo.example' : null;

/** From the last branch to a host at the centre. */
async function testPath(world: DemoWorld, { call }: Owner, id: string, sites: readonly Site[]): Promise<void> {
  const { nodes } = await call<{ nodes: (Node & { role: string })[] }>('/api/v3/sdwan/network/detail', { id });
  const lan = nodes.find(({ role }) => role === 'main')?.lans[0];
  const from = sites.findLast(({ gwid }) => nodes.some(({ key, role }) => key === gwid && role === ''))?.gwid;
  if (!lan || !from) return;
  const target = (lan.as ?? lan.prefix).replace(/\.\d+\/\d+$/, '.64');
  const { run_id } = await call<{ run_id: string }>('/api/v3/sdwan/path_test', { id, from, target });
  const asked = { id, from, target, run_id };
  await until(world, async () => (await call<{ done: boolean }>('/api/v3/sdwan/path_test/result', asked)).done);
}
