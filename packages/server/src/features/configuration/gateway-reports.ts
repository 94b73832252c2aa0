import {
  asList,
  asRecord,
  asText,
  asTexts,
  type EdgeFoundWan,
  type EdgePort53Listener,
  type EdgeWanState,
  type StateInterface,
} from '@yunxun/contract/device';
import { gatewayLimits } from '@yunxun/contract/gateway-limits';
import { readAddress, readSubnet } from '@yunxun/contract/ipv4';
import type { ReportedSubnet } from '@yunxun/contract/subnet-collisions';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { ManagedDevice } from '../fleet/index.ts';
import { type GatewayReport, isEdge, type UcentralDocument } from './compile/index.ts';
import { readDocuments, readStates, versionName } from './version-store.ts';

/** Bounds invented interfaces and addresses. */
const [maxInterfaces, maxAddresses] = [64, 16];

export interface GatewayReportDeps {
  keys: AccountKeys;
  latestStates(
    tx: Tx,
    accountId: string,
    serials: readonly string[],
  ): Promise<Map<string, { at: Date; params: Record<string, unknown> }>>;
}

/** Skips devices without the Yunxun agent; keyed by serial. */
export async function readGatewayReports(
  tx: Tx,
  { keys, latestStates }: GatewayReportDeps,
  accountId: string,
  devices: readonly ManagedDevice[],
): Promise<Map<string, GatewayReport>> {
  const hosts = devices.filter(({ capabilities }) => isEdge({ device: { capabilities } }));
  const serials = hosts.map(({ serial }) => serial);
  const latest = await latestStates(tx, accountId, serials);
  const states = await readStates(tx, accountId, serials);
  const active = [...states].flatMap(([serial, { state }]) =>
    state.active_uuid === null ? [] : [{ serial, uuid: state.active_uuid }],
  );
  const documents = await readDocuments(tx, keys, accountId, active);
  const running = new Map(active.map(({ serial, uuid }) => [serial, documents.get(versionName(serial, uuid))]));
  return new Map(
    hosts.map(({ serial, onlineSince }) => {
      const report = latest.get(serial);
      const inSession = onlineSince !== null && report !== undefined && report.at >= onlineSince;
      const current = states.get(serial)?.known === true || inSession;
      const lans = lansOf(running.get(serial) ?? null);
      const { state } = report?.params ?? {};
      return [serial, { subnets: subnetsOf(state), current, lans, found: foundOf(state), port53: port53Of(state) }];
    }),
  );
}

/**
 * Returns a state report's IPv4 addresses, then LANs withheld because a line's lease or router lies there: more subnets
 * of that line.
 */
export function subnetsOf(state: unknown): ReportedSubnet[] {
  const { interfaces, yunxun } = asRecord<{ interfaces: unknown; yunxun: unknown }>(state);
  return [...addressesOf(interfaces), ...reportedCollisions(asRecord<{ lines: unknown }>(yunxun).lines)];
}

function addressesOf(interfaces: unknown): ReportedSubnet[] {
  return asList(interfaces)
    .slice(0, maxInterfaces)
    .flatMap((entry) => {
      const { name, ipv4 } = asRecord<StateInterface>(entry);
      const own = asText(name, 32);
      const texts = asTexts(asRecord<NonNullable<StateInterface['ipv4']>>(ipv4).addresses).slice(0, maxAddresses);
      return own ? texts.filter(readSubnet).map((subnet) => ({ interface: own, subnet })) : [];
    });
}

function reportedCollisions(lines: unknown): ReportedSubnet[] {
  return asList(lines)
    .slice(0, maxInterfaces)
    .flatMap((entry) => {
      const wan = asRecord<EdgeWanState>(entry);
      const [name, subnet] = [asText(wan.interface, 32), asText(wan.collides, 18)];
      return name && subnet && readSubnet(subnet) ? [{ interface: name, subnet }] : [];
    });
}

function foundOf(state: unknown): EdgeFoundWan[] {
  const { yunxun } = asRecord<{ yunxun: unknown }>(state);
  return asList(asRecord<{ found: unknown }>(yunxun).found)
    .slice(0, maxInterfaces)
    .flatMap((entry) => {
      const { port, address, gateway, dynamic, dns } = asRecord<EdgeFoundWan>(entry);
      const [name, own, via] = [asText(port, 8), asText(address, 18), asText(gateway, 15)];
      if (name === null || own === null || !readSubnet(own)) return [];
      return [
        {
          port: name,
          address: own,
          gateway: readAddress(via) === null ? null : via,
          dynamic: dynamic === true,
          dns: asTexts(dns)
            .filter((text) => readAddress(text) !== null)
            .slice(0, gatewayLimits.dns),
        },
      ];
    });
}

function port53Of(state: unknown): EdgePort53Listener[] {
  const { yunxun } = asRecord<{ yunxun: unknown }>(state);
  return asList(asRecord<{ port53: unknown }>(yunxun).port53)
    .slice(0, maxAddresses)
    .map((entry) => {
      const { protocol, address, process, service } = asRecord<EdgePort53Listener>(entry);
      return {
        protocol: protocol === 'tcp' ? 'tcp' : 'udp',
        address: asText(address, 64) ?? '',
        process: asText(process, 64),
        service: asText(service, 136),
      };
    });
}

export function lansOf(document: UcentralDocument | null): GatewayReport['lans'] {
  return (document?.interfaces ?? []).flatMap(({ name, role, ipv4 }) => {
    const { subnet } = (ipv4 ?? {}) as { subnet?: unknown };
    return role === 'downstream' && typeof subnet === 'string' ? [{ name, subnet }] : [];
  });
}
