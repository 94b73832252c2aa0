import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type LabDocument, type LabHost, smallGateway, startHost } from './host.ts';
import { type Lab, logged, startLab } from './lab.ts';
import { labFixture } from './lab-fixture.ts';

const vlans =
  spawnSync('unshare', ['-n', 'ip', 'link', 'add', 'link', 'lo', 'name', 'v', 'type', 'vlan', 'id', '2']).status === 0;
if (!vlans) console.error('lines in VLANs are not tried with real packets here: this kernel has no VLAN devices');

/**
 * The provider serves one MAC, drops packets above 1400 bytes and sends no ICMP. With VLANs it is one of three WANs on
 * a port:
 *
 * gw wan1 ─┬─ untagged: 198.51.100.1/24
 *          ├─ VLAN 41: 198.18.41.1/24, the provider      (without VLANs: wan2)
 *          └─ VLAN 85: 198.18.85.1/24
 */
let lab: Lab;
let host: LabHost;

const bound = '02:aa:00:00:00:41';
const max = 1400;
const end = vlans ? 'v41' : 'line2';

labFixture(async (own) => {
  lab = own(await startLab({ console: true }));
  for (const id of vlans ? ['41', '85'] : []) {
    await lab.run('net', 'ip', 'link', 'add', 'link', 'line1', 'name', `v${id}`, 'type', 'vlan', 'id', id);
    await lab.run('net', 'ip', 'link', 'set', `v${id}`, 'up');
    await lab.run('net', 'ip', 'addr', 'add', `198.18.${id}.1/24`, 'dev', `v${id}`);
  }
  if (!vlans) await lab.run('net', 'ip', 'addr', 'add', '198.18.41.1/24', 'dev', end);
  // offloading would exceed the MTU
  const single = ['gso_max_segs', '1'];
  await lab.run('a', 'ip', 'link', 'set', 'eth0', ...single);
  for (const device of new Set(['line1', end])) await lab.run('net', 'ip', 'link', 'set', device, ...single);
  const rules = [
    'add table inet provider',
    'add chain inet provider in { type filter hook prerouting priority -300; policy accept; }',
    'add chain inet provider out { type filter hook postrouting priority 300; policy accept; }',
    `add rule inet provider in iifname ${end} ip length > ${max} drop`,
    `add rule inet provider out oifname ${end} ip length > ${max} drop`,
    'add rule inet provider out icmp type destination-unreachable drop',
  ];
  await lab.run('net', 'nft', rules.join('; '));
  const file = join(lab.folder, 'provider-dnsmasq.conf');
  const lines = [
    'port=0',
    'no-daemon',
    'bind-interfaces',
    `interface=${end}`,
    'user=root',
    'group=root',
    'pid-file=',
    'dhcp-range=198.18.41.0,static,255.255.255.0,2m',
    `dhcp-host=${bound},198.18.41.50`,
    'no-ping',
    'dhcp-option=option:router,198.18.41.1',
    'dhcp-option=option:dns-server,192.0.2.53',
    `dhcp-leasefile=${join(lab.folder, 'provider-leases')}`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  lab.start('net', 'dnsmasq', ['-C', file]);
  host = own(await startHost(lab));
});

const slowly = { timeout: 120_000, interval: 250 };
const probe = { every_s: 1, fails: 2, recovers: 2 };

const tagged = (name: string, id: number, metric: number, more: object = {}, port: object = {}) => ({
  name,
  role: 'upstream',
  metric,
  vlan: { id },
  ethernet: [{ 'select-ports': ['WAN1'], 'vlan-tag': 'tagged', ...port }],
  ipv4: { addressing: 'dynamic' },
  ...more,
});

function fibre(): Record<string, unknown> {
  if (vlans) return tagged('Fibre', 41, 1, { mtu: max }, { macaddr: bound });
  const ethernet = [{ 'select-ports': ['WAN2'], macaddr: bound }];
  return { name: 'Fibre', role: 'upstream', metric: 1, mtu: max, ethernet, ipv4: { addressing: 'dynamic' } };
}

function several(uuid: number, section: object = {}): LabDocument {
  const { interfaces, ...document } = smallGateway(uuid);
  const [wan, lan] = interfaces;
  const tv = { addressing: 'static', subnet: '198.18.85.2/24', gateway: '198.18.85.1', 'use-dns': ['192.0.2.53'] };
  return {
    ...document,
    interfaces: [fibre(), { ...wan, metric: 2 }, ...(vlans ? [tagged('TV', 85, 3, { ipv4: tv })] : []), lan!],
    'third-party': {
      yunxun: { confirm_s: 60, lines: ['Fibre', 'WAN'].map((name) => ({ interface: name, probe })), ...section },
    },
  };
}

async function wayOut(url = 'http://192.0.2.10/whoami'): Promise<string> {
  return (await lab.call('a', { url, timeoutS: 3 }).catch(() => null))?.text ?? 'none';
}

const linkOf = async (device: string) => {
  const [link] = JSON.parse(await lab.run('gw', 'ip', '-j', 'link', 'show', 'dev', device)) as {
    mtu: number;
    address: string;
  }[];
  return [link!.mtu, link!.address];
};
async function fibreDevice(): Promise<string> {
  if (!vlans) return 'wan2';
  const links = JSON.parse(await lab.run('gw', 'ip', '-j', '-d', 'link', 'show', 'type', 'vlan')) as {
    ifname: string;
    linkinfo: { info_data: { id: number } };
  }[];
  return links.find(({ linkinfo }) => linkinfo.info_data.id === 41)?.ifname ?? 'none';
}

let uuid = 100;

async function configured(section: object = {}): Promise<void> {
  if (host.pid() === null) {
    uuid = 100;
    await host.start();
  }
  uuid += 1;
  expect(await host.configure(several(uuid, section)), host.log()).toMatchObject({ uuid, status: { error: 0 } });
  await lab.lease('a');
  await expect.poll(wayOut, slowly).toBe('198.18.41.50');
}

it('a provider that knows one MAC gives its address to a line that has it, and only that line has it', async () => {
  const before = await linkOf('wan1');
  await configured();
  expect(await linkOf(await fibreDevice())).toEqual([max, bound]);
  expect(await linkOf('wan1')).toEqual(before);
  await lab.run('net', 'ip', 'link', 'set', end, 'down');
  await expect.poll(wayOut, slowly).toBe('198.51.100.3');
  await lab.run('net', 'ip', 'link', 'set', end, 'up');
  await expect.poll(wayOut, slowly).toBe('198.18.41.50');
});

it.skipIf(!vlans)('lines in several VLANs of one port each carry traffic', async () => {
  await configured();
  expect(await wayOut('http://198.18.85.1/whoami')).toBe('198.18.85.2');
  expect(await wayOut('http://198.51.100.1/whoami')).toBe('198.51.100.3');
});

it('reports each line by its own counters and its own state', async () => {
  await configured();
  await lab.call('a', { url: 'http://192.0.2.10/bytes/3000000', timeoutS: 60 });
  const session = await host.session();
  const from = session.messages.length;
  const { params } = await session.message('state', from);
  const { interfaces, yunxun } = params.state as {
    interfaces: { name: string; counters: { rx_bytes: number } }[];
    yunxun: { lines: { interface: string; address: string; alive: boolean }[] };
  };
  const bytes = (name: string) => interfaces.find((one) => one.name === name)!.counters.rx_bytes;
  const own = vlans ? 'up0v41' : 'up1v0';
  expect(bytes(own)).toBeGreaterThan(3_000_000);
  if (vlans) expect(bytes('up0v85')).toBeLessThan(1_000_000);
  expect(yunxun.lines).toMatchObject([
    { interface: 'up0v0', address: '198.51.100.3', alive: true },
    { interface: own, address: '198.18.41.50', alive: true },
    ...(vlans ? [{ interface: 'up0v85', address: '198.18.85.2', alive: true }] : []),
  ]);
});

it('carries whole files both ways where packets above the MTU are dropped silently', async () => {
  await configured();
  const down = await lab.call('a', { url: 'http://192.0.2.11/bytes/2000000', timeoutS: 60 });
  expect(down).toMatchObject({ status: 200, bytes: 2_000_000 });
  const up = await lab.call('a', { url: 'http://192.0.2.11/whoami', post: 2_000_000, timeoutS: 60 });
  expect(up).toMatchObject({ status: 200 });
});

it.skipIf(!vlans)('a limit of the untagged line is none of the VLANs on its port', async () => {
  await configured({
    lines: [
      { interface: 'WAN', probe, down_kbps: 1000, up_kbps: 1000 },
      { interface: 'Fibre', probe },
    ],
  });
  const [ifb] = (await lab.run('gw', 'ip', '-br', 'link', 'show', 'type', 'ifb')).split(/\s/);
  const through = async () => {
    const read = async (device: string) =>
      JSON.parse(await lab.run('gw', 'tc', '-j', '-s', 'class', 'show', 'dev', device)) as {
        stats: { bytes: number };
      }[];
    const classes = [...(await read(ifb!)), ...(await read('wan1'))];
    return classes.reduce((sum, { stats }) => sum + stats.bytes, 0);
  };
  const before = await through();
  expect(await lab.call('a', { url: 'http://192.0.2.12/bytes/4000000', timeoutS: 60 })).toMatchObject({
    bytes: 4_000_000,
  });
  await lab.call('a', { url: 'http://192.0.2.12/whoami', post: 4_000_000, timeoutS: 60 });
  expect((await through()) - before).toBeLessThan(1_000_000);
});

it('restores a MAC and an MTU that were changed by hand', async () => {
  await configured();
  const device = await fibreDevice();
  await lab.run('gw', 'ip', 'link', 'set', 'dev', device, 'address', '02:bb:00:00:00:99');
  await lab.run('gw', 'ip', 'link', 'set', 'dev', device, 'mtu', '1300');
  await expect.poll(() => linkOf(device), { ...slowly, timeout: 150_000 }).toEqual([max, bound]);
  await expect.poll(wayOut, slowly).toBe('198.18.41.50');
});

it('a port has its own MAC and MTU again when a clone goes, is not confirmed, or the agent is killed over it', async () => {
  await configured();
  const original = await linkOf('wan1');
  const cloned = (number: number, gateway: string) => {
    const document = smallGateway(number, { wan: { subnet: '198.51.100.3/24', gateway } });
    document.interfaces[0]!.mtu = 1280;
    document.interfaces[0]!.ethernet = [{ 'select-ports': ['WAN1'], macaddr: '02:cc:00:00:00:01' }];
    return document;
  };
  uuid += 1;
  expect(await host.configure(cloned(uuid, '198.51.100.1')), host.log()).toMatchObject({ uuid, status: { error: 0 } });
  expect(await linkOf('wan1')).toEqual([1280, '02:cc:00:00:00:01']);
  expect(await lab.run('gw', 'ip', '-br', 'link', 'show', 'type', 'vlan')).toBe('');
  await expect.poll(wayOut, slowly).toBe('198.51.100.3');
  // the reported port address is not the cloned MAC
  const connecting = host.console.connected();
  await host.end('SIGTERM');
  host.launch();
  const { params } = await (await connecting).message('connect');
  expect(params.capabilities).toMatchObject({ macaddr: { WAN1: original[1] } });

  await configured();
  expect(await linkOf('wan1')).toEqual(original);

  uuid += 1;
  const word = await host.configure(cloned(uuid, '198.51.100.200'));
  expect(word, host.log()).toMatchObject({ status: { error: 2 } });
  expect(await linkOf('wan1')).toEqual(original);
  await expect.poll(wayOut, slowly).toBe('198.18.41.50');

  const session = await host.session();
  uuid += 1;
  session.send('configure', { uuid, config: cloned(uuid, '198.51.100.201') });
  await expect.poll(() => lab.run('gw', 'ip', 'route')).toContain('via 198.51.100.201');
  await host.end('SIGKILL');
  expect(await linkOf('wan1')).toEqual([1280, '02:cc:00:00:00:01']);
  await host.start();
  expect(await linkOf('wan1')).toEqual(original);
  await expect.poll(wayOut, slowly).toBe('198.18.41.50');
});

it.skipIf(!vlans)('a line in a VLAN leaves the untagged side of its port to a LAN', async () => {
  await configured();
  uuid += 1;
  const document = several(uuid);
  const far = { addressing: 'static', subnet: '198.18.7.2/24', gateway: '198.18.7.1', 'use-dns': ['192.0.2.53'] };
  document.interfaces.push(
    { ...tagged('Far', 7, 4, { ipv4: far }), ethernet: [{ 'select-ports': ['LAN2'], 'vlan-tag': 'tagged' }] },
    {
      name: 'Guest',
      role: 'downstream',
      ethernet: [{ 'select-ports': ['LAN2'] }],
      ipv4: { addressing: 'static', subnet: '10.2.0.1/24', dhcp: { 'lease-first': 100, 'lease-count': 9 } },
    },
  );
  expect(await host.configure(document), host.log()).toMatchObject({ uuid, status: { error: 0 } });
  // b is the provider of VLAN 7 and a LAN client
  await lab.run('b', 'ip', 'link', 'add', 'link', 'eth0', 'name', 'v7', 'type', 'vlan', 'id', '7');
  await lab.run('b', 'ip', 'link', 'set', 'v7', 'up');
  await lab.run('b', 'ip', 'addr', 'add', '198.18.7.1/24', 'dev', 'v7');
  const answers = join(import.meta.dirname, 'peer.mjs');
  await logged(lab.start('b', process.execPath, [answers, '0.0.0.0', '-', '-']), 'ready');
  await expect.poll(() => wayOut('http://198.18.7.1/whoami'), slowly).toBe('198.18.7.2');
  const lease = await lab.lease('b');
  expect(lease.address).toMatch(/^10\.2\.0\.1/);
  await expect.poll(() => lab.page('b'), slowly).toBe(200);
});
