import type { EdgeSdwan } from '@yunxun/contract/device';
import type { Facts } from '../document/facts.ts';
import { quotedDevice, setOf, whole } from './encode.ts';
import { devicesOf } from './firewall.ts';
import { mainTable, type Plan, type PlanClass, type PlanNetwork, type PlanShape } from './plan.ts';
import type { Lan, Wan } from './wiring.ts';

/** Below every other route, outside failover. */
const pinMetric = 10;
const wholeTunnel = 0x1;
const restOfTunnel = 0x10;
const firstPeer = 0x1000;

type Parts = Pick<Plan, 'sysctls' | 'links' | 'addresses' | 'routes' | 'tunnels' | 'networks' | 'shapes'>;

/** Plans interfaces, peers, pinned peer addresses and rates; `networks` decides routes behind peers. */
export function planSdwan(networks: readonly EdgeSdwan[], lans: readonly Lan[], facts: Facts): Parts {
  const userspace = facts.abilities.kernelTunnels !== true;
  const tunnels = networks.flatMap(({ interfaces, address: own, up_kbps: rate }) =>
    interfaces.map((one) => ({ ...one, own, rate })),
  );
  const clash = tunnels.find(({ name }) => lans.some(({ device }) => device === name));
  if (clash !== undefined) throw new Error(`${clash.name} is the name of a bridge of this gateway`);
  return {
    sysctls: tunnels.flatMap(({ name }) =>
      // answers may arrive over another tunnel
      [
        ['rp_filter', '2'],
        ['send_redirects', '0'],
      ].map(([setting, value]) => ({
        path: `net/ipv4/conf/${name}/${setting}`,
        value: value!,
        device: name,
        needed: true,
      })),
    ),
    links: tunnels.map(({ name, mtu }) => ({ kind: 'wireguard', device: name, mtu, userspace })),
    addresses: tunnels.map(({ name, own }) => ({ device: name, address: `${own}/32` })),
    routes: tunnels.flatMap(({ name, peers }) =>
      peers.map(({ address }) => ({
        table: mainTable,
        to: `${address}/32`,
        via: null,
        device: name,
        metric: pinMetric,
      })),
    ),
    tunnels: tunnels.map(({ name, listen_port: listenPort, peers }) => ({
      device: name,
      listenPort,
      key: `${facts.folders.state}/wireguard.key`,
      run: facts.folders.run,
      peers: peers.map(({ public_key: publicKey, allowed, endpoint, keepalive_s: keepalive }) => ({
        publicKey,
        allowed,
        endpoint: endpoint ?? null,
        keepalive: keepalive ?? null,
      })),
    })),
    networks: networks.map(networkOf),
    shapes: tunnels.flatMap((one) => shapeOf(one, facts)),
  };
}

function networkOf({ id, revision, address, interfaces, routes, failover }: EdgeSdwan): PlanNetwork {
  return {
    id,
    revision,
    address,
    peers: interfaces.flatMap(({ name, peers }) =>
      peers.map((peer) => ({
        device: name,
        publicKey: peer.public_key,
        address: peer.address,
        endpoint: peer.endpoint ?? null,
      })),
    ),
    routes: routes.map(({ prefix, candidates }) => ({
      to: prefix,
      candidates: candidates.map((one) => ({ device: one.interface, probe: one.probe })),
    })),
    failover: {
      probeMs: failover.probe_ms,
      fails: failover.fails,
      recovers: failover.recovers,
      holdS: failover.hold_s,
      order: failover.order,
    },
  };
}

type Shaped = EdgeSdwan['interfaces'][number] & { rate: number | undefined };

function limitedPeers({ peers }: Pick<Shaped, 'peers'>) {
  return peers.flatMap(({ up_kbps: kbps, allowed }, index) =>
    kbps === undefined ? [] : [{ minor: firstPeer + index, kbps, allowed }],
  );
}

function shapeOf(tunnel: Shaped, { abilities }: Facts): PlanShape[] {
  const limited = limitedPeers(tunnel);
  const max = tunnel.rate ?? null;
  if (max === null && limited.length === 0) return [];
  const leaf = (minor: number, kbps: number): PlanClass => {
    const ceilKbps = max === null ? kbps : Math.min(kbps, max);
    const share = max === null ? ceilKbps : Math.max(8, Math.floor(max / (limited.length + 1)));
    const queue = abilities.fqCodel ? 'fq_codel' : Math.min(1000, Math.max(20, Math.ceil(ceilKbps / 120)));
    return { minor, parent: max === null ? 0 : wholeTunnel, rateKbps: Math.min(share, ceilKbps), ceilKbps, queue };
  };
  const trunk: PlanClass[] =
    max === null
      ? []
      : [{ minor: wholeTunnel, parent: 0, rateKbps: max, ceilKbps: max, queue: null }, leaf(restOfTunnel, max)];
  const classes = [...trunk, ...limited.map(({ minor, kbps }) => leaf(minor, kbps))];
  return [{ device: tunnel.name, otherwise: max === null ? 0 : restOfTunnel, classes }];
}

/** Opens listening ports on WANs; tunnels reach the host by ICMP and throughput tests only. */
export function sdwanInput(networks: readonly EdgeSdwan[], wans: readonly Wan[]): string[] {
  const tunnels = tunnelsOf(networks);
  if (tunnels.length === 0) return [];
  const ports = setOf(networks.flatMap(({ interfaces }) => interfaces.map((one) => whole(one.listen_port))));
  return [
    ...(wans.length === 0 ? [] : [`\tiifname ${setOf(devicesOf(wans))} udp dport ${ports} accept`]),
    `\tiifname ${setOf(tunnels)} ct state established,related accept`,
    `\tiifname ${setOf(tunnels)} meta l4proto 1 accept`,
    ...['tcp', 'udp'].map((by) => `\tiifname ${setOf(tunnels)} ip saddr . ip daddr . ${by} dport @sdwan_tests accept`),
    `\tiifname ${setOf(tunnels)} drop`,
  ];
}

/**
 * Allows own prefixes, and permitted pairs between tunnels of one network. Precedes established connections, so that a
 * withdrawn permission ends them.
 */
export function sdwanForward(networks: readonly EdgeSdwan[], lans: readonly Lan[]): string[] {
  const all = tunnelsOf(networks);
  if (all.length === 0) return [];
  const insides = devicesOf(lans);
  return [
    `\toifname ${setOf(all)} tcp flags syn / syn,rst tcp option maxseg size set rt mtu`,
    ...networks.flatMap((network, index) => {
      const own = setOf(tunnelsOf([network]));
      const prefixes = network.lans.map(({ prefix }) => prefix);
      const between = `\tiifname ${own} oifname ${own} ip saddr . ip daddr @sdwan_pairs_${index} accept`;
      return [
        ...(network.forward.length === 0 ? [] : [between]),
        ...(prefixes.length === 0 || insides.length === 0
          ? []
          : [
              `\tiifname ${setOf(insides)} oifname ${own} ip saddr ${setOf(prefixes)} accept`,
              `\tiifname ${own} oifname ${setOf(insides)} ip daddr ${setOf(prefixes)} accept`,
            ]),
      ];
    }),
    `\tiifname ${setOf(all)} drop`,
    `\toifname ${setOf(all)} drop`,
  ];
}

/** Holds permitted pairs, 1:1 mapping (prefix NAT), and classes of limited peers. */
export function sdwanChains(networks: readonly EdgeSdwan[]): string[] {
  const mapped = networks.flatMap((network) =>
    network.lans.flatMap(({ prefix, as }) => (as === undefined ? [] : [{ own: tunnelsOf([network]), prefix, as }])),
  );
  const shaped = networks.flatMap(({ interfaces, up_kbps: rate }) =>
    interfaces.map((one) => ({ ...one, rate })).filter((one) => one.rate !== undefined || limitedPeers(one).length > 0),
  );
  return [
    ...(networks.length === 0
      ? []
      : ['set sdwan_tests {', '\ttype ipv4_addr . ipv4_addr . inet_service; flags timeout; size 16;', '}']),
    ...networks.flatMap(({ forward }, index) =>
      forward.length === 0
        ? []
        : [
            `set sdwan_pairs_${index} {`,
            '\ttype ipv4_addr . ipv4_addr; flags interval;',
            `\telements = ${setOf([...new Set(forward.map(({ from, to }) => `${from} . ${to}`))])}`,
            '}',
          ],
    ),
    ...(mapped.length === 0
      ? []
      : [
          'chain sdwan_in {',
          '\ttype nat hook prerouting priority dstnat - 1; policy accept;',
          ...mapped.map(
            ({ own, prefix, as }) =>
              `\tiifname ${setOf(own)} ip daddr ${as} dnat ip prefix to ip daddr map { ${as} : ${prefix} }`,
          ),
          '}',
          'chain sdwan_out {',
          '\ttype nat hook postrouting priority srcnat - 1; policy accept;',
          ...mapped.map(
            ({ own, prefix, as }) =>
              `\toifname ${setOf(own)} ip saddr ${prefix} snat ip prefix to ip saddr map { ${prefix} : ${as} }`,
          ),
          '}',
        ]),
    ...(shaped.length === 0
      ? []
      : [
          'chain sdwan_rates {',
          '\ttype filter hook postrouting priority mangle; policy accept;',
          ...shaped.flatMap((one) => {
            const device = `\toifname ${quotedDevice(one.name)}`;
            const other = one.rate === undefined ? '0:0' : `1:${restOfTunnel.toString(16)}`;
            const classes = limitedPeers(one).flatMap(({ minor, allowed }) =>
              allowed.map((prefix) => `${prefix} : 1:${minor.toString(16)}`),
            );
            return [
              // a client's limit must not choose a class here
              `${device} meta priority set ${other}`,
              ...(classes.length === 0 ? [] : [`${device} meta priority set ip daddr map ${setOf(classes)}`]),
            ];
          }),
          '}',
        ]),
  ];
}

function tunnelsOf(networks: readonly EdgeSdwan[]): string[] {
  return networks.flatMap(({ interfaces }) => interfaces.map(({ name }) => quotedDevice(name)));
}
