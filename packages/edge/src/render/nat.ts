import { isHost } from '@yunxun/contract/ipv4';
import type { EdgeDocument, PortForward } from '../document/document.ts';
import { address, network, quotedDevice, setOf, whole } from './encode.ts';
import { devicesOf, ownAddresses, rule } from './firewall.ts';
import type { Lan, Wan } from './wiring.ts';

/** Masquerades clients and forwards WAN ports, also for clients inside (hairpin). */
export function natChains(wans: readonly Wan[], lans: readonly Lan[], routes: EdgeDocument['routes']): string[] {
  const outside = devicesOf(wans);
  if (outside.length === 0) return [];
  const forwards = lans.flatMap((lan) => lan.forwards);
  return [
    ...(forwards.length > 0 ? forwardChains(outside, lans, forwards) : []),
    'chain srcnat {',
    '\ttype nat hook postrouting priority srcnat; policy accept;',
    ...wans.flatMap((wan) =>
      insides(lans, routes).map((inside) => `\t${outward(wan)} ip saddr ${inside} ${sourceOf(wan)}`),
    ),
    ...lans.flatMap(({ device, subnet, forwards: own }) =>
      subnet && own.length > 0
        ? rule(devicesOf([{ device }]), (to) => `oifname ${to} ip saddr ${network(subnet)} ct status dnat masquerade`)
        : [],
    ),
    '}',
  ];
}

function outward({ device }: Wan): string {
  return `oifname ${quotedDevice(device)}`;
}

/** Returns a static address; its device may carry a foreign one first. */
function sourceOf({ addressing }: Wan): string {
  return addressing.kind === 'static' ? `snat ip to ${address(addressing.subnet.address)}` : 'masquerade';
}

function forwardChains(outside: readonly string[], lans: readonly Lan[], forwards: readonly PortForward[]): string[] {
  const local = 'meta nfproto ipv4 fib daddr type local';
  const own = setOf(ownAddresses(lans));
  return [
    'chain forwards {',
    ...forwards.toSorted(byPort).flatMap(forwardRules),
    '}',
    'chain dstnat {',
    '\ttype nat hook prerouting priority dstnat; policy accept;',
    ...rule(outside, (from) => `iifname ${from} ${local} jump forwards`),
    ...rule(devicesOf(lans), (from) => `iifname ${from} ${local} ip daddr != ${own} jump forwards`),
    '}',
  ];
}

function forwardRules({ protocol, external, address: to, internal }: PortForward): string[] {
  const { first, last } = external;
  const ports = first === last ? whole(first) : `${whole(first)}-${whole(last)}`;
  return (protocol === 'any' ? ['tcp', 'udp'] : [protocol]).map((name) => {
    const head = `\t${name} dport ${ports} dnat ip to ${address(to)}`;
    if (internal === first) return head;
    if (first === last) return `${head}:${whole(internal)}`;
    const pairs = Array.from(
      { length: last - first + 1 },
      (_, step) => `${whole(first + step)} : ${whole(internal + step)}`,
    );
    return `${head} : ${name} dport map ${setOf(pairs)}`;
  });
}

function byPort(a: PortForward, b: PortForward): number {
  return a.external.first - b.external.first || (a.protocol < b.protocol ? -1 : 1);
}

function insides(lans: readonly Lan[], routes: EdgeDocument['routes']): string[] {
  const subnets = lans.flatMap(({ subnet }) => (subnet ? [subnet] : []));
  const behind = routes.filter(({ via }) => subnets.some((subnet) => isHost(subnet, via))).map(({ to }) => to);
  return [...new Set([...subnets, ...behind].map(network))].toSorted();
}
