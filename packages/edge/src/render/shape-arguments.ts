import { device, hex, whole } from './encode.ts';
import type { PlanClass, PlanRedirect, PlanShape } from './plan.ts';

export type TcArguments = readonly string[];

const ofVlans = ['protocol', '802.1Q', 'prio', '1', 'u32', 'match', 'u32', '0', '0'] as const;

const handle = '1:';

/** Returns `tc -batch -` input, which saves a process per class. Numbers and device names need no quoting. */
export function shapeBatch(shape: PlanShape): string {
  return shapeArguments(shape)
    .map((argv) => `${argv.join(' ')}\n`)
    .join('');
}

export function shapeArguments(shape: PlanShape): TcArguments[] {
  const dev = ['dev', device(shape.device)];
  const { classes, untaggedOnly } = shape;
  return [
    rootArguments(shape),
    // `1:0`: htb sends without shaping
    ...(untaggedOnly ? [['filter', 'add', ...dev, 'parent', handle, ...ofVlans, 'flowid', '1:0']] : []),
    ...classes.flatMap((entry) => [
      ['class', 'add', ...dev, 'parent', minor(entry.parent), 'classid', minor(entry.minor), ...rates(entry)],
      ...(entry.queue === null ? [] : [['qdisc', 'add', ...dev, 'parent', minor(entry.minor), ...queue(entry)]]),
    ]),
  ];
}

export function rootArguments({ device: name, otherwise }: PlanShape): TcArguments {
  return ['qdisc', 'add', 'dev', device(name), 'root', 'handle', handle, 'htb', 'default', hex(otherwise)];
}

export function classBatch({ device: name, classes }: PlanShape): string {
  const dev = ['dev', device(name)];
  return classes
    .flatMap((entry) => [
      ['class', 'replace', ...dev, 'parent', minor(entry.parent), 'classid', minor(entry.minor), ...rates(entry)],
      ...(entry.queue === null ? [] : [['qdisc', 'replace', ...dev, 'parent', minor(entry.minor), ...queue(entry)]]),
    ])
    .map((argv) => `${argv.join(' ')}\n`)
    .join('');
}

export function unclassArguments({ device: name }: PlanShape, { minor: number }: PlanClass): TcArguments {
  return ['class', 'del', 'dev', device(name), 'classid', minor(number)];
}

export function unshapeArguments(shape: PlanShape): TcArguments[] {
  return [['qdisc', 'del', 'dev', device(shape.device), 'root', 'handle', handle]];
}

export function redirectArguments({ device: from, to, untaggedOnly }: PlanRedirect): TcArguments[] {
  const dev = ['dev', device(from)];
  return [
    ['qdisc', 'add', ...dev, 'handle', 'ffff:', 'ingress'],
    // a match without an action ends the search
    ...(untaggedOnly ? [['filter', 'add', ...dev, 'parent', 'ffff:', ...ofVlans, 'flowid', ':1']] : []),
    [
      'filter',
      'add',
      ...dev,
      'parent',
      'ffff:',
      'protocol',
      'all',
      'prio',
      untaggedOnly ? '2' : '1',
      'u32',
      'match',
      'u32',
      '0',
      '0',
      'action',
      'mirred',
      'egress',
      'redirect',
      'dev',
      device(to),
    ],
  ];
}

export function unredirectArguments({ device: from }: PlanRedirect): TcArguments[] {
  return [['qdisc', 'del', 'dev', device(from), 'ingress']];
}

function minor(value: number): string {
  return value === 0 ? handle : `1:${hex(value).slice(2)}`;
}

function rates({ rateKbps, ceilKbps }: PlanClass): string[] {
  const quantum = Math.min(60_000, Math.max(1514, Math.floor((rateKbps * 1000) / 80)));
  return [
    'htb',
    'rate',
    `${whole(rateKbps)}kbit`,
    'burst',
    whole(burst(rateKbps)),
    'ceil',
    `${whole(ceilKbps)}kbit`,
    'cburst',
    whole(burst(ceilKbps)),
    'quantum',
    whole(quantum),
  ];
}

/** Returns bytes: 20 ms of the rate, to bridge late scheduling, at least two packets. */
function burst(kbps: number): number {
  return Math.max(3200, Math.ceil((kbps * 1000 * 0.02) / 8));
}

function queue({ queue: kind }: PlanClass): string[] {
  return kind === 'fq_codel' ? ['fq_codel'] : ['pfifo', 'limit', whole(kind ?? 1000)];
}
