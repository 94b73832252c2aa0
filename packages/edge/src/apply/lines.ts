import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import { type LineLease, lineEntries } from '../render/line-entries.ts';
import type { Plan, PlanDhcpClient, PlanLine } from '../render/plan.ts';
import type { Step } from './step.ts';

/** What a line's DHCP client learned. */
export interface Lease {
  address: string;
  /** Length of the prefix. */
  prefix: number;
  gateway: string | null;
  nameServers: readonly string[];
}

/** How a line is at the moment. */
export interface LineState {
  lease: Lease | null;
  /** By its probes; a line that was not yet probed counts as alive. */
  alive: boolean;
}

/** States of lines, by the device of the line. */
export type LineStates = Readonly<Record<string, LineState>>;

const untouched: LineState = { lease: null, alive: true };

/** The address and the gateway that a line has at the moment. */
function placeOf({ fixed }: PlanLine, lease: Lease | null): LineLease | null {
  return fixed ?? (lease?.gateway ? { address: lease.address, gateway: lease.gateway } : null);
}

/**
 * A plan together with what its lines are at the moment: addresses, routes and rules that nobody knows beforehand. A lost
 * line gives way only to a living one: probes that nobody answers are no reason to take the only way out.
 */
export function withLines(plan: Plan, states: LineStates): Plan {
  const addresses = [...plan.addresses];
  const routes = [...plan.routes];
  const rules = [...plan.rules];
  const stateOf = ({ device }: PlanLine) => states[device] ?? untouched;
  const another = plan.lines.some((line) => placeOf(line, stateOf(line).lease) !== null && stateOf(line).alive);
  for (const line of plan.lines) {
    const { lease, alive } = stateOf(line);
    if (line.fixed === null && lease !== null) {
      addresses.push({ device: line.device, address: `${lease.address}/${lease.prefix}` });
    }
    const at = placeOf(line, lease);
    if (at === null) continue;
    const entries = lineEntries(line, at, alive || !another);
    routes.push(...entries.routes);
    rules.push(...entries.rules);
  }
  return { ...plan, addresses, routes, rules };
}

/** Ends the connections that went out over a line, so that they begin anew over a living one. */
export function forgetConnections({ mark }: PlanLine): Step {
  const words = `0x${mark.value.toString(16)}/0x${mark.mask.toString(16)}`;
  return { do: 'run', argv: ['conntrack', '-D', '--mark', words], fine: 'absent' };
}

/** The file in which a DHCP client's hook leaves what it learned. */
export function leaseFile(run: string, device: string): string {
  return join(run, `lease-${device}`);
}

/** The program that DHCP clients call. `/run` is mounted so on many systems that no program of it can be run. */
export function hookFile(hooks: string): string {
  return join(hooks, 'dhcp-event');
}

/** Where a line's DHCP client leaves its pid, and what its command line has in it. */
export function clientOf(run: string, device: string): { pidFile: string; of: string } {
  return { pidFile: join(run, `udhcpc-${device}.pid`), of: `udhcpc -b -i ${device} ` };
}

/** Starts the DHCP client of a line, where it does not run. It stays when nobody answers, and asks again. */
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

/** Ends it, and forgets what it learned. */
export function unmakeDhcpClient({ device }: PlanDhcpClient, run: string): Step[] {
  return [
    { do: 'stop', ...clientOf(run, device) },
    { do: 'remove', path: leaseFile(run, device) },
  ];
}

/**
 * What the DHCP client runs at every change: it only writes down what the server said, reduced to the characters of
 * addresses. The agent reads that and changes the box.
 */
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

/** Reads what the hook wrote; null when it is no lease. */
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

/** What goes into the file that dnsmasq reads its servers from: those of living lines first. */
export function resolvText(plan: Plan, states: LineStates): string {
  const wanted = plan.dhcpClients.flatMap(({ device, resolv }) =>
    resolv === null ? [] : [states[device] ?? untouched],
  );
  const servers = wanted
    .toSorted((a, b) => Number(b.alive) - Number(a.alive))
    .flatMap(({ lease }) => lease?.nameServers ?? []);
  return [...new Set(servers)].map((server) => `nameserver ${server}\n`).join('');
}

/** An address that a host can have: neither of this host, nor of a group, nor of all. */
function usable(address: string): boolean {
  return isIPv4(address) && !/^(0|127|22[4-9]|2[3-5]\d)\./.test(address);
}
