import type { gateway, SdwanCandidateReason } from '@yunxun/contract';
import { asList, type Capabilities, type EdgeSdwanState, isRecord } from '@yunxun/contract/device';
import { networkText, readSubnet } from '@yunxun/contract/ipv4';
import type { Tx } from '../../platform/database/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices, fleetNetworks, type ManagedDevice } from '../fleet/index.ts';

type GatewaySettings = Pick<gateway.GatewaySettings, 'lines' | 'networks' | 'routes'>;

export interface Site {
  gwid: string;
  name: string;
  device: ManagedDevice | null;
  online: boolean;
  /** Null before the first report with SD-WAN. */
  state: EdgeSdwanState | null;
  reportedAt: Date | null;
  wanAddresses: string[];
  wanGateways: string[];
  source: string | null;
  /** Source address if on a WAN; else behind NAT. */
  publicIp: string | null;
  /** Null: it can join. */
  reason: Exclude<SdwanCandidateReason, 'too_many_networks'> | null;
}

export interface GatewayAddresses {
  lans: string[];
  wans: string[];
  nameServers: string[];
}

export interface FactsDeps {
  now(): Date;
  /** IPv4 addresses of console and portal, if known. */
  consoles(): readonly string[];
  /** By `gwid`; without settings, missing. */
  addressesOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, GatewayAddresses>>;
  latestStates(
    tx: Tx,
    accountId: string,
    serials: readonly string[],
  ): Promise<Map<string, { at: Date; params: Record<string, unknown> }>>;
}

/** Reads the gateways of networks, by `gwid`. */
export async function readSites(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
  { now, latestStates }: FactsDeps,
): Promise<Map<string, Site>> {
  const names = await fleetNetworks.names(tx, accountId, gwids);
  const devices = (await fleetDevices.ofNetworks(tx, accountId, gwids, now())).filter(({ routes }) => routes);
  const serials = devices.map(({ serial }) => serial);
  const addresses = await fleetDevices.names(tx, accountId, serials);
  const reports = await latestStates(tx, accountId, serials);
  const byGwid = new Map(devices.map((device) => [device.gwid, device]));
  return new Map(
    [...names].map(([gwid, name]) => {
      const device = byGwid.get(gwid) ?? null;
      const report = device ? reports.get(device.serial) : undefined;
      const edge = edgeOf(report?.params);
      const wanAddresses = wansOf(edge, 'address');
      const source = device ? (addresses.get(device.serial)?.address ?? null) : null;
      const state = stateOf(edge);
      const site: Site = {
        gwid,
        name,
        device,
        state,
        wanAddresses,
        source,
        reportedAt: report?.at ?? null,
        wanGateways: wansOf(edge, 'gateway'),
        online: device?.status === 'online',
        publicIp: source !== null && wanAddresses.includes(source) ? source : null,
        reason: reasonOf(device, state),
      };
      return [gwid, site];
    }),
  );
}

function reasonOf(device: ManagedDevice | null, state: EdgeSdwanState | null): Site['reason'] {
  if (!device) return 'no_gateway';
  const { platform, yunxun } = (device.capabilities ?? {}) as Capabilities;
  if (platform !== 'olg' || !isRecord(yunxun)) return 'not_agent';
  if (fleetDevices.agentVersion(device) === null) return 'version_unknown';
  const { sdwan: ability, plugins } = yunxun.abilities ?? {};
  // agents with plugins know SD-WAN, and left it out where they lacked WireGuard
  if (ability === undefined && plugins !== true) return 'version';
  if (!ability) return 'not_capable';
  return state ? null : 'no_key';
}

function edgeOf(params: Record<string, unknown> | undefined): Record<string, unknown> {
  const state = params?.state;
  return isRecord(state) && isRecord(state.yunxun) ? state.yunxun : {};
}

function wansOf({ lines }: Record<string, unknown>, field: 'address' | 'gateway'): string[] {
  if (!Array.isArray(lines)) return [];
  return lines.flatMap((line: unknown) => {
    const value = isRecord(line) ? line[field] : null;
    return typeof value === 'string' ? [value] : [];
  });
}

/** Ignores other shapes. */
function stateOf({ sdwan }: Record<string, unknown>): EdgeSdwanState | null {
  if (!isRecord(sdwan) || typeof sdwan.public_key !== 'string' || !Array.isArray(sdwan.networks)) return null;
  const networks = sdwan.networks.flatMap((network: unknown) => {
    if (!isRecord(network) || typeof network.id !== 'string' || !Array.isArray(network.peers)) return [];
    return [{ ...network, routes: asList(network.routes).filter(isRecord) }];
  });
  return { public_key: sdwan.public_key, networks: networks as unknown as EdgeSdwanState['networks'] };
}

export function addressesIn({ lines, networks, routes }: GatewaySettings): GatewayAddresses {
  const lans = networks.flatMap(({ address }) => {
    const subnet = readSubnet(address);
    return subnet ? [networkText(subnet)] : [];
  });
  return {
    lans: [...lans, ...routes.map(({ to }) => to)],
    wans: lines.flatMap(({ address, gateway: via }) => [address?.split('/')[0] ?? [], via ?? []].flat()),
    nameServers: lines.flatMap(({ dns }) => dns),
  };
}

export async function lansOf(tx: Tx, accountId: string, gwid: string, { gateway }: Pick<Configuration, 'gateway'>) {
  const { settings } = await gateway.get(tx, accountId, gwid);
  return settings.networks.flatMap(({ address }) => {
    const subnet = readSubnet(address);
    return subnet ? [{ prefix: networkText(subnet) }] : [];
  });
}
