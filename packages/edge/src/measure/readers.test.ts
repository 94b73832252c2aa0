import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  countersSince,
  loadBetween,
  readCounters,
  readDisk,
  readLeases,
  readLink,
  readMemory,
  readNumbers,
  readTemperature,
  readTicks,
} from './gateway-host.ts';
import { isWithin, numberOf, readAddresses, readForwarding, readGateways, readNeighbours } from './kernel.ts';
import { readPing } from './wan-health.ts';

const folder = mkdtempSync(join(tmpdir(), 'yunxun-measure-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe('what iproute2 prints', () => {
  const neighbours = JSON.stringify([
    { dst: '10.1.0.9', dev: 'br0', lladdr: 'AA:bb:cc:00:00:02', used: 3, confirmed: 70, updated: 4, state: ['STALE'] },
    { dst: '10.1.0.8', dev: 'br0', lladdr: 'aa:bb:cc:00:00:03', confirmed: 12, state: ['REACHABLE'] },
    { dst: '10.1.0.7', dev: 'br0', state: ['FAILED'] },
    { dst: '10.1.0.6', dev: 'br0', lladdr: 'aa:bb:cc:00:00:06', state: ['FAILED'] },
    { dst: '224.0.0.1', dev: 'br0', lladdr: '01:00:5e:00:00:01', state: ['NOARP'] },
    { dst: 'fe80::1', dev: 'br0', lladdr: 'aa:bb:cc:00:00:04', confirmed: 1, state: ['DELAY'] },
  ]);

  it('gives neighbours that are there, with the age of their last sign', () => {
    expect(readNeighbours(neighbours)).toEqual([
      { device: 'br0', address: '10.1.0.9', mac: 'aabbcc000002', confirmedS: 70 },
      { device: 'br0', address: '10.1.0.8', mac: 'aabbcc000003', confirmedS: 0 },
      { device: 'br0', address: 'fe80::1', mac: 'aabbcc000004', confirmedS: 1 },
    ]);
  });

  it('gives addresses, default routes by their metric, and ports of a bridge', () => {
    const addresses = [
      {
        ifname: 'br0',
        addr_info: [
          { local: '10.1.0.1', prefixlen: 24 },
          { local: 'x', prefixlen: 24 },
        ],
      },
    ];
    expect(readAddresses(JSON.stringify(addresses))).toEqual([{ device: 'br0', address: '10.1.0.1', prefix: 24 }]);
    const routes = [
      { dst: 'default', gateway: '192.0.2.1', dev: 'wan2', metric: 20 },
      { dst: 'default', gateway: '198.51.100.1', dev: 'wan1' },
      { dst: '10.0.0.0/8', gateway: '10.1.0.5', dev: 'br0' },
      { dst: 'default', dev: 'ppp0' },
    ];
    expect(readGateways(JSON.stringify(routes)).map(({ device }) => device)).toEqual(['wan1', 'wan2']);
    const fdb = [
      { mac: 'aa:bb:cc:00:00:02', ifname: 'lan1', master: 'br0', used: 2, updated: 5, state: '' },
      { mac: 'aa:bb:cc:00:00:01', ifname: 'lan1', master: 'br0', state: 'permanent' },
      { mac: '33:33:00:00:00:01', ifname: 'eth0', flags: ['self'], state: 'permanent' },
    ];
    expect(readForwarding(JSON.stringify(fdb))).toEqual([{ mac: 'aabbcc000002', port: 'lan1', seenS: 5 }]);
  });

  it('never throws on any input, and invents no client', () => {
    const readers = [readNeighbours, readAddresses, readForwarding, readGateways];
    for (const read of readers) {
      expect(read(null)).toEqual([]);
      fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => void read(text)));
      fc.assert(fc.property(fc.jsonValue(), (value) => read(JSON.stringify(value)).length === 0));
    }
    const odd = fc.oneof(fc.constant('10.0.0.1'), fc.constant('aa:bb:cc:dd:ee:ff'), fc.constant('br0'), fc.jsonValue());
    const entry = fc.record(
      { dst: odd, dev: odd, lladdr: odd, state: odd, confirmed: odd, ifname: odd, mac: odd, master: odd, gateway: odd },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (list) => {
        for (const { mac } of [...readNeighbours(JSON.stringify(list)), ...readForwarding(JSON.stringify(list))])
          expect(mac).toBe('aabbccddeeff');
      }),
    );
  });
});

describe('addresses as numbers', () => {
  it('knows whose network an address is in', () => {
    const lan = { address: '10.1.0.1', prefix: 24 };
    const cases = { '10.1.0.77': true, '10.1.0.255': false, '10.1.0.0': false, '10.1.1.7': false, '::1': false };
    for (const [address, inside] of Object.entries(cases)) expect(isWithin(address, lan), address).toBe(inside);
    expect(isWithin('fd00::7', { address: 'fd00::1', prefix: 64 })).toBe(true);
    expect(isWithin('fd00:0:0:1::7', { address: 'fd00::1', prefix: 64 })).toBe(false);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (text) => void numberOf(text)));
    fc.assert(
      fc.property(
        fc.ipV6(),
        fc.integer({ min: 0, max: 128 }),
        (address, prefix) => isWithin(address, { address, prefix }) || numberOf(address) === null,
      ),
    );
  });
});

describe('files of the kernel', () => {
  it('gives counters exactly, and what they grew by, across a reset', () => {
    for (const name of ['rx_bytes', 'tx_bytes', 'rx_packets', 'tx_packets'])
      put(`sys/class/net/wan1/statistics/${name}`, name === 'rx_bytes' ? '9007199254740991\n' : '12\n');
    const now = readCounters(join(folder, 'sys'), 'wan1')!;
    expect(now).toEqual({ rx_bytes: 9_007_199_254_740_991, tx_bytes: 12, rx_packets: 12, tx_packets: 12 });
    expect(readCounters(join(folder, 'sys'), 'wan9')).toBeNull();
    expect(countersSince({ rx_bytes: 9_007_199_254_740_000, tx_bytes: 20 }, now)).toMatchObject({
      rx_bytes: 991,
      tx_bytes: 12,
    });
  });

  it('says no speed where there is no cable, and no temperature where there is no sensor', () => {
    put('sys/class/net/lan1/carrier', '0\n');
    put('sys/class/net/lan1/speed', '-1\n');
    expect(readLink(join(folder, 'sys'), 'lan1')).toEqual({ carrier: 0 });
    expect(readTemperature(join(folder, 'sys'))).toBeNull();
    put('sys/class/thermal/thermal_zone0/temp', '41000\n');
    put('sys/class/thermal/thermal_zone1/temp', '52500\n');
    put('sys/class/thermal/thermal_zone2/temp', '-274000\n');
    expect(readTemperature(join(folder, 'sys'))).toEqual([46.8, 52.5]);
    expect(readDisk(join(folder, 'nowhere'))).toBeNull();
  });

  it('gives memory in bytes and load in percent', () => {
    expect(readMemory('MemTotal:       1000 kB\nMemFree:  400 kB\nBuffers: 10 kB\nCached: 90 kB\n')).toEqual({
      total: 1_024_000,
      free: 409_600,
      buffered: 10_240,
      cached: 92_160,
    });
    expect(readMemory('MemTotal: 1 kB\nMemFree: 2 kB')).toBeNull();
    const before = readTicks('cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 100 0 100 800 0 0 0 0 0 0\nintr 5');
    const after = readTicks('cpu  150 0 100 850 0 0 0 0 0 0\ncpu0 150 0 100 850 0 0 0 0 0 0\nintr 5');
    expect(loadBetween(before, after)).toEqual([50, 50]);
    expect(loadBetween(before, before)).toEqual([]);
    expect(readNumbers('0.52 0.41 0.3 1/200 99', 3)).toEqual([0.52, 0.41, 0.3]);
  });

  it("gives dnsmasq's leases", () => {
    const text =
      '1795290000 aa:bb:cc:00:00:02 10.1.0.100 lab-a 01:aa:bb:cc:00:00:02\n' +
      '0 aa:bb:cc:00:00:03 10.1.0.101 * *\nduid 00:01:00\n1795290000 12345 fd00::7 six 00:01\n';
    expect(readLeases(text)).toEqual([
      { expires: 1_795_290_000, mac: 'aabbcc000002', address: '10.1.0.100', hostname: 'lab-a' },
      { expires: 0, mac: 'aabbcc000003', address: '10.1.0.101', hostname: null },
    ]);
  });

  it("gives the milliseconds of iputils' ping and of busybox's, and none without an answer", () => {
    expect(readPing('64 bytes from 10.9.0.1: icmp_seq=1 ttl=64 time=0.047 ms')).toBe(0.047);
    expect(readPing('64 bytes from 10.9.0.1: seq=0 ttl=64 time=12.300 ms')).toBe(12.3);
    expect(readPing('From 10.9.0.2 icmp_seq=1 Destination Host Unreachable')).toBeNull();
    expect(readPing(null)).toBeNull();
  });

  it('reads any text without throwing, and no number that is not there', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^(cpu|MemTotal:|MemFree:|\d+) [\d kB.:\n-]*$/));
    fc.assert(
      fc.property(text, (one) => {
        const memory = readMemory(one);
        if (memory) expect(memory.free).toBeLessThanOrEqual(memory.total!);
        for (const { busy, all } of readTicks(one)) expect(busy).toBeLessThanOrEqual(all);
        for (const share of loadBetween(readTicks(one), readTicks(one))) expect(share).toBeGreaterThanOrEqual(0);
        for (const { mac } of readLeases(one)) expect(one.toLowerCase().replace(/[^0-9a-f]/g, '')).toContain(mac);
        readNumbers(one, 3);
        readPing(one);
      }),
    );
  });
});
