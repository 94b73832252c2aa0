import { join } from 'node:path';
import { host, type Lab, type Place, wire } from './lab.ts';

const modems = ['m1', 'm2'] as const;

/** Wires `wan1` and `wan2` to modems with one subnet. */
export function buildModems(space: (where: Place) => string): void {
  for (const [at, modem] of modems.entries()) {
    wire(space('net'), `line${at + 1}`, space(modem), 'out');
    wire(space(modem), 'in', space('gw'), `wan${at + 1}`);
    const far = at === 0 ? '198.51.100' : '203.0.113';
    for (const argv of [
      ['addr', 'add', `${far}.2/24`, 'dev', 'out'],
      ['addr', 'add', '192.168.1.1/24', 'dev', 'in'],
      ['link', 'set', 'out', 'up'],
      ['link', 'set', 'in', 'up'],
      ['route', 'add', 'default', 'via', `${far}.1`],
    ])
      host('-n', space(modem), ...argv);
  }
}

export async function startModems({ run, start, folder }: Pick<Lab, 'run' | 'start' | 'folder'>): Promise<void> {
  for (const modem of modems) {
    await run(modem, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    const chain = 'add chain ip o p { type nat hook postrouting priority 100; }';
    await run(modem, 'nft', `add table ip o; ${chain}; add rule ip o p oifname "out" masquerade`);
    const lease = ['--dhcp-range=192.168.1.100,192.168.1.100,255.255.255.0,2m', '--no-ping', '--dhcp-authoritative'];
    const files = ['--pid-file=', `--dhcp-leasefile=${join(folder, `${modem}-leases`)}`, '--log-facility=/dev/null'];
    const plain = ['-C', '/dev/null', '-k', '--user=root', '--group=root', '--no-resolv', '--server=192.0.2.53'];
    start(modem, 'dnsmasq', [...plain, '--interface=in', '--bind-dynamic', ...files, ...lease]);
  }
}
