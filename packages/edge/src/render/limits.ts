import { isHost } from '@yunxun/contract/ipv4';
import type { Limit, Port } from '../document/document.ts';
import type { Facts } from '../document/facts.ts';
import { address, hex, mac, quotedDevice, setOf } from './encode.ts';
import { devicesOf } from './firewall.ts';
import { limitMask, others } from './marks.ts';
import type { PlanClass, PlanRedirect, PlanShape } from './plan.ts';
import { compareTexts, ifbName, type Lan, type Wan } from './wiring.ts';

export interface Numbered extends Limit {
  number: number;
}

/** The whole WAN, its unlimited rest, and the first limit. */
const wholeLine = 0x1;
const restOfLine = 0x10;
const firstLimit = 0x100;
const leastShare = 8;

export function numberLimits(limits: readonly Limit[]): Numbered[] {
  return limits
    .toSorted((a, b) => compareTexts(a.name.toLowerCase(), b.name.toLowerCase()))
    .map((limit, index) => ({ ...limit, number: index + 1 }));
}

/**
 * Sets `skb->priority`, which htb checks first. A client's MAC is visible only outbound, so the connection mark returns
 * the limit's number.
 */
export function limitChains(limits: readonly Numbered[], lans: readonly Lan[]): string[] {
  if (limits.length === 0 || lans.length === 0) return [];
  const inside = setOf(devicesOf(lans));
  const keep = hex(others(limitMask));
  const macs = limits.flatMap(({ of, number }) => (of.kind === 'mac' ? [{ key: mac(of.mac), number }] : []));
  const addresses = limits.flatMap(({ of, number }) =>
    of.kind === 'address' ? [{ key: address(of.address), number }] : [],
  );
  const networks = limits.flatMap(({ of, number }) => {
    const lan = of.kind === 'interface' ? lans.find(({ name }) => name === of.name) : undefined;
    return lan ? [{ key: quotedDevice(lan.device), number }] : [];
  });
  return [
    ...limits.flatMap(({ number, of }) => [
      `chain limit_${number} {`,
      ...(of.kind === 'mac' ? [`\tct mark set ct mark and ${keep} or ${hex(number)}`] : []),
      `\tmeta priority set ${classOf(number)}`,
      '}',
    ]),
    'chain limits_out {',
    ...choose('ether saddr', macs),
    `\tct mark and ${hex(limitMask)} != 0 ct mark set ct mark and ${keep}`,
    ...choose('ip saddr', addresses),
    ...choose('iifname', networks),
    '}',
    'chain limits_in {',
    ...choose(
      `ct mark and ${hex(limitMask)}`,
      macs.map(({ number }) => ({ key: hex(number), number })),
    ),
    ...choose('ip daddr', addresses),
    ...choose('oifname', networks),
    '}',
    'chain limits {',
    '\ttype filter hook forward priority mangle; policy accept;',
    `\tiifname ${inside} goto limits_out`,
    `\toifname ${inside} goto limits_in`,
    '}',
  ];
}

function choose(what: string, entries: readonly { key: string; number: number }[]): string[] {
  if (entries.length === 0) return [];
  return [`\t${what} vmap ${setOf(entries.map(({ key, number }) => `${key} : goto limit_${number}`))}`];
}

function classOf(number: number): string {
  return `1:${(firstLimit + number).toString(16)}`;
}

export function planShapes(
  limits: readonly Numbered[],
  wans: readonly Wan[],
  lans: readonly Lan[],
  facts: Facts,
): { shapes: PlanShape[]; redirects: PlanRedirect[] } {
  // VLAN frames also pass the queues of the port below
  const below = new Set([...wans.map(({ port }) => port), ...lans.flatMap(({ ports }) => ports)].flatMap(taggedOn));
  const aside = (device: string) => (below.has(device) ? { untaggedOnly: true as const } : {});
  const up = limits.flatMap(({ number, upKbps }) => (upKbps === null ? [] : [{ number, kbps: upKbps }]));
  const shapes = [
    ...wans.map(({ device, upKbps }) => shape(device, upKbps, up, facts)),
    ...wans.map(({ device, downKbps }) => shape(ifbName(device), downKbps, [], facts)),
    ...lans.map((lan) => shape(lan.device, null, downLimits(limits, lan), facts)),
  ]
    .filter((entry) => entry !== null)
    .map((entry) => ({ ...entry, ...aside(entry.device) }));
  const redirects = wans
    .filter(({ downKbps }) => downKbps !== null)
    .map(({ device }) => ({ device, to: ifbName(device), ...aside(device) }));
  return { shapes: shapes.toSorted((a, b) => compareTexts(a.device, b.device)), redirects };
}

function taggedOn({ device, tagged }: Port): string[] {
  return tagged ? [device] : [];
}

function downLimits(limits: readonly Numbered[], lan: Lan): { number: number; kbps: number }[] {
  return limits.flatMap(({ number, of, downKbps }) => {
    const here =
      of.kind === 'mac' ||
      (of.kind === 'address' ? lan.subnet !== null && isHost(lan.subnet, of.address) : of.name === lan.name);
    return here && downKbps !== null ? [{ number, kbps: downKbps }] : [];
  });
}

/**
 * Plans parallel limits, below the WAN's rate if any: equal guaranteed shares, own ceilings. Without a WAN rate,
 * unlimited traffic bypasses all classes.
 */
function shape(
  device: string,
  kbps: number | null,
  limits: readonly { number: number; kbps: number }[],
  facts: Facts,
): PlanShape | null {
  if (kbps === null && limits.length === 0) return null;
  const share = kbps === null ? Number.POSITIVE_INFINITY : Math.max(leastShare, Math.floor(kbps / (limits.length + 1)));
  const max = kbps ?? Number.POSITIVE_INFINITY;
  const leaf = (minor: number, wanted: number): PlanClass => {
    const ceilKbps = Math.min(wanted, max);
    const parent = kbps === null ? 0 : wholeLine;
    return { minor, parent, rateKbps: Math.min(ceilKbps, share), ceilKbps, queue: queueOf(ceilKbps, facts) };
  };
  const trunk: PlanClass[] =
    kbps === null
      ? []
      : [{ minor: wholeLine, parent: 0, rateKbps: kbps, ceilKbps: kbps, queue: null }, leaf(restOfLine, kbps)];
  return {
    device,
    otherwise: kbps === null ? 0 : restOfLine,
    classes: [...trunk, ...limits.map(({ number, kbps: rate }) => leaf(firstLimit + number, rate))],
  };
}

/** Falls back to a FIFO of 100 ms of full packets, which bounds the delay. */
function queueOf(kbps: number, { abilities }: Facts): PlanClass['queue'] {
  if (abilities.fqCodel) return 'fq_codel';
  return Math.min(1000, Math.max(20, Math.ceil((kbps * 1000 * 0.1) / (8 * 1514))));
}
