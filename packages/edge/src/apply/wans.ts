import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { mainTable, type Plan, type PlanDhcpClient, type PlanWan } from '../render/plan.ts';
import { type WanLease, wanEntries } from '../render/wan-entries.ts';
import { withoutCollisions } from './collisions.ts';
import type { Step } from './step.ts';

export interface Lease {
  address: string;
  prefix: number;
  gateway: string | null;
  nameServers: readonly string[];
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
 * Adds to a plan the addresses, routes and rules that follow from the WAN states, and withholds LANs that collide with a
 * lease. A lost WAN loses its default route only if another one is alive: failed probes alone must not cut the only way
 * out.
 */
export function withWans(configured: Plan, states: WanStates): Plan {
  const plan = withoutCollisions(configured, states);
  const addresses = [...plan.addresses];
  const routes = [...plan.routes];
  const rules = [...plan.rules];
  const stateOf = ({ device }: PlanWan) => states[device] ?? untouched;
  const another = plan.lines.some((wan) => placeOf(wan, stateOf(wan).lease) !== null && stateOf(wan).alive);
  for (const wan of plan.lines) {
    const { lease, alive } = stateOf(wan);
    if (wan.fixed === null && lease !== null) {
      addresses.push({ device: wan.device, address: `${lease.address}/${lease.prefix}` });
    }
    const at = placeOf(wan, lease);
    if (at === null) continue;
    const entries = wanEntries(wan, at, alive || !another);
    routes.push(...entries.routes);
    rules.push(...entries.rules);
  }
  return { ...plan, addresses, routes, rules };
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
  const asked = ['-t', '2', '-T', '1', '-A', '5'];
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
  ];
}

/** Returns a script that stores the server's values, reduced to digits and dots. */
export function dhcpHook(run: string): string {
  return String.raw`#!/bin/sh
# called by udhcpc with the event; what a server says is data, kept as digits and dots
file='@RUN@/lease-'$(printf '%s' "$interface" | tr -cd 'A-Za-z0-9._-')
plain() { printf '%s' "$*" | tr -c '0-9. ' ' '; }
case $1 in
  bound | renew)
    {
      printf 'address %s\n' "$(plain "$ip")"
      printf 'prefix %s\n' "$(plain "$mask")"
      printf 'router %s\n' "$(plain "$router")"
      printf 'dns %s\n' "$(plain "$dns")"
    } >"$file.new" && mv "$file.new" "$file"
    ;;
  deconfig) rm -f "$file" ;;
esac
exit 0
`.replace('@RUN@', run);
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
  const gateway = fields.get('router')?.[0] ?? '';
  return {
    address,
    prefix,
    gateway: usable(gateway) && gateway !== address ? gateway : null,
    nameServers: (fields.get('dns') ?? []).filter(usable).slice(0, 3),
  };
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

function usable(address: string): boolean {
  return isIPv4(address) && !/^(0|127|22[4-9]|2[3-5]\d)\./.test(address);
}
