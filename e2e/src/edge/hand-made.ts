import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from '../../../packages/edge/src/measure/layout.ts';
import type { Lab } from './lab.ts';

/** By hand: `br0` with 10.1.0.1/24 and dnsmasq; NAT; WAN 2 with its own table and source rule. */
export async function handMadeGateway(lab: Lab): Promise<Layout> {
  const gw = (file: string, ...args: string[]) => lab.run('gw', file, ...args);
  await gw('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv4.conf.all.rp_filter=2');
  await gw('ip', 'link', 'add', 'br0', 'type', 'bridge', 'forward_delay', '0');
  for (const port of ['lan1', 'lan2']) await gw('ip', 'link', 'set', port, 'master', 'br0', 'up');
  await gw('ip', 'link', 'set', 'br0', 'up');
  await gw('ip', 'addr', 'add', '10.1.0.1/24', 'dev', 'br0');
  await gw('ip', 'addr', 'add', 'fd00:1::1/64', 'dev', 'br0', 'nodad');
  for (const [index, address] of ['198.51.100.2', '203.0.113.2'].entries()) {
    const device = `wan${index + 1}`;
    const router = address.replace(/\d+$/, '1');
    await gw('ip', 'addr', 'add', `${address}/24`, 'dev', device);
    await gw('ip', 'link', 'set', device, 'up');
    await gw('ip', 'route', 'add', 'default', 'via', router, 'dev', device, 'metric', `${10 * (index + 1)}`);
    await gw('ip', 'route', 'add', 'default', 'via', router, 'dev', device, 'table', `${201 + index}`);
    await gw('ip', 'rule', 'add', 'from', address, 'table', `${201 + index}`);
  }
  const nat = 'type nat hook postrouting priority 100;';
  const rule = 'oifname { "wan1", "wan2" } masquerade';
  await gw('nft', `add table inet hand; add chain inet hand post { ${nat} }; add rule inet hand post ${rule}`);
  const queries = join(lab.folder, 'dns.log');
  const leases = join(lab.folder, 'leases');
  const file = join(lab.folder, 'gateway-dnsmasq.conf');
  const lines = [
    'no-resolv',
    'no-hosts',
    'no-daemon',
    'bind-dynamic',
    'interface=br0',
    'user=root',
    'group=root',
    'pid-file=',
    'server=192.0.2.53',
    'log-queries=extra',
    `log-facility=${queries}`,
    `dhcp-leasefile=${leases}`,
    'dhcp-range=10.1.0.100,10.1.0.150,255.255.255.0,10m',
    'dhcp-authoritative',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  lab.start('gw', 'dnsmasq', ['-C', file]);
  const line = (index: 1 | 2, target: string) => ({
    interface: `up${index - 1}v0`,
    device: `wan${index}`,
    targets: [target],
    everyS: 0.5,
    fails: 3,
    recovers: 2,
  });
  return {
    interfaces: [
      up('up0v0', 0, 'wan1', 'WAN1'),
      up('up1v0', 1, 'wan2', 'WAN2'),
      {
        name: 'down2v0',
        location: '/interfaces/2',
        role: 'downstream',
        device: 'br0',
        ports: [
          { name: 'LAN1', device: 'lan1' },
          { name: 'LAN2', device: 'lan2' },
        ],
      },
    ],
    leases,
    queries,
    lines: [line(1, '192.0.2.10'), line(2, '192.0.2.10')],
  };
}

function up(name: string, index: number, device: string, port: string): Layout['interfaces'][number] {
  return { name, location: `/interfaces/${index}`, role: 'upstream', device, ports: [{ name: port, device }] };
}
