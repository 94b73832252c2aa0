import { device, hex, whole } from './encode.ts';
import type { PlanClass, PlanRedirect, PlanShape } from './plan.ts';

/** Arguments of `tc`, one run each. */
export type TcArguments = readonly string[];

/** Handle of our trees and our redirects. */
const handle = '1:';

/**
 * Makes a tree on a device that has none of ours, as input of one `tc -batch -`: a tree of many limits would take as many
 * processes. The words are numbers and devices, so there is nothing to quote.
 */
export function shapeBatch(shape: PlanShape): string {
  return shapeArguments(shape)
    .map((argv) => `${argv.join(' ')}\n`)
    .join('');
}

/** The same, each its own run. */
export function shapeArguments(shape: PlanShape): TcArguments[] {
  const dev = ['dev', device(shape.device)];
  const { classes, otherwise } = shape;
  return [
    ['qdisc', 'add', ...dev, 'root', 'handle', handle, 'htb', 'default', hex(otherwise)],
    ...classes.flatMap((entry) => [
      ['class', 'add', ...dev, 'parent', minor(entry.parent), 'classid', minor(entry.minor), ...rates(entry)],
      ...(entry.queue === null ? [] : [['qdisc', 'add', ...dev, 'parent', minor(entry.minor), ...queue(entry)]]),
    ]),
  ];
}

/** Takes the tree off a device; all of it goes at once. Fails where there is none. */
export function unshapeArguments(shape: PlanShape): TcArguments[] {
  return [['qdisc', 'del', 'dev', device(shape.device), 'root', 'handle', handle]];
}

/** Sends everything that comes in at a device through another first. */
export function redirectArguments({ device: from, to }: PlanRedirect): TcArguments[] {
  const dev = ['dev', device(from)];
  return [
    ['qdisc', 'add', ...dev, 'handle', 'ffff:', 'ingress'],
    [
      ...['filter', 'add', ...dev, 'parent', 'ffff:', 'protocol', 'all', 'prio', '1', 'u32', 'match', 'u32', '0', '0'],
      ...['action', 'mirred', 'egress', 'redirect', 'dev', device(to)],
    ],
  ];
}

/** Takes the redirect away. Fails where there is none. */
export function unredirectArguments({ device: from }: PlanRedirect): TcArguments[] {
  return [['qdisc', 'del', 'dev', device(from), 'ingress']];
}

/** `1:101`, or the root. */
function minor(value: number): string {
  return value === 0 ? handle : `1:${hex(value).slice(2)}`;
}

function rates({ rateKbps, ceilKbps }: PlanClass): string[] {
  const quantum = Math.min(60_000, Math.max(1514, Math.floor((rateKbps * 1000) / 80)));
  return [
    ...['htb', 'rate', `${whole(rateKbps)}kbit`, 'burst', whole(burst(rateKbps))],
    ...['ceil', `${whole(ceilKbps)}kbit`, 'cburst', whole(burst(ceilKbps)), 'quantum', whole(quantum)],
  ];
}

/** Bytes: 20 ms of the rate, so that a busy processor that comes late loses nothing, and two packets at the least. */
function burst(kbps: number): number {
  return Math.max(3200, Math.ceil((kbps * 1000 * 0.02) / 8));
}

function queue({ queue: kind }: PlanClass): string[] {
  return kind === 'fq_codel' ? ['fq_codel'] : ['pfifo', 'limit', whole(kind ?? 1000)];
}
