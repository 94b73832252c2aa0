import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { edgeLimits } from '@yunxun/contract/device';
import { networkText, overlap, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import { mainTable, type Plan, type PlanDhcpClient, type PlanLink, type PlanWan } from '../render/plan.ts';
import { type WanLease, wanEntries } from '../render/wan-entries.ts';
import { withoutCollisions } from './collisions.ts';
import type { Step } from './step.ts';

export interface Lease {
  address: string;
  prefix: number;
  gateway: string | null;
  nameServers: readonly string[];
  /** Classless static routes beside the default one (RFC 3442); `via` null: on the link. */
  routes?: readonly { to: string; via: string | null }[];
  mtu?: number;
}

export interface WanState {
  lease: Lease | null;
  /** By probes; without results alive. */
  alive: boolean;
}

export type WanStates = Readonly<Record<string, WanState>>;

const untouched: WanState = { lease: null, alive: true };

function placeOf({ fixed }: PlanWan, lease: Lease | null): WanLease | null {
  return fixed ?? (lease?.gateway ? { address: lease.address, gateway: lease.gateway } : null);
}

/**
 * Adds the addresses, routes and rules that follow from the WAN states, and withholds LANs that collide with a lease. A
 * lost WAN loses its default route only if another is alive: failed probes alone must not cut the only way out.
 */
export function withWans(configured: Plan, states: WanStates): Plan {
  const plan = withoutCollisions(configured, states);
  const addresses = [...plan.addresses];
  const routes = [...plan.routes];
  const rules = [...plan.rules];
  const stateOf = ({ device }: PlanWan) => states[device] ?? untouched;
  const another = plan.lines.some((wan) => placeOf(wan, stateOf(wan).lease) !== null && stateOf(wan).alive);
  const owners = new Map<string, PlanWan>();
  for (const wan of plan.lines.toSorted(
    (a, b) => Number(stateOf(b).alive) - Number(stateOf(a).alive) || a.metric - b.metric,
  )) {
    const address = placeOf(wan, stateOf(wan).lease)?.address;
    if (address !== undefined && !owners.has(address)) owners.set(address, wan);
  }
  for (const wan of plan.lines) {
    const { lease, alive } = stateOf(wan);
    if (wan.fixed === null && lease !== null) {
      addresses.push({ device: wan.device, address: `${lease.address}/${lease.prefix}` });
    }
    const at = placeOf(wan, lease);
    if (at === null) continue;
    for (const to of wan.routes ?? [])
      routes.push({ to, via: at.gateway, device: wan.device, table: mainTable, metric: 0 });
    for (const { to, via } of reachable(plan, lease)) {
      const route = { to, via, device: wan.device };
      routes.push({ ...route, table: wan.table, metric: 0 });
      if (alive || !another) routes.push({ ...route, table: mainTable, metric: wan.metric });
    }
    const entries = wanEntries(wan, at, { alive: alive || !another, ownsAddress: owners.get(at.address) === wan });
    routes.push(...entries.routes);
    rules.push(...entries.rules);
  }
  return { ...plan, addresses, routes, rules, links: withLeasedMtus(plan, states) };
}

/** Leaves out routes into a LAN, and by own addresses. */
function reachable({ addresses }: Plan, lease: Lease | null): NonNullable<Lease['routes']> {
  const own = addresses.map(({ address }) => readSubnet(address)!);
  return (lease?.routes ?? []).filter(({ to, via }) => {
    const hop = via === null ? null : readAddress(via);
    return !own.some((subnet) => subnet.address === hop || overlap(subnet, readSubnet(to)!));
  });
}

/** A lease lowers the MTU of a port that has none set, unless VLANs use the port. */
function withLeasedMtus({ links, lines }: Plan, states: WanStates): readonly PlanLink[] {
  return links.map((link) => {
    const mtu = lines.some(({ device }) => device === link.device) ? states[link.device]?.lease?.mtu : undefined;
    if (mtu === undefined || link.kind === 'ifb' || link.mtu !== null) return link;
    const carries = links.some((other) => other.kind === 'vlan' && other.parent === link.device);
    return carries ? link : { ...link, mtu };
  });
}

/** Carries states over; a changed WAN counts as alive, because it was not probed. */
export function carried(before: Plan, after: Plan, states: WanStates): WanStates {
  const sides = (plan: Plan, device: string) => [
    plan.lines.find((wan) => wan.device === device),
    plan.addresses.filter((address) => address.device === device),
    plan.dhcpClients.find((client) => client.device === device),
  ];
  const kept = after.lines.flatMap(({ device, fixed }) => {
    const state = states[device];
    if (state === undefined) return [];
    const same = isDeepStrictEqual(sides(before, device), sides(after, device));
    return [[device, { lease: fixed === null ? state.lease : null, alive: !same || state.alive }] as const];
  });
  return Object.fromEntries(kept);
}

export function isWayOut({ routes }: Plan, { device }: PlanWan): boolean {
  return routes.some((route) => route.table === mainTable && route.to === 'default' && route.device === device);
}

export function leftBehind(before: Plan, after: Plan): PlanWan[] {
  const back = after.lines.filter((wan) => isWayOut(after, wan) && !isWayOut(before, wan));
  const used = after.lines.filter((wan) => wan.metered && isWayOut(before, wan));
  return used.filter((wan) => back.some(({ metric }) => metric < wan.metric));
}

export function forgetConnections({ mark }: PlanWan): Step {
  const words = `0x${mark.value.toString(16)}/0x${mark.mask.toString(16)}`;
  return { do: 'run', argv: ['conntrack', '-D', '--mark', words], fine: 'absent' };
}

export function leaseFile(run: string, device: string): string {
  return join(run, `lease-${device}`);
}

/** Avoids `/run`, which is often mounted noexec. */
export function hookFile(hooks: string): string {
  return join(hooks, 'dhcp-event');
}

export function clientOf(run: string, device: string): { pidFile: string; of: string } {
  return { pidFile: join(run, `udhcpc-${device}.pid`), of: `udhcpc -b -i ${device} ` };
}

/** Starts a DHCP client unless it runs; without an answer it retries in the background. */
export function makeDhcpClient({ device, hostName, resolv }: PlanDhcpClient, run: string, hooks = run): Step[] {
  const hook = hookFile(hooks);
  const { pidFile, of } = clientOf(run, device);
  // a server may take seconds for each of its two answers
  const asked = ['-t', '2', '-T', '4', '-A', '5', '-O', 'staticroutes', '-O', 'mtu'];
  const name = hostName === null ? [] : ['-x', `hostname:${hostName}`];
  return [
    ...(resolv === null ? [] : [{ do: 'touch' as const, path: resolv }]),
    { do: 'write', path: hook, text: dhcpHook(run), executable: true },
    {
      do: 'start',
      argv: ['busybox', 'udhcpc', '-b', '-i', device, '-p', pidFile, '-s', hook, ...asked, ...name],
      pidFile,
      of,
    },
  ];
}

export function unmakeDhcpClient({ device }: PlanDhcpClient, run: string): Step[] {
  return [
    { do: 'stop', ...clientOf(run, device) },
    { do: 'remove', path: leaseFile(run, device) },
    { do: 'remove', path: join(run, `dhcp-${device}`) },
  ];
}

/** Returns a script that stores the server's values, reduced to digits and dots. */
export function dhcpHook(run: string): string {
  return String.raw`#!/bin/sh
# called by udhcpc with the event; what a server says is data, kept as digits and dots
name=$(printf '%s' "$interface" | tr -cd 'A-Za-z0-9._-')
file='@RUN@/lease-'$name
failed='@RUN@/dhcp-'$name
plain() { printf '%s' "$*" | tr -c '0-9. ' ' '; }
case $1 in
  bound | renew)
    {
      printf 'address %s\n' "$(plain "$ip")"
      printf 'prefix %s\n' "$(plain "$mask")"
      printf 'router %s\n' "$(plain "$router")"
      printf 'dns %s\n' "$(plain "$dns")"
      printf 'routes %s\n' "$(plain "$staticroutes")"
      printf 'mtu %s\n' "$(plain "$mtu")"
    } >"$file.new" && mv "$file.new" "$file"
    rm -f "$failed"
    ;;
  deconfig) rm -f "$file" ;;
  leasefail | nak) printf '%s\n' "$1" >"$failed" ;;
esac
exit 0
`.replaceAll('@RUN@', run);
}

export function readLease(text: string): Lease | null {
  const fields = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [name = '', ...values] = line.trim().split(/\s+/);
    fields.set(name, values);
  }
  const address = fields.get('address')?.[0] ?? '';
  const prefix = Number(fields.get('prefix')?.[0]);
  if (!usable(address) || !Number.isInteger(prefix) || prefix < 1 || prefix > 32) return null;
  const routes = readStaticRoutes(fields.get('routes') ?? []);
  const named = [routes.find(({ to }) => to === 'default')?.via, fields.get('router')?.[0]];
  const gateway = named.find((one) => one && usable(one) && one !== address) ?? null;
  const others = routes.filter(({ to, via }) => to !== 'default' && via !== address);
  const mtu = Number(fields.get('mtu')?.[0]);
  return {
    address,
    prefix,
    gateway,
    nameServers: (fields.get('dns') ?? []).filter(usable).slice(0, 3),
    ...(others.length > 0 && { routes: others }),
    ...(mtu >= edgeLimits.mtu.min && mtu < edgeLimits.mtu.otherwise && { mtu }),
  };
}

const maxLeasedRoutes = 32;

/** Triples of network, prefix length and router, by udhcpc from option 121. */
function readStaticRoutes(words: readonly string[]): { to: string; via: string | null }[] {
  const found = new Map<string, string | null>();
  for (let at = 0; at + 2 < words.length && found.size < maxLeasedRoutes; at += 3) {
    const [network = '', length, router = ''] = words.slice(at, at + 3);
    const subnet = isIPv4(network) ? readSubnet(`${network}/${length}`) : null;
    const via = router === '0.0.0.0' ? null : router;
    if (subnet === null || (via !== null && !usable(via))) continue;
    if (subnet.prefix > 0 && !usable(network)) continue;
    found.set(subnet.prefix === 0 ? 'default' : networkText(subnet), via);
  }
  return [...found].map(([to, via]) => ({ to, via }));
}

/** Why a DHCP line has no address or no way out; null if it has. */
export type DhcpFault = 'no-answer' | 'refused' | 'no-gateway';

export function dhcpFault(run: string, device: string, lease: Lease | null): DhcpFault | null {
  if (lease !== null) return lease.gateway === null ? 'no-gateway' : null;
  try {
    return readFileSync(join(run, `dhcp-${device}`), 'utf8').startsWith('nak') ? 'refused' : 'no-answer';
  } catch {
    return null;
  }
}

export function resolvText(plan: Plan, states: WanStates): string {
  const wanted = plan.dhcpClients.flatMap(({ device, resolv }) =>
    resolv === null ? [] : [states[device] ?? untouched],
  );
  const servers = wanted
    .toSorted((a, b) => Number(b.alive) - Number(a.alive))
    .flatMap(({ lease }) => lease?.nameServers ?? []);
  return [...new Set(servers)].map((server) => `nameserver ${server}\n`).join('');
}

export interface WanServers {
  wan: string;
  from: string;
  servers: readonly string[];
}

export function wanServers({ lines: wans }: Plan, states: WanStates): WanServers[] {
  return wans
    .map((wan) => ({ wan, state: states[wan.device] ?? untouched }))
    .toSorted((a, b) => Number(b.state.alive) - Number(a.state.alive) || a.wan.metric - b.wan.metric)
    .flatMap(({ wan, state: { lease } }) => {
      const at = placeOf(wan, lease);
      const servers = wan.dns ?? lease?.nameServers ?? [];
      return at === null ? [] : [{ wan: wan.name, from: at.address, servers }];
    });
}

/** Leaves out WANs with a common subnet: queries are not bound to a port, so another WAN would answer. */
export function distinctWanServers(plan: Plan, states: WanStates): WanServers[] {
  const subnets = plan.lines.flatMap(({ name, device }) => {
    const lease = states[device]?.lease;
    const own = plan.addresses.flatMap((one) => (one.device === device ? [one.address] : []));
    return [...own, ...(lease ? [`${lease.address}/${lease.prefix}`] : [])].map((text) => ({
      name,
      subnet: readSubnet(text)!,
    }));
  });
  const isShared = (wan: string) =>
    subnets.some(
      (one) => one.name === wan && subnets.some((other) => other.name !== wan && overlap(one.subnet, other.subnet)),
    );
  return wanServers(plan, states).filter(({ wan }) => !isShared(wan));
}

function usable(address: string): boolean {
  return isIPv4(address) && !/^(0|127|22[4-9]|2[3-5]\d)\./.test(address);
}
