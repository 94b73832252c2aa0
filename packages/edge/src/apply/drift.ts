import { isDeepStrictEqual } from 'node:util';
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
import { givesWay } from './aside.ts';
import { dnsmasqFile } from './entries.ts';
import { readSetting, runningPid, runTool } from './executor.ts';
import type { ForeignRoute } from './ownership.ts';
import { type Ask, readAddresses, readDefaults } from './snapshot.ts';
import { type DumpedTunnel, prefixText, readTunnels } from './tunnel-dump.ts';
import { pathMetric } from './tunnels.ts';
import { clientOf } from './wans.ts';

export interface SeenLink {
  master: string | null;
  up: boolean;
  mtu: number | null;
  mac: string | null;
}

export interface Seen {
  links: Readonly<Record<string, SeenLink>>;
  addresses: ReadonlySet<string>;
  routes: readonly PlanRoute[];
  defaults: readonly ForeignRoute[];
  rules: ReadonlySet<number>;
  /** Without counters and set elements. */
  table: string | null;
  blocked: readonly string[];
  captive: boolean;
  captiveBridge: boolean;
  shaped: ReadonlySet<string>;
  redirected: ReadonlySet<string>;
  /** By device; null if unreadable. */
  tunnels: ReadonlyMap<string, DumpedTunnel> | null;
  setting(path: string): string | null;
  runs(pidFile: string, of: string): boolean;
}

export interface Drift {
  present: Plan;
  missing: readonly string[];
  /** Later foreign default routes that win over our WANs. */
  intruders: readonly ForeignRoute[];
}

/**
 * Compares a plan (with WAN states) to the host. Entries on an unplugged foreign device count as present. `table`:
 * listing after our table was loaded. `rests`: in back-off.
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
    if (link.kind === 'wireguard') return found.mtu === link.mtu;
    if (link.kind !== 'port' && link.kind !== 'vlan') return true;
    const { master, mtu, mac } = link;
    return (
      (master === null || found.master === master) &&
      (mtu === null || found.mtu === mtu) &&
      (mac === undefined || found.mac === mac)
    );
  };
  const whole = (name: string, is: boolean) => {
    if (is || rests(name)) return true;
    missing.push(name);
    return false;
  };
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
  const captiveOf = () => {
    const stands = seen.captive && (!plan.captive?.bridges || seen.captiveBridge);
    if (plan.captive === undefined || whole('table inet yunxun_captive', stands)) return {};
    return { captive: undefined };
  };
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
    blocked:
      !tableHolds || whole('blocked clients', isDeepStrictEqual(seen.blocked, plan.blocked))
        ? plan.blocked
        : seen.blocked,
    ...captiveOf(),
    tunnels: kept(
      plan.tunnels,
      ({ device }) => `tunnel ${device}`,
      ({ device }) => device,
      ({ device, listenPort, peers }) => {
        const own = seen.tunnels?.get(device);
        const whole =
          own?.listenPort === listenPort &&
          peers.length === own.peers.size &&
          peers.every(({ publicKey, allowed }) => own.peers.get(publicKey)?.allowed === prefixText(allowed));
        return seen.links[device] !== undefined && (seen.tunnels === null || whole);
      },
    ),
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
  // foreign routes below all WANs are harmless, and needed while those are lost
  const worst = Math.max(...plan.lines.map(({ metric }) => metric));
  const intruders = seen.defaults.filter(
    (route) => givesWay(plan, route.device) && route.metric <= worst && !rests(intruderName(route)),
  );
  missing.push(...intruders.map(intruderName));
  return { present, missing, intruders };
}

function intruderName({ device, via }: ForeignRoute): string {
  return `way out over ${device}, taken by a default route of others${via === null ? '' : ` via ${via}`}`;
}

export function isDefaultRoute(missing: string): boolean {
  return missing.startsWith('route default');
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

export function waysOut({ routes }: Pick<Seen, 'routes'>): ReadonlySet<string> {
  return new Set(
    routes.flatMap(({ table, to, device }) => (table === mainTable && to === 'default' && device ? [device] : [])),
  );
}

/** Returns null if a required part is unreadable. */
export async function lookAround(
  ask: Ask = runTool,
  setting: (path: string) => string | null = readSetting,
  runs: Seen['runs'] = (pidFile, of) => runningPid(pidFile, of) !== null,
): Promise<Seen | null> {
  const [links, addresses, routes, rules, main, qdiscs, table, blocked, captive, between, tunnels] = await Promise.all([
    ask(['ip', '-j', 'link', 'show']),
    ask(['ip', '-j', '-4', 'addr', 'show']),
    // -N: the host may name tables and protocols
    ask(['ip', '-N', '-j', '-4', 'route', 'show', 'table', 'all', 'proto', String(routeProtocol)]),
    ask(['ip', '-N', '-j', '-4', 'rule', 'show']),
    ask(['ip', '-N', '-j', '-4', 'route', 'show', 'table', 'main']),
    ask(['tc', '-j', 'qdisc', 'show']),
    ask(['nft', '-s', '-t', 'list', 'table', 'inet', 'yunxun']),
    ask(['nft', '-j', 'list', 'set', 'inet', 'yunxun', 'blocked']),
    ask(['nft', '-s', '-t', 'list', 'table', 'inet', 'yunxun_captive']),
    ask(['nft', '-s', '-t', 'list', 'table', 'bridge', 'yunxun_captive']),
    ask(['wg', 'show', 'all', 'dump']),
  ]);
  // any other failure makes the reading useless
  if (links.code !== 0 || addresses.code !== 0 || rules.code !== 0) return null;
  if (routes.code !== 0 && !/FIB table does not exist/i.test(routes.stderr)) return null;
  if (table.code !== 0 && !/No such file/i.test(table.stderr)) return null;
  if (captive.code !== 0 && !/No such file/i.test(captive.stderr)) return null;
  if (blocked.code !== 0 && !/No such file/i.test(blocked.stderr)) return null;
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
    blocked: readSet(blocked.stdout),
    captive: /\bjump gated\b/.test(captive.stdout),
    captiveBridge: /\bjump gated\b/.test(between.stdout),
    shaped: on('htb', '1:'),
    redirected: on('ingress', 'ffff:'),
    tunnels: tunnels.code === 0 ? readTunnels(tunnels.stdout) : null,
    setting,
    runs,
  };
}

export async function readAround<T>(read: (seen: Seen) => T): Promise<T | null> {
  const seen = await lookAround();
  return seen === null ? null : read(seen);
}

/** Returns what the host lacks; null if unreadable. */
export async function driftFrom(plan: Plan, run: string): Promise<Drift | null> {
  const seen = await lookAround();
  return seen === null ? null : driftOf(plan, seen, run, null, () => false);
}

function readSet(text: string): string[] {
  const { nftables } = asRecord<{ nftables: unknown }>(recordOf(text));
  return asList(nftables)
    .flatMap((entry) => asList(asRecord<{ elem: unknown }>(asRecord<{ set: unknown }>(entry).set).elem))
    .flatMap((member) => asText(member, 17) ?? [])
    .toSorted();
}

export function pathsIn({ routes }: Pick<Seen, 'routes'>): Record<string, string> {
  const ours = routes.filter(({ table, metric, device }) => table === mainTable && metric === pathMetric && device);
  return Object.fromEntries(ours.map(({ to, device }) => [to.includes('/') ? to : `${to}/32`, device!]));
}

function readLink(entry: unknown): [string, SeenLink][] {
  const link = asRecord<Record<'ifname' | 'master' | 'flags' | 'mtu' | 'address', unknown>>(entry);
  if (typeof link.ifname !== 'string') return [];
  const mac = asText(link.address, 17)?.toLowerCase() ?? null;
  const up = asList(link.flags).includes('UP');
  return [[link.ifname, { master: asText(link.master, 15), up, mtu: asNumber(link.mtu), mac }]];
}

function readRoute(entry: unknown): PlanRoute {
  const route = asRecord<Record<'table' | 'dst' | 'gateway' | 'dev' | 'metric', unknown>>(entry);
  return {
    // the main table is omitted in the output
    table: route.table === undefined ? mainTable : Number(route.table),
    to: String(route.dst),
    via: asText(route.gateway, 15),
    device: asText(route.dev, 15),
    metric: asNumber(route.metric) ?? 0,
  };
}

function listOf(text: string): readonly unknown[] {
  return asList(recordOf(text));
}

function recordOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
