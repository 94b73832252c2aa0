import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { foundWans } from './found.ts';
import { readAddresses, readGateways } from './kernel.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'found-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ports = [
  { name: 'WAN1', device: 'eth0' },
  { name: 'WAN2', device: 'eth1' },
  { name: 'LAN1', device: 'eth2' },
];
const link = (ifname: string, ...addresses: [text: string, dynamic?: boolean][]) => ({
  ifname,
  addr_info: addresses.map(([text, dynamic]) => {
    const [local, prefixlen] = text.split('/');
    return { local, prefixlen: Number(prefixlen), ...(dynamic && { dynamic }) };
  }),
});
const addresses = readAddresses(
  JSON.stringify([
    link('eth0', ['169.254.7.7/16'], ['203.0.113.2/29']),
    link('eth1', ['198.51.100.7/24', true]),
    link('eth2', ['192.168.1.1/24']),
  ]),
);
const gateways = readGateways(
  JSON.stringify([
    { dst: 'default', gateway: '198.51.100.1', dev: 'eth1', metric: 200 },
    { dst: 'default', gateway: '203.0.113.1', dev: 'eth0' },
  ]),
);
function resolver(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
function process(id: string, ...words: string[]): void {
  mkdirSync(join(folder, id));
  writeFileSync(join(folder, id, 'cmdline'), [...words, ''].join('\0'));
}
const found = (resolvers: string[] = []) => foundWans({ ports, addresses, gateways, proc: folder, resolvers });

it('tells a fixed address from a leased one, each with its router', () => {
  expect(found()).toEqual([
    { port: 'WAN1', address: '203.0.113.2/29', gateway: '203.0.113.1', dynamic: false, dns: [] },
    { port: 'WAN2', address: '198.51.100.7/24', gateway: '198.51.100.1', dynamic: true, dns: [] },
  ]);
});

it('knows the address that udhcpc gave, which has no lifetime', () => {
  process('17', 'sh', '-c', 'echo udhcpc');
  process('42', '/bin/busybox', 'udhcpc', '-i', 'other0');
  expect(found()[0]).toMatchObject({ port: 'WAN1', dynamic: false });
  process('43', '/sbin/udhcpc', '-b', '-i', 'eth0');
  expect(found()[0]).toMatchObject({ port: 'WAN1', dynamic: true });
});

it("takes the resolver's own servers behind a local stub", () => {
  const stub = resolver('resolv.conf', '# stub\nnameserver 127.0.0.53\noptions edns0\n');
  const real = resolver('real.conf', 'nameserver 9.9.9.9\n nameserver 2620:fe::fe\nnameserver 149.112.112.112\n');
  expect(found([stub, real]).map(({ dns }) => dns)).toEqual([
    ['9.9.9.9', '149.112.112.112'],
    ['9.9.9.9', '149.112.112.112'],
  ]);
  expect(found([stub, join(folder, 'missing')])[0]?.dns).toEqual([]);
});
