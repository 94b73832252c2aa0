import { setImmediate } from 'node:timers/promises';
import type { EdgeScanFinding, EdgeScanResult } from '@yunxun/contract/device';
import { edgeScanPorts } from '@yunxun/contract/device';
import { describe, expect, it } from 'vitest';
import { packetsFor } from '../identify/index.ts';
import { ManualClock } from '../manual-clock.ts';
import { type Lan, LanScan, lansOf, wakeOnLan } from './lan-scan.ts';

const lan = (text: string, prefix: number, device = 'br-lan'): Lan => ({
  device,
  prefix,
  address: text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0),
});
const neighbour = (dst: string, dev = 'br-lan', lladdr = '00:1b:21:00:00:01') => ({
  dst,
  dev,
  lladdr,
  state: ['REACHABLE'],
});

const camera: EdgeScanFinding = { by: 'onvif', type: 'camera', name: 'Door', model: 'IPC-1' };

function fixture(lans: readonly Lan[], neighbours: object[], open: Readonly<Record<string, number[]>> = {}) {
  const clock = new ManualClock(1_700_000_000_000);
  const [touched, tried]: [string[], string[]] = [[], []];
  const times: number[] = [];
  const scan = new LanScan({
    clock,
    run: async () => JSON.stringify(neighbours),
    lans: () => lans,
    leases: () => [{ expires: 0, mac: '001b21000001', address: '192.168.1.64', hostname: 'door' }],
    touch(address) {
      touched.push(address);
      times.push(clock.now());
    },
    identify: async ({ hosts }) =>
      new Map(hosts.flatMap(({ address, ports }) => (ports.includes(554) ? [[address, [camera]]] : []))),
    async tcp(address, port) {
      tried.push(`${address}:${port}`);
      times.push(clock.now());
      return open[address]?.includes(port) ? 1 : null;
    },
  });
  const read = () => scan.act({ act: 'read', id: 's' }).tool?.scan as EdgeScanResult;
  /** Advances the clock by at most ten minutes. */
  const until = async (isTrue: (result: EdgeScanResult) => boolean) => {
    for (let step = 0; step < 30_000 && !isTrue(read()); step += 1) {
      clock.advance(20);
      await setImmediate();
    }
    expect(isTrue(read())).toBe(true);
  };
  return { scan, read, until, touched, tried, times };
}

describe('a scan of the LAN', () => {
  it('finds hosts of the own LANs only, with their open ports, names and MAC addresses', async () => {
    const neighbours = [
      neighbour('192.168.1.64'),
      neighbour('192.168.1.1'),
      neighbour('203.0.113.9', 'eth0'),
      neighbour('192.168.1.99', 'eth0'),
      neighbour('10.9.9.9'),
    ];
    const { scan, read, until, touched, tried } = fixture([lan('192.168.1.1', 29)], neighbours, {
      '192.168.1.64': [554, 80],
    });
    scan.act({ act: 'start', id: 's' });
    await until(({ state }) => state === 'done');
    expect(touched).toEqual([2, 3, 4, 5, 6].map((host) => `192.168.1.${host}`));
    // outside the /29
    expect(tried).toEqual([]);
    expect(read().hosts).toEqual([]);

    const whole = fixture([lan('192.168.1.1', 24)], neighbours, { '192.168.1.64': [554, 80], '192.168.1.99': [80] });
    whole.scan.act({ act: 'start', id: 's' });
    await whole.until(({ state }) => state === 'done');
    expect(whole.touched).toHaveLength(253);
    expect(new Set(whole.tried)).toEqual(new Set(edgeScanPorts.map((port) => `192.168.1.64:${port}`)));
    expect(whole.read()).toMatchObject({
      subnets: ['192.168.1.0/24'],
      done: 253 + edgeScanPorts.length + packetsFor(1, 1),
      total: 253 + edgeScanPorts.length + packetsFor(1, 1),
      hosts: [{ address: '192.168.1.64', mac: '001b21000001', hostname: 'door', ports: [80, 554], findings: [camera] }],
    });
  });

  it('sends at most 50 probes in any second', async () => {
    const neighbours = Array.from({ length: 10 }, (_, at) => neighbour(`192.168.1.${at + 10}`));
    const { scan, until, times } = fixture([lan('192.168.1.1', 25)], neighbours);
    scan.act({ act: 'start', id: 's' });
    await until(({ state }) => state === 'done');
    expect(times.length).toBe(125 + 10 * edgeScanPorts.length);
    const max = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
    expect(max).toBeLessThanOrEqual(50);
  });

  it('of a large LAN tries known neighbours only', async () => {
    const { scan, until, touched, read } = fixture([lan('10.0.0.1', 16)], [neighbour('10.0.7.7')]);
    scan.act({ act: 'start', id: 's' });
    await until(({ state }) => state === 'done');
    expect(touched).toEqual([]);
    expect(read().hosts).toMatchObject([{ address: '10.0.7.7' }]);
  });

  it('refuses a second one meanwhile, stops when asked, and keeps what it found', async () => {
    const { scan, until, read } = fixture([lan('192.168.1.1', 24)], [neighbour('192.168.1.64')]);
    scan.act({ act: 'start', id: 's' });
    expect(scan.act({ act: 'start', id: 't' })).toMatchObject({ error: 1 });
    await until(({ done }) => done > 255);
    scan.act({ act: 'stop', id: 's' });
    await until(({ state }) => state === 'stopped');
    expect(read().hosts).toMatchObject([{ address: '192.168.1.64' }]);
  });

  it('takes the private networks of LAN interfaces only', () => {
    const on = (device: string, role: 'upstream' | 'downstream') => ({
      name: device,
      location: '',
      role,
      device,
      ports: [],
    });
    const interfaces = [on('eth0', 'upstream'), on('br-lan', 'downstream')];
    const layout = { interfaces, leases: null, queries: null, lines: [] };
    const addresses = [
      { device: 'eth0', address: '192.168.9.2', prefix: 24 },
      { device: 'br-lan', address: '192.168.1.1', prefix: 24 },
      { device: 'br-lan', address: '203.0.113.1', prefix: 24 },
      { device: 'br-lan', address: '10.0.0.1', prefix: 8 },
      { device: 'br-lan', address: 'fd00::1', prefix: 64 },
    ];
    expect(lansOf(layout, addresses)).toEqual([lan('192.168.1.1', 24)]);
  });
});

describe('Wake-on-LAN', () => {
  it('broadcasts the packet on each LAN', async () => {
    const sent: [string, string][] = [];
    const send = async (packet: Buffer, address: string) => void sent.push([packet.toString('hex'), address]);
    const lans = [lan('192.168.1.1', 24), lan('10.0.0.1', 16)];
    expect(await wakeOnLan({ mac: '001b21000001' }, lans, send)).toMatchObject({ error: 0 });
    const packet = `ffffffffffff${'001b21000001'.repeat(16)}`;
    expect(sent).toEqual([
      [packet, '192.168.1.255'],
      [packet, '10.0.255.255'],
    ]);
  });

  it('is refused without a LAN or with a wrong address', async () => {
    expect((await wakeOnLan({ mac: '001b21000001' }, [])).error).toBe(1);
    expect((await wakeOnLan({ mac: '00:1b' }, [lan('192.168.1.1', 24)])).error).toBe(2);
  });
});
