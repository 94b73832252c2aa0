import type { gateway } from '@yunxun/contract';
import fc from 'fast-check';

type Settings = gateway.GatewaySettings;

export const sockets = ['WAN1', 'WAN2', 'WAN3', 'LAN1', 'LAN2', 'LAN3', 'LAN4', 'LAN10'] as const;

const mbps = fc.option(fc.integer({ min: 1, max: 10_000 }));
const hex = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'));
const mac = fc
  .tuple(fc.constantFrom('02', '02', '02', '3c', '01', '00'), hex, hex)
  .map(([first, fifth, sixth]) => `${first}:00:00:00:${fifth}:${sixth}`);
const note = fc.constantFrom('', 'Camera', '收银台');
/** Duplicates are refused, so keep them rare. */
const word = fc.string({ unit: fc.constantFrom(...'abcdefgABC网络'), minLength: 2, maxLength: 8 });
const octet = fc.integer({ min: 0, max: 255 });
const port = fc.integer({ min: 1, max: 65_535 });
const ports = fc.oneof(
  port.map(String),
  fc.tuple(port, fc.integer({ min: 1, max: 400 })).map(([first, more]) => `${first}-${Math.min(65_535, first + more)}`),
);
const prefix = fc.constantFrom(8, 16, 22, 24, 24, 24, 28, 30);

const line = (index: number, socket: string) =>
  fc
    .record({
      addressing: fc.constantFrom('dynamic' as const, 'static' as const),
      last: fc.integer({ min: 1, max: 6 }),
      via: fc.integer({ min: 1, max: 6 }),
      dns: fc.subarray(['192.0.2.53', '223.5.5.5', '8.8.8.8'], { minLength: 0 }),
      down_mbps: mbps,
      up_mbps: mbps,
      probe: fc.subarray(['1.1.1.1', '223.6.6.6']),
      metered: fc.boolean(),
      ssh: fc.boolean(),
      vlan: fc.option(fc.constantFrom(1, 41, 85, 4094), { freq: 1 }),
      mtu: fc.option(fc.integer({ min: 576, max: 1600 }), { freq: 2 }),
      mac: fc.option(mac, { freq: 1 }),
    })
    .map(({ last, via, addressing, ...more }) => ({
      name: `Line${index}`,
      port: socket,
      addressing,
      ...more,
      address: addressing === 'static' ? `203.0.${index}.${last}/29` : null,
      gateway: addressing === 'static' ? `203.0.${index}.${via}` : null,
    }));

const lan = (index: number, free: readonly string[], others: readonly string[]) =>
  fc
    .record({
      name: word,
      second: fc.integer({ min: index * 20, max: index * 20 + 19 }),
      third: octet,
      last: fc.integer({ min: 1, max: 254 }),
      prefix,
      vlan: fc.option(fc.integer({ min: 2, max: 4050 })),
      tagged: fc.subarray([...others]),
      pool: fc.option(
        fc.record({
          last: fc.integer({ min: 1, max: 254 }),
          count: fc.integer({ min: 1, max: 120 }),
          lease_minutes: fc.integer({ min: 2, max: 525_600 }),
        }),
        { freq: 4 },
      ),
      leases: fc.array(fc.record({ mac, last: octet, note }), { maxLength: 3 }),
      ssh: fc.boolean(),
      ntp: fc.boolean(),
    })
    .map(({ second, third, last, prefix: length, pool, leases, vlan, tagged, name, ssh, ntp }) => {
      const net = `10.${second}.${third}`;
      return {
        name,
        address: `${net}.${last}/${length}`,
        vlan,
        ports: [...free],
        tagged: vlan === null ? [] : tagged,
        ssh,
        ntp,
        pool: pool && { first: `${net}.${pool.last}`, count: pool.count, lease_minutes: pool.lease_minutes },
        leases: pool
          ? leases.map((lease) => ({ mac: lease.mac, address: `${net}.${lease.last}`, note: lease.note }))
          : [],
      };
    });

/** Passes the endpoint schema; most are valid. */
export const anySettings: fc.Arbitrary<Settings> = fc
  .record({
    own: fc.shuffledSubarray([...sockets], { minLength: 2 }),
    lineCount: fc.integer({ min: 1, max: 3 }),
    lanCount: fc.integer({ min: 1, max: 2 }),
  })
  .chain(({ own, lineCount: wanCount, lanCount }) => {
    const lines = own.slice(0, Math.min(wanCount, own.length - 1));
    const rest = own.slice(lines.length);
    const parts = Array.from({ length: Math.min(lanCount, rest.length) }, (_, at) =>
      rest.filter((_socket, index) => index % Math.min(lanCount, rest.length) === at),
    );
    return fc.record({
      confirm_s: fc.integer({ min: 30, max: 600 }),
      lines: fc.tuple(
        ...lines.map((socket, index) =>
          fc.constantFrom(socket, socket, socket, lines[0]!, rest[0]!).chain((port) => line(index, port)),
        ),
      ),
      networks: fc.tuple(
        ...parts.map((free, index) =>
          lan(
            index,
            free,
            rest.filter((socket) => !free.includes(socket)),
          ),
        ),
      ),
      reboot: fc.option(
        fc.record({
          days: fc.shuffledSubarray(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, { minLength: 1 }),
          at: fc.constantFrom('00:00', '04:30', '23:59'),
          time_zone: fc.constantFrom('Asia/Shanghai', 'Europe/Berlin'),
        }),
      ),
    });
  })
  .chain((base) => {
    const inside = fc
      .tuple(fc.constantFrom(...base.networks), fc.integer({ min: 1, max: 254 }))
      .map(([{ address }, last]) => address.replace(/\d+\/\d+$/, String(last)));
    const limited = fc.oneof(
      fc.record({ kind: fc.constant('mac' as const), target: mac }),
      fc.record({ kind: fc.constant('address' as const), target: inside }),
      fc.record({
        kind: fc.constant('network' as const),
        target: fc.constantFrom(...base.networks.map(({ name }) => name)),
      }),
    );
    return fc.record({
      ...Object.fromEntries(Object.entries(base).map(([key, value]) => [key, fc.constant(value)])),
      forwards: fc.array(
        fc.record({
          note,
          protocol: fc.constantFrom('tcp' as const, 'udp' as const, 'any' as const),
          port: ports,
          address: inside,
          to_port: fc.option(port.map(String), { freq: 1 }),
        }),
        { maxLength: 2 },
      ),
      routes: fc.array(
        fc.record({
          to: fc.tuple(octet, octet).map(([a, b]) => `172.${a}.${b}.0/24`),
          via: fc.oneof(inside, fc.constantFrom(...base.lines.map(({ name }) => name))),
        }),
        { maxLength: 2 },
      ),
      limits: fc.array(
        fc
          .record({ name: word, of: limited, down_mbps: mbps, up_mbps: mbps })
          .map(({ of, ...more }) => ({ ...more, ...of })),
        { maxLength: 2 },
      ),
    }) as unknown as fc.Arbitrary<Settings>;
  });
