import { describe, expect, it } from 'vitest';
import { extract } from '../../../packages/server/src/telemetry/extract/index.ts';
import { handMadeGateway } from './hand-made.ts';
import { type Lab, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';
import { startWatcher, type Watcher } from './watcher.ts';

let lab: Lab;
let watcher: Watcher;

labFixture(async (own) => {
  lab = own(await startLab());
  happened.length = 0;
  const layout = await handMadeGateway(lab);
  // a late answer must not count as a disconnect
  watcher = own(await startWatcher(lab, layout, { every: 300, timeouts: { ask: 2000, gone: 12_000 } }));
});

type Event = Awaited<ReturnType<Watcher['events']>>[number];
const happened: Event[] = [];

async function heard(type: string, about: Record<string, unknown>): Promise<Event['payload']> {
  const find = () =>
    happened.find((one) => one.type === type && Object.entries(about).every(([k, v]) => one.payload[k] === v));
  await expect
    .poll(async () => {
      happened.push(...(await watcher.events()));
      return find() !== undefined;
    })
    .toBe(true);
  const found = find()!;
  happened.splice(happened.indexOf(found), 1);
  return found.payload;
}

async function present(where: 'a' | 'b'): Promise<Awaited<ReturnType<Lab['lease']>>> {
  const lease = await lab.lease(where);
  await expect
    .poll(async () => (await watcher.state()).interfaces![2]!.clients!.map(({ mac }) => mac))
    .toContain(lab.mac(where));
  return lease;
}

describe('stations on cables', () => {
  it('are seen when they come, as the console reads a report', async () => {
    const lease = await lab.lease('a');
    const mac = lab.mac('a');
    const joined = await heard('client.join', { client: mac });
    expect(joined).toMatchObject({ port: 'LAN1' });
    await expect
      .poll(async () => {
        const { stations } = extract({ uuid: 1, state: await watcher.state() });
        return stations?.find((one) => one.mac === mac.replaceAll(':', ''));
      })
      .toMatchObject({ band: 0, port: 'LAN1', ip: lease.address, hostname: 'lab-a' });
    const report = extract({ uuid: 1, state: await watcher.state() });
    expect(report.clamped).toBe(0);
    expect(report.digest.downstream).toEqual({ routes: true, serves: true });
    expect([...report.counters!.wan.keys()]).toEqual(['up0v0', 'up1v0']);
    // the WANs' routers are neighbours, not clients
    expect(report.summary.clientsTotal).toBe(report.stations!.length);
    expect(report.summary).toMatchObject({ memTotal: expect.any(Number), load1: expect.any(Number) });
    expect(report.summary.uptimeS).toBeGreaterThan(0);
    const { yunxun, unit } = await watcher.state();
    expect(yunxun.connections).toBeGreaterThan(0);
    expect(yunxun.connections_max).toBeGreaterThan(1000);
    expect(yunxun.disk!.total).toBeGreaterThan(yunxun.disk!.free);
    expect(unit!.cpu_load!.length).toBeGreaterThan(1);
  });

  it('stay while they are silent but there, and leave when they do not answer any more', async () => {
    await present('a');
    await lab.lease('b');
    const [a, b] = [lab.mac('a'), lab.mac('b')];
    await heard('client.join', { client: b });
    const { yunxun } = await watcher.state();
    expect(yunxun.lines).toHaveLength(2);
    await lab.run(
      'b',
      'nft',
      'add table netdev deaf; add chain netdev deaf in { type filter hook ingress device eth0 priority 0; policy drop; }',
    );
    const left = await heard('client.leave', { client: b });
    expect(left).toMatchObject({ port: 'LAN2', connected_time: expect.any(Number) });
    const there = (await watcher.state()).interfaces![2]!.clients!.map(({ mac }) => mac);
    expect(there).toContain(a);
    expect(there).not.toContain(b);
    expect(happened.filter(({ type, payload }) => type === 'client.leave' && payload.client === a)).toEqual([]);
  });

  it('leave at once when their cable is pulled', async () => {
    await present('a');
    const a = lab.mac('a');
    await lab.run('a', 'ip', 'link', 'set', 'eth0', 'down');
    await heard('wired.carrier-down', { name: 'LAN1' });
    await heard('client.leave', { client: a });
    expect((await watcher.state())['link-state']!.downstream!.LAN1!.carrier).toBe(0);
    await lab.run('a', 'ip', 'link', 'set', 'eth0', 'up');
    await heard('wired.carrier-up', { name: 'LAN1' });
  });
});

describe('a line to the internet', () => {
  const line = async (name: string) => (await watcher.state()).yunxun.lines.find((one) => one.interface === name)!;

  it('lives by its own probes, is lost when it carries nothing, and comes back', async () => {
    await expect
      .poll(() => line('up0v0'))
      .toMatchObject({ alive: true, address: '198.51.100.2', gateway: '198.51.100.1' });
    await expect.poll(() => line('up1v0')).toMatchObject({ alive: true, address: '203.0.113.2' });
    expect((await line('up0v0')).latency_ms).toBeGreaterThan(0);
    await lab.wan(1, 'silent');
    await expect.poll(() => line('up0v0')).toMatchObject({ alive: false });
    const lost = await line('up0v0');
    expect(lost.loss_pct).toBeGreaterThan(0);
    expect(await lab.run('gw', 'cat', '/sys/class/net/wan1/carrier')).toBe('1\n');
    await expect.poll(() => line('up1v0')).toMatchObject({ alive: true });
    await expect
      .poll(() => watcher.health())
      .toMatchObject({ data: { interfaces: { up0v0: { warning: ['its probes are not answered'] } } } });
    await lab.wan(1, 'mended');
    await expect.poll(() => line('up0v0')).toMatchObject({ alive: true });
    const words = (await watcher.lines()).filter((word) => word.interface === 'up0v0').map(({ alive }) => alive);
    expect(words.slice(0, 3)).toEqual([true, false, true]);
  });

  it('is lost at once without its cable', async () => {
    await lab.wan(2, 'carrier');
    await expect.poll(() => line('up1v0')).toMatchObject({ alive: false, latency_ms: null });
    await heard('wired.carrier-down', { name: 'WAN2' });
    await lab.wan(2, 'mended');
  });
});
