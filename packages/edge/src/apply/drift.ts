import { asList, asNumber, asRecord, asText } from '@yunxun/contract/device';
import {
  mainTable,
  noTable,
  type Plan,
  type PlanLink,
  type PlanRoute,
  planKeys,
  routeProtocol,
} from '../render/plan.ts';
import { leadsOut } from './changes.ts';
import { dnsmasqFile } from './entries.ts';
import { readSetting, runningPid, runTool } from './executor.ts';
import { clientOf } from './lines.ts';
import type { ForeignRoute } from './ownership.ts';
import { type Ask, readAddresses, readDefaults } from './snapshot.ts';

/** What the box shows of the things that plans make. */
export interface Seen {
  /** Devices: their bridge, and whether they are up. */
  links: Readonly<Record<string, { master: string | null; up: boolean }>>;
  /** `eth0 192.0.2.2/24` */
  addresses: ReadonlySet<string>;
  /** Ours. */
  routes: readonly PlanRoute[];
  /** Default routes of others in the main table. */
  defaults: readonly ForeignRoute[];
  /** Priorities of ours. */
  rules: ReadonlySet<number>;
  /** Our table without counters and without the contents of its sets; null where there is none. */
  table: string | null;
  /** Devices with a tree of ours, and with a redirect. */
  shaped: ReadonlySet<string>;
  redirected: ReadonlySet<string>;
  setting(path: string): string | null;
  runs(pidFile: string, of: string): boolean;
}

/** A plan without what is not there any more, and the names of that. */
export interface Drift {
  present: Plan;
  missing: readonly string[];
  /** Default routes of others that came later and win over those of our lines: they are set aside, as those before. */
  intruders: readonly ForeignRoute[];
}

/**
 * What of a plan (with what its lines have) is gone. What cannot be put back now counts as present: whatever stands on a
 * device of others that was pulled out. `table` is what our table looked like when it was made, null when nobody knows
 * yet; `rests` names what is to be left alone for now.
 */
export function driftOf(
  plan: Plan,
  seen: Seen,
  run: string,
  table: string | null,
  rests: (what: string) => boolean,
): Drift {
  const missing: string[] = [];
  const links = new Map(plan.links.map((link) => [link.device, link]));
  const isThere = (device: string): boolean => {
    const link = links.get(device);
    if (link === undefined || link.kind === 'port') return seen.links[device] !== undefined;
    return link.kind !== 'vlan' || isThere(link.parent);
  };
  const kept = <T>(
    all: readonly T[],
    name: (one: T) => string,
    device: (one: T) => string | null,
    has: (one: T) => boolean,
  ) =>
    all.filter((one) => {
      const on = device(one);
      if (has(one) || (on !== null && !isThere(on)) || rests(name(one))) return true;
      missing.push(name(one));
      return false;
    });
  const holds = (link: PlanLink) => {
    const found = seen.links[link.device];
    if (found === undefined || !found.up) return false;
    return (link.kind !== 'port' && link.kind !== 'vlan') || link.master === null || found.master === link.master;
  };
  const whole = (name: string, is: boolean) => {
    if (is || rests(name)) return true;
    missing.push(name);
    return false;
  };
  /** What is there of a route: itself, one of ours with its key that leads elsewhere (to be changed, not added), or nothing. */
  const routeLeft = (route: PlanRoute): PlanRoute[] => {
    const name = routeName(route);
    const found = seen.routes.find((one) => isSameKey(one, route));
    const leads = found !== undefined && found.via === route.via && [found.device, null].includes(route.device);
    if (leads || (route.device !== null && !isThere(route.device)) || rests(name)) return [route];
    missing.push(name);
    return found === undefined ? [] : [{ ...found, to: route.to }];
  };
  const wantsTable = plan.nft !== noTable;
  const tableHolds = wantsTable ? seen.table !== null && (table === null || seen.table === table) : true;
  const { dnsmasq } = plan;
  const present: Plan = {
    ...plan,
    sysctls: kept(
      plan.sysctls,
      ({ path }) => `setting ${path}`,
      ({ device }) => device,
      ({ path, value, needed }) => (seen.setting(path) ?? (needed ? null : value)) === value,
    ),
    links: kept(
      plan.links,
      ({ device }) => `device ${device}`,
      ({ device }) => device,
      holds,
    ),
    addresses: kept(
      plan.addresses,
      (address) => `address ${planKeys.addresses(address)}`,
      ({ device }) => device,
      (address) => seen.addresses.has(planKeys.addresses(address)),
    ),
    routes: plan.routes.flatMap(routeLeft),
    rules: kept(
      plan.rules,
      ({ priority }) => `rule ${priority}`,
      () => null,
      ({ priority }) => seen.rules.has(priority),
    ),
    nft: whole('table inet yunxun', tableHolds) ? plan.nft : noTable,
    shapes: kept(
      plan.shapes,
      ({ device }) => `limits ${device}`,
      ({ device }) => device,
      ({ device }) => seen.shaped.has(device),
    ),
    redirects: kept(
      plan.redirects,
      ({ device }) => `redirect ${device}`,
      ({ device }) => device,
      ({ device }) => seen.redirected.has(device),
    ),
    dnsmasq: dnsmasq === null || whole('dnsmasq', seen.runs(dnsmasq.pid, dnsmasqFile(run))) ? dnsmasq : null,
    dhcpClients: kept(
      plan.dhcpClients,
      ({ device }) => `DHCP client ${device}`,
      ({ device }) => device,
      ({ device }) => {
        const { pidFile, of } = clientOf(run, device);
        return seen.runs(pidFile, of);
      },
    ),
  };
  // one that loses against every line of ours does no harm; where a line has no way out of its own, theirs is the only one
  const worst = Math.max(...plan.lines.map(({ metric }) => metric));
  const intruders = seen.defaults.filter(
    (route) => leadsOut(plan, route.device) && route.metric <= worst && !rests(intruderName(route)),
  );
  missing.push(...intruders.map(intruderName));
  return { present, missing, intruders };
}

function intruderName({ device, via }: ForeignRoute): string {
  return `way out over ${device}, taken by a default route of others${via === null ? '' : ` via ${via}`}`;
}

function routeName({ to, via, device, table }: PlanRoute): string {
  const words = [to, via && `via ${via}`, device && `dev ${device}`, table !== mainTable && `table ${table}`];
  return `route ${words.filter(Boolean).join(' ')}`;
}

function isSameKey(a: PlanRoute, b: PlanRoute): boolean {
  return a.table === b.table && bare(a.to) === bare(b.to) && a.metric === b.metric;
}

function bare(network: string): string {
  return network.replace(/\/32$/, '');
}

/** The devices over which a default route of ours leads out of the main table. */
export function waysOut({ routes }: Pick<Seen, 'routes'>): ReadonlySet<string> {
  return new Set(
    routes.flatMap(({ table, to, device }) => (table === mainTable && to === 'default' && device ? [device] : [])),
  );
}

/** Looks at this machine; null where something that has to be read could not be. */
export async function lookAround(
  ask: Ask = runTool,
  setting: (path: string) => string | null = readSetting,
  runs: Seen['runs'] = (pidFile, of) => runningPid(pidFile, of) !== null,
): Promise<Seen | null> {
  const [links, addresses, routes, rules, main, qdiscs, table] = await Promise.all([
    ask(['ip', '-j', 'link', 'show']),
    ask(['ip', '-j', '-4', 'addr', 'show']),
    // numbers: the owner's names for tables and protocols would be words
    ask(['ip', '-N', '-j', '-4', 'route', 'show', 'table', 'all', 'proto', String(routeProtocol)]),
    ask(['ip', '-N', '-j', '-4', 'rule', 'show']),
    ask(['ip', '-N', '-j', '-4', 'route', 'show', 'table', 'main']),
    ask(['tc', '-j', 'qdisc', 'show']),
    ask(['nft', '-s', '-t', 'list', 'table', 'inet', 'yunxun']),
  ]);
  // a tool that failed for another reason than that nothing is there tells nothing
  if (links.code !== 0 || addresses.code !== 0 || rules.code !== 0) return null;
  if (routes.code !== 0 && !/FIB table does not exist/i.test(routes.stderr)) return null;
  if (table.code !== 0 && !/No such file/i.test(table.stderr)) return null;
  const limits = listOf(qdiscs.stdout).map((one) => asRecord<Record<'kind' | 'handle' | 'dev' | 'root', unknown>>(one));
  const on = (kind: string, handle: string) =>
    new Set(limits.filter((one) => one.kind === kind && one.handle === handle).map(({ dev }) => String(dev)));
  return {
    links: Object.fromEntries(listOf(links.stdout).flatMap(readLink)),
    addresses: new Set(readAddresses(listOf(addresses.stdout))),
    routes: listOf(routes.stdout).map(readRoute),
    defaults: readDefaults(listOf(main.stdout)),
    rules: new Set(
      listOf(rules.stdout).flatMap((one) => {
        const { priority, protocol } = asRecord<{ priority: number; protocol: unknown }>(one);
        return String(protocol) === String(routeProtocol) ? [asNumber(priority) ?? -1] : [];
      }),
    ),
    table: table.code === 0 ? table.stdout : null,
    shaped: on('htb', '1:'),
    redirected: on('ingress', 'ffff:'),
    setting,
    runs,
  };
}

function readLink(entry: unknown): [string, { master: string | null; up: boolean }][] {
  const { ifname, master, flags } = asRecord<{ ifname: string; master: string; flags: unknown }>(entry);
  if (typeof ifname !== 'string') return [];
  return [[ifname, { master: asText(master, 15), up: asList(flags).includes('UP') }]];
}

function readRoute(entry: unknown): PlanRoute {
  const route = asRecord<Record<'table' | 'dst' | 'gateway' | 'dev' | 'metric', unknown>>(entry);
  return {
    // the main table is not named
    table: route.table === undefined ? mainTable : Number(route.table),
    to: String(route.dst),
    via: asText(route.gateway, 15),
    device: asText(route.dev, 15),
    metric: asNumber(route.metric) ?? 0,
  };
}

function listOf(text: string): readonly unknown[] {
  try {
    return asList(JSON.parse(text));
  } catch {
    return [];
  }
}
