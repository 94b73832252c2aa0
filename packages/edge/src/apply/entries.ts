import { join } from 'node:path';
import type { PlanAddress, PlanDnsmasq, PlanLink, PlanRoute, PlanRule, PlanSysctl } from '../render/plan.ts';
import { routeProtocol } from '../render/plan.ts';
import type { ForeignRoute, PortBefore } from './ownership.ts';
import type { Step } from './step.ts';
import { makeTunnelLink } from './tunnels.ts';

const protocol = ['proto', String(routeProtocol)];

function ip(argv: readonly string[], fine?: 'exists' | 'absent'): Step {
  return { do: 'run', argv: ['ip', ...argv], ...(fine === undefined ? {} : { fine }) };
}

export function makeLink(link: PlanLink): Step[] {
  const { device } = link;
  const steps: Step[] = [];
  if (link.kind === 'bridge') {
    const options = ['type', 'bridge', 'stp_state', '0', 'forward_delay', '0'];
    steps.push(ip(['link', 'add', 'name', device, ...options], 'exists'));
  }
  if (link.kind === 'vlan') {
    const options = ['link', link.parent, 'name', device, 'type', 'vlan', 'id', String(link.id)];
    steps.push(ip(['link', 'add', ...options], 'exists'));
  }
  if (link.kind === 'wireguard') steps.push(makeTunnelLink(link));
  if (link.kind === 'ifb') steps.push(ip(['link', 'add', 'name', device, 'type', 'ifb'], 'exists'));
  if (link.kind === 'port' || link.kind === 'vlan') {
    steps.push(ip(['link', 'set', 'dev', device, ...(link.master === null ? ['nomaster'] : ['master', link.master])]));
  }
  if ((link.kind === 'port' || link.kind === 'vlan') && link.mac !== undefined) {
    steps.push({ do: 'mac', device, mac: link.mac, inherits: link.kind === 'vlan' });
  }
  if (link.kind !== 'ifb' && link.mtu !== null) {
    steps.push(setMtu(device, link.mtu));
  }
  return [...steps, ip(['link', 'set', 'dev', device, 'up'])];
}

export function setMtu(device: string, mtu: number): Step {
  return ip(['link', 'set', 'dev', device, 'mtu', String(mtu)], 'absent');
}

export function restoreMac(link: PlanLink, before: PortBefore | undefined): Step[] {
  if (link.kind !== 'port' || link.mac === undefined || before?.mac === undefined) return [];
  return [{ do: 'mac', device: link.device, mac: before.mac, fine: 'absent' }];
}

export function unmakeLink(link: PlanLink, before: PortBefore | undefined): Step[] {
  const { device } = link;
  if (link.kind !== 'port') return [ip(['link', 'del', 'dev', device], 'absent')];
  const master = before?.master ?? null;
  const back = master === null ? ['nomaster'] : ['master', master];
  const steps = [ip(['link', 'set', 'dev', device, ...back], 'absent')];
  if (link.mtu !== null && before !== undefined) {
    steps.push(setMtu(device, before.mtu));
  }
  return steps;
}

export function makeAddress({ device, address }: PlanAddress): Step {
  return ip(['addr', 'add', address, 'dev', device, 'brd', '+'], 'exists');
}

export function unmakeAddress({ device, address }: PlanAddress): Step {
  return ip(['addr', 'del', address, 'dev', device], 'absent');
}

function routeWords({ table, to, via, device, metric }: PlanRoute): string[] {
  return [
    to,
    ...(via === null ? [] : ['via', via]),
    ...(device === null ? [] : ['dev', device]),
    'table',
    String(table),
    'metric',
    String(metric),
    ...protocol,
  ];
}

/** Replaces our route of the same key with `anew`. `onlink`: the gateway need not be in a subnet. */
export function makeRoute(route: PlanRoute, anew: boolean): Step {
  const onLink = route.via !== null && route.device !== null ? ['onlink'] : [];
  return ip(['-4', 'route', anew ? 'replace' : 'add', ...routeWords(route), ...onLink], 'exists');
}

/** Matches our protocol number: a foreign route of the key stays. */
export function unmakeRoute(route: PlanRoute): Step {
  return ip(['-4', 'route', 'del', ...routeWords(route)], 'absent');
}

function ruleWords({ priority, from, oif, mark, table, suppressDefault }: PlanRule): string[] {
  const words = ['priority', String(priority), ...(from === null ? [] : ['from', from])];
  if (oif !== undefined) words.push('oif', oif);
  if (mark !== null) words.push('fwmark', `0x${mark.value.toString(16)}/0x${mark.mask.toString(16)}`);
  words.push('lookup', String(table));
  if (suppressDefault) words.push('suppress_prefixlength', '0');
  return [...words, 'protocol', String(routeProtocol)];
}

export function makeRule(rule: PlanRule): Step {
  return ip(['-4', 'rule', 'add', ...ruleWords(rule)], 'exists');
}

export function unmakeRule(rule: PlanRule): Step {
  return ip(['-4', 'rule', 'del', ...ruleWords(rule)], 'absent');
}

export function makeSetting({ path, value, needed }: Pick<PlanSysctl, 'path' | 'value' | 'needed'>): Step {
  return { do: 'sysctl', path, value, ...(needed ? {} : { optional: true }) };
}

function foreignWords({ device, via, metric, protocol: by, source }: ForeignRoute): string[] {
  return [
    'default',
    ...(via === null ? [] : ['via', via]),
    'dev',
    device,
    'metric',
    String(metric),
    'proto',
    by,
    ...(source === null ? [] : ['src', source]),
  ];
}

export function setAside(route: ForeignRoute): Step {
  return ip(['-4', 'route', 'del', ...foreignWords(route)], 'absent');
}

/**
 * Adds it as its owner did, then with `onlink` for a gateway outside the subnets, which the kernel rejects through an
 * own address. Optional: source address or device may be gone.
 */
export function putBack(route: ForeignRoute): Step[] {
  const add = ['ip', '-4', 'route', 'add', ...foreignWords(route)] as const;
  const argvs = route.via === null ? [add] : [add, [...add, 'onlink'] as const];
  return argvs.map((argv) => ({ do: 'run', argv, fine: 'exists', optional: true }));
}

export function dnsmasqFile(run: string): string {
  return join(run, 'dnsmasq.conf');
}

export function makeDnsmasq({ config, pid, resolv, servers, takes }: PlanDnsmasq, run: string): Step[] {
  const path = dnsmasqFile(run);
  return [
    ...(takes ? [{ do: 'port53' as const, op: 'take' as const }] : []),
    ...(resolv === null ? [] : [{ do: 'touch' as const, path: resolv }]),
    ...(servers === undefined ? [] : [{ do: 'touch' as const, path: servers }]),
    { do: 'write', path, text: config },
    { do: 'start', argv: ['dnsmasq', `--conf-file=${path}`], pidFile: pid, of: path },
  ];
}

/** `next` may need the same place. */
export function unmakeDnsmasq({ pid, takes }: PlanDnsmasq, next: PlanDnsmasq | null, run: string): Step[] {
  const path = dnsmasqFile(run);
  return [
    { do: 'stop', pidFile: pid, of: path },
    { do: 'remove', path },
    ...(takes && !next?.takes ? [{ do: 'port53' as const, op: 'give' as const, optional: true as const }] : []),
  ];
}
