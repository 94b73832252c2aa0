import { address, network, quotedDevice, setOf, whole } from './encode.ts';
import type { Lan, Line } from './wiring.ts';

/**
 * What comes in to the box itself. A line brings answers, ICMP and leases; a network in a VLAN may ask for addresses and
 * names; the network without one is trusted. Nothing the box sends is filtered, so its way to the console is open, and
 * what comes from devices the document does not name is left to whoever they belong to.
 */
export function inputChain(lines: readonly Line[], lans: readonly Lan[], sshPort: number): string[] {
  const outside = devicesOf(lines);
  const guests = devicesOf(lans.filter(({ vlan }) => vlan !== 0));
  const ssh = devicesOf([...lines, ...lans.filter(({ vlan }) => vlan !== 0)].filter(({ ssh: open }) => open));
  const closed = [...outside, ...guests];
  return [
    'chain input {',
    '\ttype filter hook input priority filter; policy accept;',
    ...rule(closed, (from) => `iifname ${from} ct state established,related accept`),
    ...rule(closed, (from) => `iifname ${from} meta l4proto { icmp, ipv6-icmp } accept`),
    ...rule(outside, (from) => `iifname ${from} udp sport 67 udp dport 68 accept`),
    ...rule(guests, (from) => `iifname ${from} udp dport { 53, 67 } accept`),
    ...rule(guests, (from) => `iifname ${from} tcp dport 53 accept`),
    ...rule(ssh, (from) => `iifname ${from} tcp dport ${whole(sshPort)} accept`),
    ...rule(closed, (from) => `iifname ${from} drop`),
    '}',
  ];
}

/**
 * What goes through the box: out of networks over lines; in only what was asked for or is forwarded on purpose; from one
 * network to another nothing.
 */
export function forwardChain(lines: readonly Line[], lans: readonly Lan[]): string[] {
  const outside = devicesOf(lines);
  const inside = devicesOf(lans);
  return [
    'chain forward {',
    '\ttype filter hook forward priority filter; policy accept;',
    ...rule(outside, (out) => `oifname ${out} tcp flags syn / syn,rst tcp option maxseg size set rt mtu`),
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

/** Senders that say they are inside and come from outside. */
export function spoofChain(lines: readonly Line[], lans: readonly Lan[]): string[] {
  const subnets = lans.flatMap(({ subnet }) => (subnet ? [network(subnet)] : []));
  if (subnets.length === 0) return [];
  return [
    'chain spoofed {',
    '\ttype filter hook prerouting priority raw; policy accept;',
    ...rule(devicesOf(lines), (from) => `iifname ${from} ip saddr ${setOf(subnets)} drop`),
    '}',
  ];
}

/** The box's own addresses in its networks, as members of a set. */
export function ownAddresses(lans: readonly Lan[]): string[] {
  return lans.flatMap(({ subnet }) => (subnet ? [address(subnet.address)] : []));
}

/** Devices in quotes. */
export function devicesOf(wired: readonly { device: string }[]): string[] {
  return wired.map(({ device }) => quotedDevice(device));
}

/** A rule about a set, or none where the set is empty. */
export function rule(members: readonly string[], write: (set: string) => string): string[] {
  return members.length === 0 ? [] : [`\t${write(setOf(members))}`];
}
