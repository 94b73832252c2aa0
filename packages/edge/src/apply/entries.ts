import { join } from 'node:path';
import type { PlanAddress, PlanDnsmasq, PlanLink, PlanRoute, PlanRule, PlanSysctl } from '../render/plan.ts';
import { routeProtocol } from '../render/plan.ts';
import type { ForeignRoute, PortBefore } from './ownership.ts';
import type { Step } from './step.ts';

/** How each entry of a plan is made and unmade. Each list of arguments is complete by itself; none passes a shell. */

const protocol = ['proto', String(routeProtocol)];

function ip(argv: readonly string[], fine?: 'exists' | 'absent'): Step {
  return { do: 'run', argv: ['ip', ...argv], ...(fine === undefined ? {} : { fine }) };
}

/** Makes a device, or takes somebody else's as a port; sets it up. */
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
  if (link.kind === 'ifb') steps.push(ip(['link', 'add', 'name', device, 'type', 'ifb'], 'exists'));
  if (link.kind === 'port' || link.kind === 'vlan') {
    steps.push(ip(['link', 'set', 'dev', device, ...(link.master === null ? ['nomaster'] : ['master', link.master])]));
  }
  if (link.kind !== 'ifb' && link.mtu !== null) {
    steps.push(setMtu(device, link.mtu));
  }
  return [...steps, ip(['link', 'set', 'dev', device, 'up'])];
}

/** Sets the largest packet of a device that may be gone already. */
export function setMtu(device: string, mtu: number): Step {
  return ip(['link', 'set', 'dev', device, 'mtu', String(mtu)], 'absent');
}

/** Deletes a device of ours, or gives somebody else's back as it was. */
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

/** Puts an address on its device. */
export function makeAddress({ device, address }: PlanAddress): Step {
  return ip(['addr', 'add', address, 'dev', device, 'brd', '+'], 'exists');
}

/** Takes an address away. */
export function unmakeAddress({ device, address }: PlanAddress): Step {
  return ip(['addr', 'del', address, 'dev', device], 'absent');
}

function routeWords({ table, to, via, device, metric }: PlanRoute): string[] {
  return [
    ...[to, ...(via === null ? [] : ['via', via]), ...(device === null ? [] : ['dev', device])],
    ...['table', String(table), 'metric', String(metric), ...protocol],
  ];
}

/** A route; `anew` where ours with this key has other contents. A gateway need not lie in a subnet of its device. */
export function makeRoute(route: PlanRoute, anew: boolean): Step {
  const onLink = route.via !== null && route.device !== null ? ['onlink'] : [];
  return ip(['-4', 'route', anew ? 'replace' : 'add', ...routeWords(route), ...onLink], 'exists');
}

/** Takes a route of ours away; one of somebody else with the same key stays. */
export function unmakeRoute(route: PlanRoute): Step {
  return ip(['-4', 'route', 'del', ...routeWords(route)], 'absent');
}

function ruleWords({ priority, from, mark, table, suppressDefault }: PlanRule): string[] {
  const words = ['priority', String(priority), ...(from === null ? [] : ['from', from])];
  if (mark !== null) words.push('fwmark', `0x${mark.value.toString(16)}/0x${mark.mask.toString(16)}`);
  words.push('lookup', String(table));
  if (suppressDefault) words.push('suppress_prefixlength', '0');
  return [...words, 'protocol', String(routeProtocol)];
}

/** A rule. */
export function makeRule(rule: PlanRule): Step {
  return ip(['-4', 'rule', 'add', ...ruleWords(rule)], 'exists');
}

/** Takes a rule of ours away. */
export function unmakeRule(rule: PlanRule): Step {
  return ip(['-4', 'rule', 'del', ...ruleWords(rule)], 'absent');
}

/** Sets a setting of the kernel. */
export function makeSetting({ path, value, needed }: Pick<PlanSysctl, 'path' | 'value' | 'needed'>): Step {
  return { do: 'sysctl', path, value, ...(needed ? {} : { optional: true }) };
}

function foreignWords({ device, via, metric, protocol: by, source }: ForeignRoute): string[] {
  return [
    ...['default', ...(via === null ? [] : ['via', via]), 'dev', device, 'metric', String(metric), 'proto', by],
    ...(source === null ? [] : ['src', source]),
  ];
}

/** Sets a default route of others over a line of ours aside. */
export function setAside(route: ForeignRoute): Step {
  return ip(['-4', 'route', 'del', ...foreignWords(route)], 'absent');
}

/** Puts it back. */
export function putBack(route: ForeignRoute): Step {
  const onLink = route.via === null ? [] : ['onlink'];
  return ip(['-4', 'route', 'add', ...foreignWords(route), ...onLink], 'exists');
}

/** Where our dnsmasq's configuration lies. */
export function dnsmasqFile(run: string): string {
  return join(run, 'dnsmasq.conf');
}

/** Starts our own dnsmasq, where it does not run. */
export function makeDnsmasq({ config, pid, resolv }: PlanDnsmasq, run: string): Step[] {
  const path = dnsmasqFile(run);
  return [
    ...(resolv === null ? [] : [{ do: 'touch' as const, path: resolv }]),
    { do: 'write', path, text: config },
    { do: 'start', argv: ['dnsmasq', `--conf-file=${path}`], pidFile: pid, of: path },
  ];
}

/** Ends it. */
export function unmakeDnsmasq({ pid }: PlanDnsmasq, run: string): Step[] {
  const path = dnsmasqFile(run);
  return [
    { do: 'stop', pidFile: pid, of: path },
    { do: 'remove', path },
  ];
}
