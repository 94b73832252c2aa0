import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Connection } from './conntrack.ts';
import { type Flow, Ledger, type Owner } from './ledger.ts';

const way = (src: string, dst: string, bytes: number | null) => ({
  src,
  dst,
  sport: 1,
  dport: 2,
  bytes,
  packets: 1,
});

function connection(id: number, up: number, down: number, src = '10.0.0.1'): Connection {
  return { id, protocol: 'tcp', original: way(src, '192.0.2.1', up), reply: way('192.0.2.1', '198.51.100.1', down) };
}

function rig(kept: ConstructorParameters<typeof Ledger>[1] = [], max?: number) {
  const flows: Flow[] = [];
  const owners = new Map<string, Owner>([
    ['10.0.0.1', 'aa'],
    ['10.0.0.2', 'bb'],
    ['10.0.0.9', 'later'],
  ]);
  let named = true;
  const ledger = new Ledger(
    {
      ownerOf: (address) => owners.get(address) ?? 'none',
      decide: () => (named ? { category: 'Video', byName: true } : { category: 'Unknown', byName: false }),
      flow: (flow) => flows.push(flow),
    },
    kept,
    max,
  );
  const sum = (mac = 'aa') =>
    flows
      .filter((one) => one.mac === mac)
      .reduce((a, b) => ({ up: a.up + b.up, down: a.down + b.down, uses: a.uses + b.uses }), {
        up: 0,
        down: 0,
        uses: 0,
      });
  return {
    ledger,
    flows,
    owners,
    sum,
    name: (on: boolean) => {
      named = on;
    },
  };
}

const take = (ledger: Ledger, one: Connection) => {
  const bytes = one.original.bytes! + one.reply.bytes!;
  if (!ledger.glimpsed({ id: one.id, bytes })) ledger.list(one);
};
const list = (ledger: Ledger, ...connections: Connection[]) => {
  ledger.beginList();
  for (const one of connections) take(ledger, one);
  ledger.endList(true);
};

it('counts a connection as it goes on, its end, and each once', () => {
  const { ledger, sum } = rig();
  list(ledger, connection(1, 100, 1000));
  list(ledger, connection(1, 150, 5000));
  ledger.end(connection(1, 160, 5010));
  ledger.end(connection(2, 10, 20));
  expect(sum()).toEqual({ up: 170, down: 5030, uses: 2 });
  expect(ledger.size).toBe(0);
});

it('does not count again what ended while a list was on its way', () => {
  const { ledger, sum } = rig();
  ledger.beginList();
  ledger.end(connection(1, 100, 1000));
  ledger.list(connection(1, 90, 900));
  ledger.endList(true);
  expect(sum()).toEqual({ up: 100, down: 1000, uses: 1 });
});

it('begins where it is when it knows nothing of before, and goes on where it knows', () => {
  const first = rig(null);
  first.ledger.end(connection(7, 1, 1));
  list(first.ledger, connection(1, 100, 1000));
  list(first.ledger, connection(1, 101, 1001), connection(2, 5, 5));
  expect(first.sum()).toEqual({ up: 6, down: 6, uses: 1 });

  const second = rig(JSON.parse(JSON.stringify(first.ledger.keep())));
  list(second.ledger, connection(1, 111, 1001), connection(3, 7, 7));
  second.ledger.end(connection(2, 6, 5));
  expect(second.sum()).toEqual({ up: 18, down: 7, uses: 1 });
});

it('says how many ends it missed, and lets a cut-off list say nothing', () => {
  const { ledger } = rig();
  list(ledger, connection(1, 1, 1));
  ledger.beginList();
  ledger.endList(false);
  list(ledger);
  expect([ledger.size, ledger.lost]).toEqual([1, 0]);
  list(ledger);
  expect([ledger.size, ledger.lost]).toEqual([0, 1]);
});

it('waits for the MAC of a station, and gives both ends of a connection on the LAN their own', () => {
  const { ledger, owners, sum } = rig();
  ledger.end(connection(1, 10, 20, '10.0.0.9'));
  list(ledger, connection(2, 1, 2, '10.0.0.9'));
  expect(sum('cc')).toEqual({ up: 0, down: 0, uses: 0 });
  owners.set('10.0.0.9', 'cc');
  list(ledger, connection(2, 1, 2, '10.0.0.9'));
  expect(sum('cc')).toEqual({ up: 11, down: 22, uses: 2 });
  ledger.end({
    id: 3,
    protocol: 'udp',
    original: way('10.0.0.1', '10.0.0.2', 5),
    reply: way('10.0.0.2', '10.0.0.1', 7),
  });
  expect([sum('aa'), sum('bb')]).toMatchObject([
    { up: 5, down: 7 },
    { up: 7, down: 5 },
  ]);
});

it('lets a name that comes later decide what follows', () => {
  const { ledger, flows, name } = rig();
  name(false);
  list(ledger, connection(1, 10, 10));
  name(true);
  list(ledger, connection(1, 30, 10));
  name(false);
  list(ledger, connection(1, 60, 10));
  expect(flows.map(({ category, up }) => [category, up])).toEqual([
    ['Unknown', 10],
    ['Video', 20],
    ['Video', 30],
  ]);
});

it('leaves out what the kernel did not count', () => {
  const { ledger, flows } = rig();
  const uncounted = { ...connection(1, 0, 0), original: way('10.0.0.1', '192.0.2.1', null) };
  list(ledger, uncounted);
  ledger.end(uncounted);
  expect(flows).toEqual([]);
});

it('counts exactly what passed, in whatever order lists and ends come', () => {
  const step = fc.record({
    id: fc.integer({ min: 1, max: 5 }),
    up: fc.nat(1000),
    down: fc.nat(1000),
    kind: fc.constantFrom('grow', 'end', 'list', 'slow list', 'restart'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const living = new Map<number, { up: number; down: number; key: number }>();
      let now = rig();
      let [up, down] = [0, 0];
      let next = 1;
      const total = { up: 0, down: 0 };
      const settle = () => {
        const { up: u, down: d } = now.sum();
        total.up += u;
        total.down += d;
        now.flows.length = 0;
      };
      for (const { id, up: u, down: d, kind } of steps) {
        if (kind === 'grow') {
          let one = living.get(id);
          if (!one) {
            one = { up: 0, down: 0, key: next };
            next += 1;
            living.set(id, one);
          }
          one.up += u;
          one.down += d;
          up += u;
          down += d;
        } else if (kind === 'end') {
          const one = living.get(id);
          living.delete(id);
          if (one) now.ledger.end(connection(one.key, one.up, one.down));
        } else if (kind === 'restart') {
          settle();
          now = rig(now.ledger.keep());
        } else {
          now.ledger.beginList();
          const shown = [...living.values()].map((one) => connection(one.key, one.up, one.down));
          if (kind === 'slow list') {
            const one = living.get(id);
            living.delete(id);
            if (one) now.ledger.end(connection(one.key, one.up, one.down));
          }
          for (const one of shown) take(now.ledger, one);
          now.ledger.endList(true);
        }
      }
      list(now.ledger, ...[...living.values()].map((one) => connection(one.key, one.up, one.down)));
      settle();
      expect(total).toEqual({ up, down });
    }),
  );
});

it('follows so many and no more; what is beyond counts once, by its end', () => {
  const { ledger, sum } = rig([], 2);
  const many = (bytes: number) => [1, 2, 3, 4].map((id) => connection(id, bytes, 0));
  list(ledger, ...many(10));
  list(ledger, ...many(20));
  expect([ledger.size, ledger.lost]).toEqual([2, 2]);
  expect(sum().up).toBe(40);
  for (const one of many(30)) ledger.end(one);
  expect(sum()).toEqual({ up: 120, down: 0, uses: 4 });
  expect(ledger.size).toBe(0);
});

it('does not count what was old when it began to count, followed or not', () => {
  const { ledger, sum } = rig(null, 1);
  list(ledger, connection(1, 100, 0), connection(2, 100, 0));
  ledger.end(connection(1, 130, 0));
  ledger.end(connection(2, 130, 0));
  expect(sum().up).toBe(30);
});
