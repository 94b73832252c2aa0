import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayHost } from '../apply/gateway-host.ts';
import { dhcpFault, dhcpHook, leaseFile, readLease, resolvText } from '../apply/wans.ts';
import { emptyPlan } from '../render/plan.ts';
import { makeWan, routed } from '../testing/host-rig.ts';
import { probeAbilities } from './facts.ts';
import { forgetIdentity, readIdentity, writeIdentity } from './identity-file.ts';
import { LeaseWatch, leaseOf } from './leases.ts';
import { readOptions } from './options-file.ts';
import { placesOf } from './places.ts';
import { choosePorts, readCandidates, readOutward, readPorts, writePorts } from './ports.ts';
import { dueMinute } from './schedule.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yunxun-agent-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const identity = {
  serial: '02fe3c9a0001',
  key: 'K',
  certificate: 'C',
  ca: 'A',
  server: 'console.example',
  port: 15_002,
  console: 'https://console.example/',
};

it('takes an empty variable for one that is not set, as the launcher passes it', () => {
  expect(placesOf({ YUNXUN_EDGE_ROOT: '', YUNXUN_EDGE_STATE: '' })).toEqual(placesOf({}));
});

describe('identity on disk', () => {
  it('comes back as it was, readable to its owner alone, and can be forgotten', () => {
    const places = placesOf({ YUNXUN_EDGE_ROOT: root });
    expect(readIdentity(places)).toBeNull();
    writeIdentity(places, { ...identity, signingKey: 'S' });
    expect(readIdentity(places)).toEqual({ ...identity, signingKey: 'S' });
    expect(statSync(join(places.etc, 'identity.json')).mode & 0o777).toBe(0o600);
    forgetIdentity(places);
    expect(readIdentity(places)).toBeNull();
  });

  it('is none when a part is missing', () => {
    const places = placesOf({ YUNXUN_EDGE_ROOT: root });
    writeIdentity(places, { ...identity, ca: '' });
    expect(readIdentity(places)).toBeNull();
  });
});

describe('what the owner allows', () => {
  it('is remote access alone until he says so', () => {
    const places = placesOf({ YUNXUN_EDGE_ROOT: root });
    expect(readOptions(places)).toEqual({ reboot: false, scripts: false, remote: true });
    writePorts(places, {});
    writeFileSync(join(places.etc, 'options.json'), '{"reboot": true, "remote": false}');
    expect(readOptions(places)).toEqual({ reboot: true, scripts: false, remote: false });
    for (const [text, remote] of [
      ['{"reboot": true}', true],
      ['{"remote": "no"}', false],
      ['{"remote": false,}', false],
    ] as const) {
      writeFileSync(join(places.etc, 'options.json'), text);
      expect([text, readOptions(places).remote]).toEqual([text, remote]);
    }
  });
});

describe('ports', () => {
  const card = (device: string) => ({ device, mac: '02:00:00:00:00:01', hardware: true });

  it('are WAN1 where the default route goes, and LAN1… by name as people count', () => {
    expect(choosePorts(['eth10', 'eth2', 'eth1'].map(card), 'eth2')).toEqual({
      WAN1: 'eth2',
      LAN1: 'eth1',
      LAN2: 'eth10',
    });
    expect(choosePorts([card('eth0')], 'wg0')).toEqual({ WAN1: 'eth0' });
    expect(choosePorts([], null)).toEqual({});
  });

  it('are hardware; pairs of a container only where there is none', () => {
    const pair = { ...card('veth1'), hardware: false };
    expect(choosePorts([pair, card('eth0')], null)).toEqual({ WAN1: 'eth0' });
    expect(choosePorts([pair], null)).toEqual({ WAN1: 'veth1' });
  });

  it('are read from what ip says, without what was made of others', () => {
    const links = [
      { ifname: 'lo', link_type: 'loopback', address: '00:00:00:00:00:00' },
      { ifname: 'eth0', link_type: 'ether', address: '02:00:00:00:00:0A' },
      { ifname: 'docker0', link_type: 'ether', address: '02:00:00:00:00:0b', linkinfo: { info_kind: 'bridge' } },
      {
        ifname: 'veth7',
        link_type: 'ether',
        address: '02:00:00:00:00:0c',
        master: 'docker0',
        linkinfo: { info_kind: 'veth' },
      },
      { ifname: 'wg0', link_type: 'none' },
      null,
    ];
    expect(readCandidates(links, () => true)).toEqual([{ device: 'eth0', mac: '02:00:00:00:00:0a', hardware: true }]);
    expect(
      readOutward([
        { dst: '10.0.0.0/8', dev: 'eth1' },
        { dst: 'default', dev: 'eth0' },
      ]),
    ).toBe('eth0');
  });

  it('that the owner wrote wrong are left out', () => {
    const places = placesOf({ YUNXUN_EDGE_ROOT: root });
    expect(readPorts(places)).toBeNull();
    writePorts(places, { WAN1: 'eth0', LAN1: 'eth1; rm -rf /', X: 'eth2' });
    expect(readPorts(places)).toEqual({ WAN1: 'eth0' });
  });
});

describe('abilities', () => {
  it('are tried on a device that goes away again, whatever fails', async () => {
    const done: string[] = [];
    const attempt = async (...argv: string[]) => {
      done.push(argv.join(' '));
      return !argv.includes('vlan') && !argv.includes('fq_codel');
    };
    const abilities = await probeAbilities('eth0', attempt, () => null);
    expect(abilities).toMatchObject({ vlan: false, ifb: true, shaping: true, fqCodel: false, dnsmasq: false });
    expect(done.at(-1)).toBe('ip link del dev yx-probe');
  });
});

describe('leases', () => {
  function say(event: string, env: Record<string, string>): void {
    const hook = join(root, 'hook');
    writeFileSync(hook, dhcpHook(root), { mode: 0o755 });
    expect(spawnSync('sh', [hook, event], { env: { PATH: process.env.PATH, interface: 'eth0', ...env } }).status).toBe(
      0,
    );
  }

  it('come from the hook and go with it', () => {
    say('bound', { ip: '198.51.100.7', mask: '24', router: '198.51.100.1 198.51.100.2', dns: '192.0.2.53 192.0.2.54' });
    expect(leaseOf(root, 'eth0')).toEqual({
      address: '198.51.100.7',
      prefix: 24,
      gateway: '198.51.100.1',
      nameServers: ['192.0.2.53', '192.0.2.54'],
    });
    say('deconfig', {});
    expect(leaseOf(root, 'eth0')).toBeNull();
  });

  it('take the classless routes and the MTU, whose default route goes before the router', () => {
    const staticroutes =
      '0.0.0.0/0 198.51.100.254 10.20.0.0/16 198.51.100.9 192.0.2.7/32 0.0.0.0 224.0.0.0/4 198.51.100.9 10.0.0.0/99 1.2.3.4';
    say('bound', { ip: '198.51.100.7', mask: '24', router: '198.51.100.1', staticroutes, mtu: '1492' });
    expect(leaseOf(root, 'eth0')).toMatchObject({
      gateway: '198.51.100.254',
      mtu: 1492,
      routes: [
        { to: '10.20.0.0/16', via: '198.51.100.9' },
        { to: '192.0.2.7/32', via: null },
      ],
    });
    say('bound', { ip: '198.51.100.7', mask: '24', staticroutes: '10.20.0.0/16 198.51.100.9', mtu: '68' });
    const lease = leaseOf(root, 'eth0');
    expect(lease).not.toHaveProperty('mtu');
    expect(dhcpFault(root, 'eth0', lease)).toBe('no-gateway');
  });

  it('say why there is none', () => {
    say('leasefail', {});
    expect(dhcpFault(root, 'eth0', leaseOf(root, 'eth0'))).toBe('no-answer');
    say('nak', { message: 'no' });
    expect(dhcpFault(root, 'eth0', null)).toBe('refused');
    say('bound', { ip: '198.51.100.7', mask: '24', router: '198.51.100.1' });
    expect(dhcpFault(root, 'eth0', leaseOf(root, 'eth0'))).toBeNull();
    say('deconfig', {});
    expect(dhcpFault(root, 'eth0', null)).toBeNull();
  });

  it('tell each kind of fault once until a lease comes', async () => {
    const reported: string[] = [];
    const plan = {
      ...routed,
      dhcpClients: [{ device: 'eth0', hostName: null, resolv: null }],
      lines: [makeWan('eth0', 10)],
    };
    const host = { plan, lines: {}, updateWan: async () => {} } as unknown as GatewayHost;
    const leases = new LeaseWatch(host, root, undefined, (fault) => reported.push(fault));
    const happens = async (event: string, values = {}) => {
      say(event, values);
      await leases.look();
    };
    for (const event of ['leasefail', 'nak', 'deconfig', 'leasefail', 'nak']) await happens(event);
    expect(reported).toEqual(['no-answer', 'refused']);
    await happens('bound', { ip: '198.51.100.7', mask: '24', router: '198.51.100.1' });
    for (const event of ['deconfig', 'leasefail']) await happens(event);
    expect(reported).toEqual(['no-answer', 'refused', 'no-answer']);
  });

  it('are data, whatever a server says', () => {
    const hostile = "10.0.0.1'; touch /tmp/owned; echo '$(id)`id`\n address 6.6.6.6";
    say('bound', { ip: '198.51.100.7', mask: '24', router: hostile, dns: hostile, interface: 'eth0' });
    expect(leaseOf(root, 'eth0')).toMatchObject({ address: '198.51.100.7', gateway: '10.0.0.1' });
    say('bound', { ip: hostile, mask: '$(id)' });
    expect(leaseOf(root, 'eth0')).toBeNull();
    expect(leaseFile('/run', 'eth0')).toBe('/run/lease-eth0');
  });

  it('hold usable addresses only, for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('address', 'prefix', 'router', 'dns', 'x'), fc.string())),
        (lines) => {
          const lease = readLease(lines.map(([name, value]) => `${name} ${value}`).join('\n'));
          if (lease !== null) expect(lease.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
        },
      ),
    );
    const lease = (address: string, router: string) =>
      readLease(`address ${address}\nprefix 24\nrouter ${router}\ndns 0.0.0.0`);
    expect(lease('127.0.0.1', '')).toBeNull();
    expect(lease('224.0.0.1', '')).toBeNull();
    expect(lease('10.0.0.5', '10.0.0.5')).toMatchObject({ gateway: null, nameServers: [] });
  });

  it('give the resolver the servers of living lines first, each once', () => {
    const client = (device: string) => ({ device, hostName: null, resolv: '/run/resolv' });
    const plan = { ...emptyPlan, dhcpClients: [client('eth0'), client('eth1'), client('eth2')] };
    const lease = (nameServers: string[]) => ({ address: '10.0.0.2', prefix: 24, gateway: null, nameServers });
    const text = resolvText(plan, {
      eth0: { lease: lease(['192.0.2.1']), alive: false },
      eth1: { lease: lease(['192.0.2.2', '192.0.2.1']), alive: true },
    });
    expect(text).toBe('nameserver 192.0.2.2\nnameserver 192.0.2.1\n');
  });
});

describe('a schedule', () => {
  const schedule = { days: [6], at: '03:30', timeZone: 'Asia/Shanghai' };

  it('is due in its minute, on its days, by its own clock', () => {
    // Saturday; 03:30 in Shanghai is 19:30 UTC of the day before
    expect(dueMinute(schedule, new Date('2026-11-20T19:30:59Z'))).toBe('2026-11-21 03:30');
    expect(dueMinute(schedule, new Date('2026-11-20T19:31:00Z'))).toBeNull();
    expect(dueMinute(schedule, new Date('2026-11-21T19:30:00Z'))).toBeNull();
    expect(dueMinute({ ...schedule, timeZone: null }, new Date('2026-11-20T19:30:00Z'))).toBeNull();
  });

  it('reboots a jump of the clock later if the clock skips the time, and once if it repeats it', () => {
    const berlin = { days: [0], at: '02:30', timeZone: 'Europe/Berlin' };
    expect(dueMinute(berlin, new Date('2026-03-29T01:30:10Z'))).toBe('2026-03-29 02:30');
    expect(dueMinute(berlin, new Date('2026-10-25T00:30:10Z'))).toBe('2026-10-25 02:30');
    const nuuk = { ...schedule, days: [6], at: '23:30', timeZone: 'America/Nuuk' };
    expect(dueMinute(nuuk, new Date('2027-03-28T01:30:10Z'))).toBe('2027-03-27 23:30');
    expect(dueMinute(nuuk, new Date('2027-03-29T00:30:10Z'))).toBeNull();
    expect(dueMinute(berlin, new Date('2026-10-25T01:30:10Z'))).toBeNull();
  });

  it('is due under a Node that knows English only', () => {
    class English extends Intl.DateTimeFormat {
      constructor(asked?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) {
        super(String(asked).startsWith('en-US') ? asked : 'en-US', options);
      }
    }
    vi.stubGlobal('Intl', { DateTimeFormat: English });
    const manila = { ...schedule, timeZone: 'Asia/Manila' };
    expect(dueMinute(manila, new Date('2026-11-20T19:30:59Z'))).toBe('2026-11-21 03:30');
    vi.unstubAllGlobals();
  });

  it('is due where the name of the own time zone is unknown', () => {
    // as of Node with TZ=:
    const timeZone = 'Etc/Unknown';
    const named = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ timeZone } as never);
    expect(dueMinute({ ...schedule, days: [], timeZone: null }, new Date())).toBeNull();
    named.mockRestore();
  });

  it('knows midnight', () => {
    expect(dueMinute({ days: [0], at: '00:00', timeZone: 'UTC' }, new Date('2026-11-22T00:00:30Z'))).toBe(
      '2026-11-22 00:00',
    );
  });
});
