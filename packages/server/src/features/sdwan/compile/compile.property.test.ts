import { overlap, readSubnet } from '@yunxun/contract/ipv4';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../../tools/property-runs.ts';
import { compile, type Draft, pathOf, prefixesOf, suggestPrefixes, validate, withRevision } from './index.ts';
import { anyPlan, meshOf, nodeAt, planOf, starOf, treeOf, walk } from './testing/plans.ts';

const options = runs(60, 300);
const documents = ({ drafts }: { drafts: ReadonlyMap<string, Draft> }) =>
  new Map([...drafts].map(([key, draft]) => [key, JSON.stringify(withRevision(draft))]));
const changed = (before: ReturnType<typeof compile>, after: ReturnType<typeof compile>) => {
  const [was, is] = [documents(before), documents(after)];
  return [...is].filter(([key, text]) => was.get(key) !== text).map(([key]) => key);
};

describe('the documents of any valid plan', () => {
  it('come from a plan without errors', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(validate(plan)).toEqual([]);
      }),
      options,
    );
  });

  it('carry packets exactly where the matrix says, by the path that is planned', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const compiled = compile(plan);
        for (const [row, from] of plan.nodes.entries())
          for (const [column, to] of plan.nodes.entries()) {
            const path = walk(plan, compiled, from, to);
            expect(path !== null).toBe(compiled.matrix[row]![column] === '1');
            expect(path).toEqual(pathOf(plan, from.key, to.key));
          }
      }),
      options,
    );
  });

  it('keep that reach when the first hop takes its second path', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const compiled = compile(plan);
        for (const [row, from] of plan.nodes.entries())
          for (const [column, to] of plan.nodes.entries())
            expect(walk(plan, compiled, from, to, 1) !== null).toBe(compiled.matrix[row]![column] === '1');
      }),
      options,
    );
  });

  it('reach in both directions or in none', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const { matrix } = compile(plan);
        const turned = matrix.map((_, at) => matrix.map((row) => row[at]).join(''));
        expect(turned).toEqual(matrix);
      }),
      options,
    );
  });

  it('give each prefix to one peer of an interface, and name none outside the plan', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const [sites, addresses] = [plan.nodes.flatMap(prefixesOf), plan.nodes.map(({ address }) => `${address}/32`)];
        const known = [...sites, ...addresses].map((text) => readSubnet(text)!);
        for (const { interfaces, routes } of compile(plan).drafts.values()) {
          for (const { peers } of interfaces) {
            const all = peers.flatMap(({ allowed }) => allowed).map((text) => readSubnet(text)!);
            for (const [at, one] of all.entries())
              expect(all.slice(at + 1).some((other) => overlap(one, other))).toBe(false);
            const size = (own: readonly { prefix: number }[]) => own.reduce((sum, { prefix }) => sum + 2 ** -prefix, 0);
            const covered = known.filter((site) => all.some((one) => overlap(one, site)));
            expect(size(all)).toBeCloseTo(size(covered), 12);
          }
          expect(new Set(routes.map(({ prefix }) => prefix)).size).toBe(routes.length);
        }
      }),
      options,
    );
  });

  it('give a name of an interface one port in all topologies, and keep the tunnels that two topologies share', () => {
    fc.assert(
      fc.property(anyPlan, ({ nodes }) => {
        const key = nodes[0]!.key;
        const bare = nodes.map((node) => ({ ...node, role: '' as const, pid: '', slot: 0 }));
        const plans = [
          planOf(1, bare),
          planOf(
            2,
            bare.map((node) => ({ ...node, role: node.key === key ? 'main' : '' })),
          ),
          planOf(
            3,
            bare.map((node) => ({ ...node, pid: node.key === key ? '1' : key })),
          ),
          planOf(
            2,
            bare.map((node, at) => ({ ...node, role: at === 0 ? 'main' : at === 1 ? 'bak' : '' })),
          ),
        ].map((plan) => compile(plan).drafts);
        const ends = plans.map((drafts) => drafts.get(nodes[2]!.key)!.interfaces);
        const ports = new Map(ends.flat().map(({ name, listen_port }) => [name, listen_port]));
        expect(new Set(ports.values()).size).toBe(ports.size);
        for (const { name, listen_port } of ends.flat()) expect(ports.get(name)).toBe(listen_port);
        const toCentre = ends.slice(0, 3).map((own) => {
          const found = own.find(({ peers }) => peers.some(({ public_key }) => public_key === nodes[0]!.publicKey))!;
          const peer = found.peers.find(({ public_key }) => public_key === nodes[0]!.publicKey)!;
          return [found.name, found.listen_port, peer.endpoint];
        });
        expect(toCentre).toEqual([toCentre[0], toCentre[0], toCentre[0]]);
      }),
      options,
    );
  });

  it('do not depend on the order of the nodes, and have no private key', () => {
    fc.assert(
      fc.property(anyPlan, (plan) => {
        const one = documents(compile(plan));
        expect(documents(compile({ ...plan, nodes: plan.nodes.toReversed() }))).toEqual(one);
        expect([...one.values()].join('')).not.toMatch(/private/i);
      }),
      options,
    );
  });

  it('name every overlap of two sites with a free prefix that removes it', () => {
    fc.assert(
      fc.property(anyPlan, fc.nat(), (plan, at) => {
        const twin = nodeAt(900, { lans: [{ prefix: prefixesOf(plan.nodes[at % plan.nodes.length]!)[0]! }] });
        const pid = plan.type === 3 ? plan.nodes[0]!.key : '';
        const nodes = [...plan.nodes, { ...twin, pid }];
        const errors = validate({ ...plan, nodes });
        expect(errors.map(({ code }) => code)).toContain('overlap');
        const mapped = suggestPrefixes({ nodes }, errors);
        const mended = nodes.map((node) => ({
          ...node,
          lans: node.lans.map((lan) => {
            const found = mapped.find(({ key, prefix }) => key === node.key && prefix === lan.prefix);
            return found && lan.as === undefined ? { ...lan, as: found.as } : lan;
          }),
        }));
        if (!nodes.some(({ lans }) => lans.some(({ as }) => as !== undefined)))
          expect(validate({ ...plan, nodes: mended })).toEqual([]);
      }),
      options,
    );
  });
});

it('changes only centres and the new node when a branch joins a vertical star', () => {
  const plan = starOf(50, { mode: 'vertical' });
  const more = { ...plan, nodes: [...plan.nodes, nodeAt(300)] };
  expect(changed(compile(plan), compile(more))).toEqual(['n0000', 'n0001', 'n0300']);
});

it('changes only the line of ancestors when a leaf joins a vertical tree', () => {
  const plan = treeOf(40, 3, { mode: 'vertical' });
  const more = { ...plan, nodes: [...plan.nodes, nodeAt(300, { pid: 'n0012' })] };
  expect(changed(compile(plan), compile(more))).toEqual(['n0000', 'n0003', 'n0012', 'n0300']);
});

it('keeps within the limits of the agent at a thousand nodes that cannot be summarised', () => {
  const scattered = starOf(1000).nodes.map((node, at) => ({
    ...node,
    lans: [{ prefix: `10.${at >> 7}.${(at & 127) * 2}.0/24` }],
  }));
  const { drafts } = compile(planOf(2, scattered));
  for (const { routes, forward } of drafts.values()) {
    expect(routes.length).toBeLessThanOrEqual(4096);
    expect(forward.length).toBeLessThanOrEqual(4096);
  }
});

it('refuses each wrong plan with its own code beside its node', () => {
  const codes = (plan: Parameters<typeof validate>[0]) => validate(plan).map(({ code, key }) => `${code} ${key ?? ''}`);
  const mesh = (...nodes: Parameters<typeof nodeAt>[1][]) =>
    codes(
      planOf(
        1,
        nodes.map((own, at) => nodeAt(at, own)),
      ),
    );
  const lan = (prefix: string) => ({ lans: [{ prefix }] });
  expect(codes(meshOf(1))).toEqual(['min_nodes ']);
  expect(codes(meshOf(101))).toContain('mesh_max ');
  expect(mesh({}, { key: 'n0000' })).toContain('duplicate_gateway n0000');
  expect(mesh({ host: null }, { host: null }, {})).toEqual(['both_nat n0001']);
  expect(mesh({ role: 'main' }, {})).toEqual(['centre_not_allowed n0000']);
  expect(mesh({ pid: 'n0001' }, {})).toEqual(['pid_not_allowed n0000']);
  expect(mesh({ lans: [] }, {})).toEqual(['no_lan n0000']);
  expect(mesh(lan('10.0.0.1/24'), {})).toEqual(['host_bits n0000']);
  for (const wrong of ['10.0.0.0/7', '169.254.1.0/24', '010.0.0.0/24', '127.0.0.0/8', '224.0.0.0/24', 'x'])
    expect(mesh(lan(wrong), {})).toEqual(['bad_cidr n0000']);
  expect(mesh(lan('100.64.9.0/24'), {})).toEqual(['overlay_overlap n0000']);
  expect(mesh(lan('203.0.113.0/24'), { wanAddresses: ['203.0.113.7'] })).toEqual(['wan_overlap n0000']);
  expect(mesh({ lans: [{ prefix: '10.1.0.0/24', as: '10.2.0.0/25' }] }, {})).toEqual(['mapped_size n0000']);
  const host = '203.0.113.7';
  expect(mesh(lan('203.0.113.0/24'), { host })).toEqual(['host_overlap n0000']);
  expect(mesh(lan('203.0.113.0/24'), { host: null, source: host })).toEqual(['host_overlap n0000']);
  expect(mesh({ lans: [{ prefix: '10.1.0.0/24', as: '203.0.113.0/24' }] }, { host })).toEqual(['host_overlap n0000']);
  expect(mesh({ lans: [{ prefix: '203.0.113.0/24', as: '10.1.0.0/24' }] }, { host })).toEqual(['host_overlap n0000']);
  const mapped = { lans: [{ prefix: '10.9.0.0/24', as: '10.8.0.0/24' }] };
  expect(mesh({ lans: [{ prefix: '10.1.0.0/24', as: '10.9.0.0/24' }] }, mapped)).toEqual(['local_overlap n0000']);
  expect(mesh(lan('10.5.0.0/24'), { localLans: ['10.20.1.0/24', '10.5.0.0/16'] })).toEqual(['local_overlap n0000']);
  expect(mesh(lan('10.5.0.0/24'), { nameServers: ['10.5.0.53'] })).toEqual(['dns_overlap n0000']);
  expect(mesh({ ...lan('10.5.0.0/24'), nameServers: ['10.5.0.53'] }, {})).toEqual([]);
  expect(mesh({ localLans: ['10.77.0.0/24'] }, {})).toEqual(['lan_gone n0000']);
  const bare = planOf(1, [nodeAt(0, lan('10.5.0.0/24')), nodeAt(1)]);
  expect(codes({ ...bare, consoles: ['10.5.0.2'] })).toEqual(['console_overlap n0000']);
  const other = { prefix: '10.5.0.0/24', owner: 'n0009', keys: new Set(['n0001']), other: 'Site 9', network: 'Shops' };
  expect(codes({ ...bare, elsewhere: [other] })).toEqual(['other_network n0000']);
  expect(codes({ ...bare, elsewhere: [{ ...other, keys: new Set(['n0000']) }] })).toEqual([]);
  expect(mesh({ publicKey: null }, { publicKey: 'short' })).toEqual(['key_missing n0000', 'key_malformed n0001']);
  expect(mesh({}, { publicKey: nodeAt(0).publicKey })).toEqual(['key_duplicate n0001']);
  expect(mesh({}, { address: nodeAt(0).address })).toEqual(['address_duplicate n0001']);
  expect(mesh({ host: 'a b' }, {})).toEqual(['endpoint_host n0000']);
  const star = (...roles: ('main' | 'bak' | '')[]) =>
    codes(
      planOf(
        2,
        roles.map((role, at) => nodeAt(at, { role })),
      ),
    );
  expect(star('', '')).toEqual(['main_missing ']);
  expect(star('main', 'main')).toEqual(['main_many n0001']);
  expect(star('main', 'bak', 'bak')).toEqual(['bak_many n0002']);
  const tree = (...pids: string[]) =>
    codes(
      planOf(
        3,
        pids.map((pid, at) => nodeAt(at, { pid })),
      ),
    );
  expect(tree('1', '1')).toEqual(['root_many n0001']);
  expect(tree('1', '')).toEqual(['pid_missing n0001']);
  expect(tree('n0001', 'n0000')).toContain('root_missing ');
  expect(tree('1', 'n0002', 'n0001')).toEqual(['pid_cycle n0001', 'pid_cycle n0002']);
  expect(tree('1', 'n0001')).toEqual(['pid_self n0001']);
  expect(tree('1', 'n0009')).toEqual(['pid_unknown n0001']);
  expect(tree('1', 'n0000', 'n0001', 'n0002', 'n0003', 'n0004')).toEqual(['depth_max n0005']);
  const nodes = [nodeAt(0, { pid: '1', host: null }), nodeAt(1, { pid: 'n0000', level: 3 })];
  expect(codes(planOf(3, nodes))).toEqual(['parent_endpoint n0000', 'level_mismatch n0001']);
  expect(codes(planOf(2, [nodeAt(0, { role: 'main', host: null }), nodeAt(1)]))).toEqual(['centre_endpoint n0000']);
});

it('names both sites of an overlap', () => {
  const plan = planOf(1, [
    nodeAt(0, { lans: [{ prefix: '10.0.0.0/16' }] }),
    nodeAt(1, { lans: [{ prefix: '10.0.9.0/24' }] }),
  ]);
  const errors = validate(plan);
  expect(errors).toEqual([
    expect.objectContaining({
      code: 'overlap',
      key: 'n0001',
      field: 'lans.0.prefix',
      params: expect.objectContaining({ name: 'Site 1', other: 'Site 0', other_prefix: '10.0.0.0/16' }) as unknown,
    }),
  ]);
  expect(suggestPrefixes(plan, errors)).toEqual([
    { key: 'n0001', prefix: '10.0.9.0/24', as: '10.128.0.0/24' },
    { key: 'n0000', prefix: '10.0.0.0/16', as: '10.129.0.0/16' },
  ]);
});
