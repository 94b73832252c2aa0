import { isIPv4 } from 'node:net';
import type { PortalContent } from '@yunxun/contract';
import { markOf } from '../adapters/secrets-in-use.ts';
import type { RadiusAddress } from '../radius-address.ts';
import { whitelistHosts } from '../whitelist.ts';
import { hotspotSettings } from './hotspot-settings.ts';
import { uamCaptive } from './uam-captive.ts';

const levels = { opennds_1: 1, opennds_3: 3, opennds_4: 4 } as const;

/**
 * Returns UCI commands for openNDS, JSON of uCentral's `services.captive`, or RouterOS commands. No value has quotes: secrets and keys are
 * base64url.
 */
export function gatewaySettings(
  origin: string,
  { gateway, key }: { gateway: keyof typeof levels | 'uam' | 'mikrotik'; key: string },
  secret: string,
  content: PortalContent | null,
  { radius, addresses, pay = [] }: { radius: RadiusAddress; addresses: readonly string[]; pay?: readonly string[] },
): string {
  const { hostname, port, protocol } = new URL(origin);
  const open = [...new Set([...(content ? whitelistHosts(content) : []), ...pay])];
  if (gateway === 'mikrotik') return hotspotSettings(origin, key, open, radius);
  if (gateway === 'uam') return uamSettings(origin, [hostname, ...open], key, secret, radius);
  const fasport = port || (protocol === 'https:' ? '443' : '80');
  // level 1 gives openNDS no limits: the shortest session applies
  const minutes = (content?.methods ?? []).map((method) => method.minutes).filter((value) => value > 0);
  const lines: [string, string][] = [
    ['gatewayname', `yunxun-${key.slice(0, 8)}`],
    ['fasport', fasport],
    // up to 10.1 openNDS lets guests through to this address only, and never asks for that of the name
    ['fasremoteip', addresses[0] ?? `<IPv4 address of ${hostname}>`],
    ...(isIPv4(hostname) ? [] : [['fasremotefqdn', hostname] as [string, string]]),
    ['faspath', `/p/${key}/fas/${markOf(secret)}`],
    ['fas_secure_enabled', String(levels[gateway])],
    ['faskey', secret],
    ...(gateway === 'opennds_1'
      ? [['sessiontimeout', String(minutes.length > 0 ? Math.min(...minutes) : 1440)] as [string, string]]
      : [['nat_traversal_poll_interval', '2'] as [string, string]]),
  ];
  const commands = lines.map(([name, value]) => `uci set opennds.@opennds[0].${name}='${value}'`);
  const garden =
    addresses.length > 1 ? walledGarden([hostname, ...open], ['443', fasport]) : walledGarden(open, ['443']);
  return [
    'uci -q delete opennds.@opennds[0].fasremotefqdn',
    ...commands,
    ...garden,
    'uci commit opennds',
    'service opennds restart',
  ].join('\n');
}

/** Never opens port 80, with which phones would not notice the sign-in. No addresses. */
function walledGarden(open: readonly string[], ports: readonly string[]): string[] {
  const names = open.filter((host) => !isIPv4(host));
  const add = (list: string, value: string) => `uci add_list opennds.@opennds[0].${list}='${value}'`;
  return [
    'uci -q delete opennds.@opennds[0].walledgarden_fqdn_list',
    'uci -q delete opennds.@opennds[0].walledgarden_port_list',
    ...(names.length === 0
      ? []
      : [
          ...[...new Set(names)].map((name) => add('walledgarden_fqdn_list', name)),
          ...[...new Set(ports)].filter((port) => port !== '80').map((port) => add('walledgarden_port_list', port)),
        ]),
  ];
}

function uamSettings(
  origin: string,
  open: readonly string[],
  key: string,
  secret: string,
  radius: RadiusAddress,
): string {
  const server = (port: number | null) => ({
    host: port === null ? '<RADIUS is switched off>' : radius.host,
    port,
    secret: '<RADIUS secret>',
  });
  const captive = uamCaptive({ origin, key, secret, open, auth: server(radius.auth), acct: server(radius.acct) });
  return JSON.stringify({ services: { captive } }, null, 2);
}
