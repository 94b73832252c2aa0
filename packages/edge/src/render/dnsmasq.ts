import type { EdgeCaptive } from '@yunxun/contract/device';
import { maskOf } from '@yunxun/contract/ipv4';
import type { Facts } from '../document/facts.ts';
import { apiOf, captiveNames } from './captive.ts';
import { address, device, mac, path, whole } from './encode.ts';
import type { PlanDnsmasq } from './plan.ts';
import { serviceOptions } from './services.ts';
import { byPreference, resolvPath } from './wans.ts';
import type { Lan, Wan } from './wiring.ts';

/** At least; dnsmasq's default is 1000. */
const fewestLeases = 1000;

export function planDnsmasq(
  wans: readonly Wan[],
  lans: readonly Lan[],
  facts: Facts,
  shielded = false,
  captive: EdgeCaptive | null = null,
): PlanDnsmasq | null {
  const served = lans.flatMap(({ subnet, ...lan }) => (subnet ? [{ ...lan, subnet }] : []));
  if (served.length === 0 || !facts.abilities.dnsmasq) return null;
  const files = {
    leases: path(`${facts.folders.state}/dnsmasq.leases`),
    queries: path(`${facts.folders.run}/dns.log`),
    pid: path(`${facts.folders.run}/dnsmasq.pid`),
    resolv: wans.some(({ addressing, dns }) => addressing.kind === 'dynamic' && dns === null)
      ? path(resolvPath(facts))
      : null,
    ...(shielded ? { servers: path(`${facts.folders.run}/shield.servers`) } : {}),
  };
  const servers = [...new Set(byPreference(wans).flatMap(({ dns }) => dns ?? []))];
  const config = [
    '# yunxun-edge',
    'bind-dynamic',
    'except-interface=lo',
    ...served.map((lan) => `interface=${device(lan.device)}`),
    ...served.filter(({ dhcp }) => dhcp === null).map((lan) => `no-dhcp-interface=${device(lan.device)}`),
    'no-hosts',
    files.resolv === null ? 'no-resolv' : `resolv-file=${files.resolv}`,
    ...servers.map((server) => `server=${address(server)}`),
    ...(files.servers === undefined ? [] : [`servers-file=${files.servers}`]),
    ...captiveNames(captive),
    'domain-needed',
    'bogus-priv',
    'cache-size=1000',
    `pid-file=${files.pid}`,
    `dhcp-leasefile=${files.leases}`,
    'log-queries=extra',
    `log-facility=${files.queries}`,
    'log-async=25',
    'dhcp-authoritative',
    'dhcp-ignore-names=tag:unpublished',
    `dhcp-lease-max=${whole(Math.max(fewestLeases, poolSizes(served)))}`,
    ...served.flatMap((lan) => poolLines(lan, apiOf(captive, lan))),
  ];
  return { config: `${config.join('\n')}\n`, ...files };
}

function poolLines(lan: Lan, api: string | null): string[] {
  const { subnet, dhcp, leases } = lan;
  if (!dhcp || !subnet) return [];
  const tag = device(lan.device);
  const { first, last, leaseS, dns } = dhcp;
  const servers = dns.length > 0 ? dns : [subnet.address];
  return [
    `dhcp-range=set:${tag},${address(first)},${address(last)},${maskOf(subnet.prefix)},${whole(leaseS)}`,
    `dhcp-option=tag:${tag},option:router,${address(subnet.address)}`,
    `dhcp-option=tag:${tag},option:dns-server,${servers.map(address).join(',')}`,
    // RFC 8910
    ...(api === null ? [] : [`dhcp-option=tag:${tag},114,${api}`]),
    ...serviceOptions(lan),
    ...leases
      .toSorted((a, b) => a.address - b.address)
      .map(({ mac: of, address: kept, leaseS: time, publish }) => {
        const hidden = publish ? '' : 'set:unpublished,';
        return `dhcp-host=${mac(of)},${hidden}${address(kept)},${whole(time)}`;
      }),
  ];
}

function poolSizes(lans: readonly Lan[]): number {
  const sizes = lans.map(({ dhcp, leases }) => (dhcp ? dhcp.last - dhcp.first + 1 + leases.length : 0));
  return Math.min(
    sizes.reduce((sum, size) => sum + size, 0),
    65_536,
  );
}
