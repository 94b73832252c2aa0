import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  apartOf,
  box,
  bundlesOf,
  draw,
  fitting,
  foldedAtFirst,
  leaf,
  overlaps,
  paceOf,
  placedIn,
  says,
  type TopologyNode,
  unfolded,
  withInternet,
} from './layout.ts';

const node = (id: string, parent: string | null, more: Partial<TopologyNode> = {}): TopologyNode => ({
  id,
  parent,
  kind: 'ap',
  name: id,
  mac: null,
  status: 'online',
  about: null,
  ip: null,
  apart: null,
  ports: [],
  link: parent === null ? null : { source: 'mac', port: null, child_port: null, speed: null },
  reported_at: null,
  rssi: null,
  band: null,
  ssid: null,
  ...more,
});
const folds = (closed: string[] = [], withStations: string[] = []) => ({
  closed: new Set(closed),
  withStations: new Set(withStations),
});
const shown = (...of: Parameters<typeof draw>) => draw(...of).placed.map(({ node: { id } }) => id);

const tree = [
  node('gate', null, { kind: 'gateway' }),
  node('core', 'gate', { kind: 'switch' }),
  node('lobby', 'core'),
  node('phone', 'lobby', { kind: 'station', mac: '3c22fb000001', ip: '192.0.2.7' }),
  node('alone', null, { apart: 'unreported' }),
  node('yard', null, { apart: 'unreported' }),
  node('shed', 'yard'),
];

test('folds clients until they are opened, and hides everything below a closed node', () => {
  expect(shown(tree, folds())).toEqual(['gate', 'core', 'lobby', 'yard', 'shed']);
  expect(shown(tree, folds([], ['lobby']))).toEqual(['gate', 'core', 'lobby', 'phone', 'yard', 'shed']);
  expect(shown(tree, folds(['gate'], ['lobby']))).toEqual(['gate', 'yard', 'shed']);
  expect(draw(tree, folds()).placed.find(({ node: { id } }) => id === 'lobby')).toMatchObject({
    stations: 1,
    boxes: 0,
  });
});

test('what hangs on nothing and holds nothing is listed beside the drawing', () => {
  expect(apartOf(tree).map(({ id }) => id)).toEqual(['alone']);
});

test('a hit that is folded away is unfolded, with everything above it', () => {
  const [hit] = tree.filter((one) => says(one, '3C:22:FB'));
  expect(hit?.id).toBe('phone');
  expect(shown(tree, unfolded(tree, folds(['gate', 'core']), [hit!]))).toContain('phone');
  expect(tree.filter((one) => says(one, '192.0.2')).length).toBe(1);
});

const forest = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 60 }).map((drafts) =>
  drafts.map(([above, isStation], index): TopologyNode => {
    const boxes = drafts.slice(0, index).flatMap(([, station], at) => (station ? [] : [`n${at}`]));
    const parent = boxes.length === 0 ? null : (boxes[above % (boxes.length + 1)] ?? null);
    return node(`n${index}`, parent, { kind: isStation ? 'station' : 'ap' });
  }),
);

const sizeOf = (kind: string) => (kind === 'station' ? leaf : box);

test('no two boxes lie on each other, and everything is inside the drawing', () => {
  fc.assert(
    fc.property(forest, (nodes) => {
      const { placed, width, height } = draw(
        nodes,
        folds(
          [],
          nodes.map(({ id }) => id),
        ),
      );
      expect(placed.length).toBe(nodes.length);
      for (const one of placed) {
        const { width: wide, height: high } = sizeOf(one.node.kind);
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.y + high).toBeLessThanOrEqual(height);
        expect(one.x + wide).toBeLessThanOrEqual(width);
        const under = placed.filter(({ x, y }) => x === one.x && y >= one.y).toSorted((p, q) => p.y - q.y)[1];
        if (under) expect(under.y).toBeGreaterThanOrEqual(one.y + high);
      }
    }),
    { numRuns: 200 },
  );
});

const campus = (switches: number, each: number) => [
  node('gate', null, { kind: 'gateway' }),
  node('core', 'gate', { kind: 'switch' }),
  ...Array.from({ length: switches }, (_, at) => node(`switch${at}`, 'core', { kind: 'switch' })),
  ...Array.from({ length: switches * each }, (_, at) =>
    node(`ap${at}`, `switch${at % switches}`, { status: at === 3 ? 'offline' : 'online' }),
  ),
];

test('a large house begins with its access points folded, and says which fold holds one that is offline', () => {
  const large = campus(10, 40);
  expect(foldedAtFirst(campus(2, 4)).size).toBe(0);
  const closed = foldedAtFirst(large);
  expect([...closed]).toEqual(Array.from({ length: 10 }, (_, at) => `switch${at}`));
  const { placed } = draw(large, { closed, withStations: new Set() });
  expect(placed.length).toBe(12);
  expect(placed.filter(({ lost }) => lost > 0).map(({ node: { id }, lost }) => [id, lost])).toEqual([['switch3', 1]]);
  const flat = [node('gate', null), ...Array.from({ length: 200 }, (_, at) => node(`ap${at}`, 'gate'))];
  expect(foldedAtFirst(flat).size).toBe(0);
});

test('of five hundred boxes as many are in a part as it has room for, and their lines are one path a box', () => {
  const drawing = draw(campus(10, 50), folds());
  expect(drawing.placed.length).toBe(512);
  const part = { left: 0, top: drawing.height / 2, right: 1400, bottom: drawing.height / 2 + 1200 };
  const seen = placedIn(drawing, part);
  expect(seen.length).toBeLessThan(40);
  const inside = drawing.placed.filter(
    ({ x, y }) => x < part.right && x + box.width > part.left && y < part.bottom && y + box.height > part.top,
  );
  expect(inside.filter((one) => !seen.includes(one))).toEqual([]);
  const bundles = bundlesOf(drawing);
  // gateway, core, ten switches, and one more for the offline device of one of them
  expect(bundles.length).toBe(13);
  const shownBundles = bundles.filter((bundle) => overlaps(bundle, part));
  expect(shownBundles.length).toBeLessThan(bundles.length);
  for (const { from, to } of drawing.lines.filter((line) => seen.includes(line.to)))
    expect(
      shownBundles.some(({ id }) => id.startsWith(`${from.node.id} `)),
      to.node.id,
    ).toBe(true);
});

test('the internet is above the gateway, and nowhere without one', () => {
  expect(shown(withInternet(tree), folds()).slice(0, 2)).toEqual(['internet', 'gate']);
  const bridged = tree
    .filter(({ id }) => id !== 'gate')
    .map((one) => (one.id === 'core' ? { ...one, parent: null } : one));
  expect(shown(withInternet(bridged), folds())).not.toContain('internet');
});

test('links of one switch are distinguished by their speed', () => {
  const linked = (id: string, speed: number | null, source: 'mac' | 'wireless' = 'mac') =>
    node(id, 'core', { link: { source, port: null, child_port: null, speed } });
  const nodes = [
    linked('a', 100),
    linked('b', 1000),
    linked('c', 2500),
    linked('d', null),
    linked('e', 100, 'wireless'),
  ];
  expect(nodes.map(paceOf)).toEqual(['slow', 'gigabit', 'fast', 'unknown', 'unknown']);
  const core = node('core', null, { kind: 'switch' });
  expect(bundlesOf(draw([core, ...nodes], folds())).map(({ pace, isLoose }) => [pace, isLoose])).toEqual([
    ['slow', false],
    ['gigabit', false],
    ['fast', false],
    ['unknown', false],
    ['unknown', true],
  ]);
});

test('a drawing fits into its frame, never larger than drawn and never too small to see', () => {
  expect(fitting({ width: 2000, height: 500 }, { width: 1000, height: 500 })).toBe(0.5);
  expect(fitting({ width: 200, height: 100 }, { width: 1000, height: 500 })).toBe(1);
  expect(fitting({ width: 20_000, height: 100 }, { width: 1000, height: 500 })).toBe(0.25);
});
