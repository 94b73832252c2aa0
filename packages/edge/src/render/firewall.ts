import { address, network, quotedDevice, setOf, whole } from './encode.ts';
import type { Lan, Wan } from './wiring.ts';

/**
 * Filters traffic to the host. A WAN may send answers, ICMP and leases; a VLAN network DHCP and DNS; the untagged
 * network is trusted. Output is unfiltered: the console stays reachable. Devices outside the document are untouched.
 */
export function inputChain(wans: readonly Wan[], lans: readonly Lan[], open: readonly string[]): string[] {
  const outside = devicesOf(wans);
  const guests = devicesOf(lans.filter(({ vlan }) => vlan !== 0));
  const closed = [...outside, ...guests];
  return [
    'chain input {',
    '\ttype filter hook input priority filter; policy accept;',
    ...rule(closed, (from) => `iifname ${from} ct state established,related accept`),
    // numbers: nft reads names from /etc/protocols, which minimal systems lack
    ...rule(closed, (from) => `iifname ${from} meta l4proto { 1, 58 } accept`),
    ...rule(outside, (from) => `iifname ${from} udp sport 67 udp dport 68 accept`),
    ...rule(guests, (from) => `iifname ${from} udp dport { 53, 67 } accept`),
    ...rule(guests, (from) => `iifname ${from} tcp dport 53 accept`),
    ...open,
    ...rule(closed, (from) => `iifname ${from} drop`),
    '}',
  ];
}

/** Allows networks to WANs, inward only answers and port forwards, and nothing between networks. */
export function forwardChain(wans: readonly Wan[], lans: readonly Lan[], tunnels: readonly string[]): string[] {
  const outside = devicesOf(wans);
  const inside = devicesOf(lans);
  return [
    'chain forward {',
    '\ttype filter hook forward priority filter; policy accept;',
    ...rule(outside, (out) => `oifname ${out} tcp flags syn / syn,rst tcp option maxseg size set rt mtu`),
    ...wans.flatMap(incomingSegments),
    ...tunnels,
    '\tct state established,related accept',
    '\tct status dnat accept',
    ...(inside.length > 0 ? rule(outside, (from) => `iifname ${from} oifname ${setOf(inside)} drop`) : []),
    ...lans.flatMap(({ device }) => {
      const own = quotedDevice(device);
      return rule(
        inside.filter((other) => other !== own),
        (to) => `iifname ${own} oifname ${to} drop`,
      );
    }),
    ...lans.flatMap(({ device, barred }) =>
      outside.length === 0
        ? []
        : barred.map(
            (subnet) => `\tiifname ${quotedDevice(device)} oifname ${setOf(outside)} ip daddr ${network(subnet)} drop`,
          ),
    ),
    '}',
  ];
}

const headers = 40;

/**
 * Clamps the MSS of outside hosts, so that LAN answers fit the WAN: the route leads into the LAN, so the kernel's clamp
 * ignores the WAN's MTU.
 */
function incomingSegments({ device, mtu }: Wan): string[] {
  if (mtu === null) return [];
  const match = `iifname ${quotedDevice(device)} tcp flags syn / syn,rst`;
  return [`\t${match} tcp option maxseg size set ${whole(mtu - headers)}`];
}

export function spoofChain(wans: readonly Wan[], lans: readonly Lan[]): string[] {
  const subnets = lans.flatMap(({ subnet }) => (subnet ? [network(subnet)] : []));
  if (subnets.length === 0) return [];
  return [
    'chain spoofed {',
    '\ttype filter hook prerouting priority raw; policy accept;',
    ...rule(devicesOf(wans), (from) => `iifname ${from} ip saddr ${setOf(subnets)} drop`),
    '}',
  ];
}

export function ownAddresses(lans: readonly Lan[]): string[] {
  return lans.flatMap(({ subnet }) => (subnet ? [address(subnet.address)] : []));
}

export function devicesOf(wired: readonly { device: string }[]): string[] {
  return wired.map(({ device }) => quotedDevice(device));
}

export function rule(members: readonly string[], write: (set: string) => string): string[] {
  return members.length === 0 ? [] : [`\t${write(setOf(members))}`];
}
