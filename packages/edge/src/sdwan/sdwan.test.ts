import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EdgeSdwan } from '@yunxun/contract/device';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Facts } from '../document/facts.ts';
import { readDocument } from '../document/index.ts';
import { fullFacts, smallDocument } from '../document/testing/documents.ts';
import { ManualClock } from '../manual-clock.ts';
import { render } from '../render/index.ts';
import { choosePath } from './choose.ts';
import { readDump } from './dump.ts';
import { createSdwan } from './index.ts';
import { ownPublicKey } from './key.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const facts: Facts = { ...fullFacts, abilities: { ...fullFacts.abilities, sdwan: true } };

const network: EdgeSdwan = {
  id: 'star',
  revision: 'r1',
  address: '100.64.0.3',
  up_kbps: 4000,
  interfaces: [
    {
      name: 'sdmain',
      listen_port: 51_821,
      mtu: 1420,
      peers: [{ public_key: key(1), address: '100.64.0.1', allowed: ['10.1.0.0/24', '100.64.0.1/32'], up_kbps: 1000 }],
    },
  ],
  routes: [{ prefix: '10.1.0.0/24', candidates: [{ interface: 'sdmain', probe: '100.64.0.1' }] }],
  forward: [{ from: '10.1.0.0/24', to: '10.2.0.0/24' }],
  lans: [{ prefix: '192.168.1.0/24', as: '10.33.0.0/24' }],
  failover: { probe_ms: 500, fails: 3, recovers: 3, hold_s: 30, order: 'preferred' },
};

function read(change: (sdwan: EdgeSdwan & Record<string, unknown>) => object, withFacts = facts) {
  const sdwan = [change(structuredClone(network) as EdgeSdwan & Record<string, unknown>)];
  return readDocument({ ...smallDocument(), 'third-party': { yunxun: { sdwan } } }, withFacts);
}

const refusal = (change: Parameters<typeof read>[0], withFacts = facts) => {
  const result = read(change, withFacts);
  return 'refused' in result ? result.refused.join('\n') : 'taken';
};

describe('the SD-WAN section', () => {
  it('becomes links, pinned addresses, peers and rates, without a private key', () => {
    const result = read((sdwan) => sdwan);
    if ('refused' in result) throw new Error(result.refused.join('\n'));
    const plan = render(result.document, facts);
    expect(plan.links).toContainEqual({ kind: 'wireguard', device: 'sdmain', mtu: 1420, userspace: true });
    expect(plan.routes).toContainEqual(expect.objectContaining({ to: '100.64.0.1/32', device: 'sdmain', metric: 10 }));
    expect(plan.tunnels).toMatchObject([{ device: 'sdmain', listenPort: 51_821, peers: [{ publicKey: key(1) }] }]);
    expect(plan.shapes.find(({ device }) => device === 'sdmain')?.classes.map(({ ceilKbps }) => ceilKbps)).toEqual([
      4000, 4000, 1000,
    ]);
    expect(JSON.stringify(plan)).not.toMatch(/private_?key"/i);
  });

  it('is refused on a box without WireGuard', () => {
    expect(refusal((sdwan) => sdwan, fullFacts)).toContain('needs WireGuard, which this gateway lacks');
  });

  it('is refused for unknown keys, host bits, foreign interfaces and unequal mappings', () => {
    expect(refusal((sdwan) => ({ ...sdwan, private_key: key(2) }))).toContain('sdwan/0/private_key) is not a key');
    expect(refusal((sdwan) => ({ ...sdwan, lans: [{ prefix: '10.9.0.1/24' }] }))).toContain('has host bits');
    expect(refusal((sdwan) => ({ ...sdwan, lans: [{ prefix: '10.9.0.0/24', as: '10.8.0.0/16' }] }))).toContain(
      'lans/0/as',
    );
    expect(refusal((sdwan) => ({ ...sdwan, interfaces: [{ ...sdwan.interfaces[0], name: 'eth1' }] }))).toContain(
      'is an interface of this gateway already',
    );
    const lost = [{ prefix: '10.1.0.0/24', candidates: [{ interface: 'sdmain', probe: '100.64.0.9' }] }];
    expect(refusal((sdwan) => ({ ...sdwan, routes: lost }))).toContain('is not a peer of that interface');
  });
});

describe('the path of a prefix', () => {
  const paths = {
    to: '10.1.0.0/24',
    candidates: [
      { device: 'main', probe: '100.64.0.1' },
      { device: 'bak', probe: '100.64.0.2' },
    ],
  };
  const rules = { probeMs: 500, fails: 3, recovers: 3, holdS: 30, order: 'preferred' as const };
  const state = (alive: boolean | null, since = 0, latencyMs = 1) => ({ alive, latencyMs, lossPct: 0, since });
  const pick = (current: string, main: ReturnType<typeof state>, bak: ReturnType<typeof state>, more = {}) =>
    choosePath(paths, current, ({ device }) => (device === 'main' ? main : bak), { ...rules, ...more }, 60_000);

  it('leaves a lost path at once, and returns after the preferred one held', () => {
    expect(pick('main', state(false), state(true))).toBe('bak');
    expect(pick('bak', state(true, 59_000), state(true))).toBe('bak');
    expect(pick('bak', state(true, 30_000), state(true))).toBe('main');
  });

  it('changes for latency only when it is clearly lower', () => {
    const order = { order: 'latency' };
    expect(pick('main', state(true, 0, 10), state(true, 0, 9), order)).toBe('main');
    expect(pick('main', state(true, 0, 10), state(true, 0, 5), order)).toBe('bak');
  });

  it('is never a lost one while another is up', () => {
    const any = fc.record({
      alive: fc.constantFrom(true, false, null),
      latencyMs: fc.option(fc.nat(100)),
      lossPct: fc.constant(0),
      since: fc.option(fc.nat(60_000)),
    });
    const orders = fc.constantFrom('preferred' as const, 'latency' as const);
    fc.assert(
      fc.property(any, any, fc.constantFrom('main', 'bak'), orders, (main, bak, current, order) => {
        const stateOf = (device: string) => (device === 'main' ? main : bak);
        const to = choosePath(paths, current, ({ device }) => stateOf(device), { ...rules, order }, 60_000);
        const up = ['main', 'bak'].filter((device) => stateOf(device).alive !== false);
        expect(up.length === 0 ? [current] : up).toContain(to);
      }),
    );
  });
});

it('tells the console at once when a tunnel comes up or goes down, but not each time', async () => {
  const document = read((sdwan) => sdwan);
  if ('refused' in document) throw new Error(document.refused.join('\n'));
  const clock = new ManualClock(Date.UTC(2026, 10, 28));
  let answers = true;
  const reports: number[] = [];
  const began = clock.now();
  const host = { plan: render(document.document, facts), pending: null, paths: {}, path: async () => {} };
  const sdwan = createSdwan({
    host,
    clock,
    publicKey: key(9),
    moved: () => {},
    resolve: async () => null,
    run: async (file) => (file === 'ping' && answers ? '64 bytes from 100.64.0.1: icmp_seq=1 time=1.5 ms' : null),
    changed: () => reports.push(clock.now() - began),
  });
  const pass = async (ms: number) => {
    for (let spent = 0; spent < ms; spent += 100) {
      clock.advance(100);
      await new Promise(setImmediate);
    }
  };
  sdwan.settled();
  await pass(10_000);
  expect(reports).toHaveLength(1);
  answers = false;
  await pass(4_000);
  expect(reports).toHaveLength(2);
  for (let turn = 0; turn < 4; turn += 1) {
    answers = !answers;
    await pass(2_000);
  }
  expect(reports.length).toBeLessThanOrEqual(4);
  sdwan.stop();
});

describe('the key of the box', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'yunxun-key-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made once, readable to its owner alone', () => {
    const file = join(folder, 'wireguard.key');
    const made = ownPublicKey(file);
    expect(made).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect(ownPublicKey(file)).toBe(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain(made);
  });
});

it('reads peers from a dump and skips the line with the private key', () => {
  const dump = `wg0\tPRIVATE\tPUBLIC\t51821\toff\nwg0\tPEER\t(none)\t198.51.100.1:5\t10.0.0.0/8\t0\t7\t9\toff\n`;
  expect(readDump(dump)).toEqual([
    { device: 'wg0', publicKey: 'PEER', endpoint: '198.51.100.1:5', handshake: null, rxBytes: 7, txBytes: 9 },
  ]);
});
