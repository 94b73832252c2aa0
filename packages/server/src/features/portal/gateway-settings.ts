import { isIPv4 } from 'node:net';
import { radius as contract, type PortalContent } from '@yunxun/contract';
import { hotspotSettings } from './hotspot-settings.ts';
import type { RadiusAddress } from './radius-address.ts';
import { whitelistHosts } from './whitelist.ts';

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
  radius: RadiusAddress,
): string {
  const { hostname, port, protocol } = new URL(origin);
  const open = content ? whitelistHosts(content) : [];
  if (gateway === 'mikrotik') return hotspotSettings(origin, key, open, radius);
  if (gateway === 'uam') return uamSettings(origin, [hostname, ...open], key, secret, radius);
  const address = /^[\d.]+$/.test(hostname) ? 'fasremoteip' : 'fasremotefqdn';
  // level 1 gives openNDS no limits: the shortest session applies
  const minutes = (content?.methods ?? []).map((method) => method.minutes).filter((value) => value > 0);
  const lines: [string, string][] = [
    ['gatewayname', `yunxun-${key.slice(0, 8)}`],
    ['fasport', port || (protocol === 'https:' ? '443' : '80')],
    [address, hostname],
    ['faspath', `/p/${key}/fas`],
    ['fas_secure_enabled', String(levels[gateway])],
    ['faskey', secret],
    ...(gateway === 'opennds_1'
      ? [['sessiontimeout', String(minutes.length > 0 ? Math.min(...minutes) : 1440)] as [string, string]]
      : [['nat_traversal_poll_interval', '2'] as [string, string]]),
  ];
  const commands = lines.map(([name, value]) => `uci set opennds.@opennds[0].${name}='${value}'`);
  return [...commands, ...walledGarden(open), 'uci commit opennds', 'service opennds restart'].join('\n');
}

/** Opens 443 only: with port 80 phones would not notice the sign-in. No addresses. */
function walledGarden(open: readonly string[]): string[] {
  const names = open.filter((host) => !isIPv4(host));
  const add = (list: string, value: string) => `uci add_list opennds.@opennds[0].${list}='${value}'`;
  return [
    'uci -q delete opennds.@opennds[0].walledgarden_fqdn_list',
    'uci -q delete opennds.@opennds[0].walledgarden_port_list',
    ...(names.length === 0
      ? []
      : [...names.map((name) => add('walledgarden_fqdn_list', name)), add('walledgarden_port_list', '443')]),
  ];
}

function uamSettings(
  origin: string,
  open: readonly string[],
  key: string,
  secret: string,
  radius: RadiusAddress,
): string {
  const server = (port: number | null) => (port === null ? '<RADIUS is switched off>' : radius.host);
  const radiusSecret = '<RADIUS secret>';
  const captive = {
    'auth-mode': 'uam',
    'uam-server': `${origin}/p/${key}/uam`,
    'uam-port': 3990,
    'uam-secret': secret,
    nasid: key,
    'mac-format': 'aa-bb-cc-dd-ee-ff',
    'final-redirect-url': 'uam',
    'walled-garden-fqdn': [...new Set(open.filter((host) => !isIPv4(host)))],
    'walled-garden-ipaddr': [...new Set(open.filter((host) => isIPv4(host)))],
    'auth-server': server(radius.auth),
    'auth-port': radius.auth,
    'auth-secret': radiusSecret,
    'acct-server': server(radius.acct),
    'acct-port': radius.acct,
    'acct-secret': radiusSecret,
    'acct-interval': contract.radiusLimits.interimSeconds,
  };
  return JSON.stringify({ services: { captive } }, null, 2);
}
