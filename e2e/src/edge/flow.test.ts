import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { EdgeFlowParams } from '../../../packages/contract/src/device/index.ts';
import type { Layout } from '../../../packages/edge/src/measure/index.ts';
import { handMadeGateway } from './hand-made.ts';
import { type Lab, logged, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { startWatcher, type Watcher } from './watcher.ts';

const addresses = ['192.0.2.10', '192.0.2.11', '192.0.2.12', '192.0.2.13', '192.0.2.14', '192.0.2.20'] as const;

let lab: Lab;
let layout: Layout;
let watcher: Watcher;
const macs = { a: '', b: '' };

labFixture(async (own) => {
  lab = own(await startLab({ ports: [9000, 25_565] }));
  layout = await handMadeGateway(lab);
  watcher = await startWatcher(lab, layout, { rules: [{ match: 'tcp/9000', category: 'IM' }] });
  own({ stop: () => {}, logText: () => watcher.logText() });
  for (const where of ['a', 'b'] as const) {
    expect(await lab.lease(where)).toMatchObject({ router: '10.1.0.1', dns: '10.1.0.1' });
    macs[where] = lab.mac(where).replaceAll(':', '');
  }
});

function sums(messages: readonly EdgeFlowParams[]): Map<string, { down: number; up: number; uses: number }> {
  const found = new Map<string, { down: number; up: number; uses: number }>();
  const seen = new Set<number>();
  for (const { seq, rows } of messages) {
    if (seen.has(seq)) continue;
    seen.add(seq);
    for (const { mac, category, down, up, uses } of rows) {
      const known = found.get(`${mac} ${category}`) ?? { down: 0, up: 0, uses: 0 };
      found.set(`${mac} ${category}`, { down: known.down + down, up: known.up + up, uses: known.uses + uses });
    }
  }
  return found;
}

async function takeAll(): Promise<void> {
  await watcher.online(true);
  for (;;) {
    const before = (await watcher.sent()).length;
    const last = (await watcher.sent()).at(-1);
    if (last) await watcher.taken(last.seq);
    await watcher.tell();
    if ((await watcher.sent()).length === before) return;
  }
}

const within = (value: number, truth: number, share = 0.02) => {
  expect(truth).toBeGreaterThan(0);
  expect(Math.abs(value - truth) / truth, `${value} for ${truth}`).toBeLessThanOrEqual(share);
};

describe('flow by application', () => {
  it('gives every station and category the bytes that the kernels of both ends counted', async () => {
    const truth = { a: await counters('a'), b: await counters('b') };
    const resolver = '10.1.0.1';
    const all = [
      lab.call('a', { url: 'http://cdn.googlevideo.com/bytes/3000000', resolver }),
      lab.call('a', { url: 'http://www.example.com/', resolver, post: 400_000 }),
      // by the ClientHello, without DNS
      lab.call('b', { url: 'https://v.douyin.com/bytes/2000000', resolver: '192.0.2.53' }),
      lab.call('b', { url: 'http://cdn.steamcontent.com/', resolver, post: 700_000 }),
    ];
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await lab.call('a', { url: 'http://192.0.2.20:9000/bytes/250000' });
    await lab.call('b', { url: 'http://192.0.2.20:8080/bytes/150000' });
    await lab.call('b', { url: 'http://192.0.2.20:25565/bytes/50000' });
    // resolved over IPv6, downloaded over IPv4; then over IPv6
    await lab.run('b', 'ip', 'addr', 'add', 'fd00:1::b/64', 'dev', 'eth0', 'nodad');
    await lab.call('b', { url: 'http://short.weixin.qq.com/bytes/80000', resolver: '[fd00:1::1]' });

    await watcher.count();
    await takeAll();
    const seen = sums(await watcher.sent());
    const of = (where: 'a' | 'b', category: string) =>
      seen.get(`${macs[where]} ${category}`) ?? { down: 0, up: 0, uses: 0 };
    const [a, b] = [await truth.a(), await truth.b()];
    const equal = (mine: { down: number; up: number }, theirs: { rx: number; tx: number }) => {
      within(mine.down, theirs.rx);
      within(mine.up, theirs.tx);
    };
    equal(of('a', 'Video'), a['192.0.2.11']!);
    equal(of('a', 'HTTP'), a['192.0.2.10']!);
    equal(of('a', 'IM'), a['192.0.2.20']!);
    equal(of('b', 'Video'), b['192.0.2.12']!);
    expect(of('b', 'Video').uses).toBe(1);
    expect(of('b', 'HTTP').down).toBeGreaterThan(150_000);
    expect(of('b', 'Game').down).toBeGreaterThan(50_000);
    equal(of('b', 'IM'), b['192.0.2.14']!);
    const rest = (['HTTP', 'Game'] as const).reduce((sum, category) => sum + of('b', category).down, 0);
    within(rest, b['192.0.2.20']!.rx + b['192.0.2.13']!.rx);
  });

  it('adds up: categories to the station, stations to what passed the gateway, exactly as the kernel counted', async () => {
    const chain = 'type filter hook prerouting priority -250;';
    // reference: a second kernel counter
    await lab.run('gw', 'nft', `add table ip truth; add chain ip truth pre { ${chain} }`);
    const out = 'type filter hook postrouting priority 300;';
    await lab.run(
      'gw',
      'nft',
      `add chain ip truth post { ${out} }; add counter ip truth up; add counter ip truth down`,
    );
    const station = (await lab.run('a', 'ip', '-4', '-o', 'addr', 'show', 'eth0')).match(/inet ([\d.]+)/)![1]!;
    await lab.run('gw', 'nft', `add rule ip truth pre iifname br0 ip saddr ${station} counter name up`);
    await lab.run('gw', 'nft', `add rule ip truth post oifname br0 ip daddr ${station} counter name down`);
    await watcher.count();
    const before = await bytesOf('a');
    await lab.call('a', { url: 'http://192.0.2.11/bytes/5000000' });
    await lab.call('a', { url: 'http://192.0.2.20:9000/', post: 1_000_000 });
    await lab.run('a', 'ping', '-c', '3', '-i', '0.1', '192.0.2.10');
    await watcher.count();
    const after = await bytesOf('a');
    const listed = await lab.run('gw', 'nft', 'list', 'counters', 'table', 'ip', 'truth');
    const counted = (name: string) => Number(new RegExp(`${name} \\{\\s+packets \\d+ bytes (\\d+)`).exec(listed)![1]);
    expect([after.rx - before.rx, after.tx - before.tx]).toEqual([counted('up'), counted('down')]);

    await takeAll();
    const messages = sums(await watcher.sent());
    for (const where of ['a', 'b'] as const) {
      const total = await bytesOf(where);
      const rows = [...messages].filter(([key]) => key.startsWith(macs[where])).map(([, row]) => row);
      expect(rows.reduce((sum, { up }) => sum + up, 0)).toBe(total.rx);
      expect(rows.reduce((sum, { down }) => sum + down, 0)).toBe(total.tx);
    }
  });

  it('counts a connection as it goes on, and nothing twice over a kill and a stop', async () => {
    await watcher.count();
    const begin = await bytesOf('b');
    const counted = await lab.count('b', '192.0.2.14');
    const call = { url: 'http://192.0.2.14/bytes/16000000', hold: 1_000_000, timeoutS: 240 };
    const program = `${import.meta.dirname}/caller.mjs`;
    const long = lab.start('b', process.execPath, [program, JSON.stringify(call)]);
    await logged(long, 'held');
    await watcher.count();
    const half = await bytesOf('b');
    expect(half.tx - begin.tx).toBeGreaterThan(1_000_000);
    expect(half.tx - begin.tx).toBeLessThan(16_000_000);

    await watcher.kill();
    const ended = new Promise((done) => long.once('exit', done));
    long.stdin!.write('\n');
    await ended;
    watcher = await startWatcher(lab, layout, { rules: [{ match: 'tcp/9000', category: 'IM' }] });
    await watcher.count();
    await watcher.stop();
    watcher = await startWatcher(lab, layout);
    await watcher.count();
    const truth = await counted();
    const end = await bytesOf('b');
    within(end.tx - begin.tx, truth.rx, 0.005);
    within(end.rx - begin.rx, truth.tx, 0.005);
  });

  it('keeps a message until the console has it, and sends one at a time', async () => {
    await takeAll();
    await watcher.online(false);
    const call = { url: 'http://192.0.2.11/bytes/100000' };
    await lab.call('a', call);
    await watcher.count();
    await lab.call('a', call);
    await watcher.count();
    const before = (await watcher.sent()).length;
    await watcher.online(true);
    await watcher.tell();
    await watcher.online(true);
    const [first, again, ...more] = (await watcher.sent()).slice(before);
    expect(again).toEqual(first);
    expect(more).toEqual([]);
    await watcher.taken(first!.seq);
    await watcher.tell();
    const last = (await watcher.sent()).at(-1)!;
    expect(last.seq).toBeGreaterThan(first!.seq);
    expect(first!.rows.reduce((sum, { down }) => sum + down, 0)).toBeGreaterThan(100_000);
    expect(last.rows.reduce((sum, { down }) => sum + down, 0)).toBeGreaterThan(100_000);
    expect((await watcher.state()).yunxun.flow).toMatchObject({ waiting: 1, given_up: 0 });
  });

  it('loses nothing of three thousand connections that end at once, more than the kernel has events for', async () => {
    await watcher.count();
    const begin = await bytesOf('a');
    const truth = await lab.count('a', '192.0.2.15');
    const burst = `let left = 3000; const go = () => { if (!left) return; left -= 1;
      const socket = require('dgram').createSocket('udp4');
      socket.send(Buffer.alloc(100), 7000, '192.0.2.15', () => { socket.close(); setImmediate(go); }) }; go()`;
    await lab.run('a', process.execPath, '-e', burst);
    await watcher.count();
    await lab.try('gw', 'conntrack', '-D', '-d', '192.0.2.15');
    await watcher.count();
    await watcher.count();
    const grown = (await bytesOf('a')).rx - begin.rx;
    const { tx } = await truth();
    expect(tx).toBe(3000 * 128);
    expect(grown).toBeGreaterThanOrEqual(tx);
    expect(grown).toBeLessThan(tx * 1.005);
  });
});

describe('the state report', () => {
  it("has the interfaces' counters exactly as the kernel", async () => {
    await lab.call('a', { url: 'http://192.0.2.11/bytes/1000000' });
    // retry if a WAN probe passed in between
    await expect
      .poll(async () => {
        const before = lab.device('gw', 'wan1');
        const { rx_bytes, tx_bytes, rx_packets, tx_packets } = (await watcher.state()).interfaces![0]!.counters!;
        const reported = [rx_bytes, tx_bytes, rx_packets, tx_packets];
        return isDeepStrictEqual(before, lab.device('gw', 'wan1')) ? { reported, truth: Object.values(before) } : null;
      })
      .toSatisfy((seen) => seen !== null && isDeepStrictEqual(seen.reported, seen.truth));
    const socket = async () => (await watcher.state())['link-state']!.downstream!.LAN1!;
    await expect
      .poll(async () => {
        const truth = lab.device('gw', 'lan1');
        const { rx_bytes, tx_bytes } = (await socket()).counters!;
        return (
          isDeepStrictEqual(truth, lab.device('gw', 'lan1')) && rx_bytes === truth.rxBytes && tx_bytes === truth.txBytes
        );
      })
      .toBe(true);
    const { carrier, speed } = await socket();
    expect({ carrier, speed }).toEqual({ carrier: 1, speed: 10_000 });
  });
});

async function counters(where: 'a' | 'b') {
  const reads = await Promise.all(
    addresses.map(async (address) => [address, await lab.count(where, address)] as const),
  );
  return async () => {
    const found: Record<string, { rx: number; tx: number }> = {};
    for (const [address, read] of reads) found[address] = await read();
    return found;
  };
}

async function bytesOf(where: 'a' | 'b'): Promise<{ rx: number; tx: number }> {
  const { yunxun } = await watcher.state();
  const found = yunxun.stations.find(({ mac }) => mac === macs[where]);
  return { rx: found?.rx_bytes ?? 0, tx: found?.tx_bytes ?? 0 };
}
