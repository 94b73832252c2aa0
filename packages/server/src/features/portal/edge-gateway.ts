import type { CaptiveLack, CaptiveReason } from '@yunxun/contract';
import {
  asList,
  asRecord,
  type Capabilities,
  type EdgeCaptiveParams,
  type EdgeToolParams,
  edgeToolMethod,
  isRecord,
} from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readLatestStates } from '../../telemetry/index.ts';
import { type DeviceCommands, DeviceError, DeviceOffline, DeviceTimeout } from '../../uplink/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices, fleetGateways, type ManagedDevice, type ProbingGateway } from '../fleet/index.ts';
import { type CaptiveChoice, ssidChoice } from './captive/range.ts';
import type { SiteKey } from './visit-store.ts';

export interface EdgeGatewayDeps {
  database: Database;
  clock: Clock;
  configuration: Pick<Configuration, 'pushWaves' | 'lansOf' | 'guestGates'>;
  devices: Pick<DeviceCommands, 'call'>;
}

export interface EdgeFacts extends CaptiveChoice {
  reason: CaptiveReason | null;
  in_force: boolean;
  /** Empty without the ability to capture. */
  lacks: CaptiveLack[];
}

export interface EdgeAbilities {
  opensAway: boolean;
  namesClients: boolean;
  connects: boolean;
  passes: boolean;
}

export type Reach = 'open' | 'closed' | 'unresolved';

export type OrderResult = 'acknowledged' | 'refused' | 'unreachable';

const orderMs = 15_000;

export function createEdgeGateways({ database, clock, configuration, devices }: EdgeGatewayDeps) {
  async function gatewaysOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ManagedDevice[]> {
    if (gwids.length === 0) return [];
    return (await fleetDevices.ofNetworks(tx, accountId, gwids, clock.now())).filter(({ routes }) => routes);
  }

  async function send(
    { accountId, gwid }: SiteKey,
    params: EdgeToolParams | EdgeCaptiveParams,
    isFit: (gateway: ProbingGateway) => boolean,
  ): Promise<{ result: OrderResult; tool: unknown }> {
    const gateway = (await database.withSystem((tx) => fleetGateways.probing(tx, [gwid]))).get(gwid);
    if (gateway?.accountId !== accountId || !isFit(gateway)) return { result: 'unreachable', tool: null };
    try {
      const ref = { accountId, serial: gateway.serial };
      const { status } = await devices.call(ref, edgeToolMethod, params, { timeoutMs: orderMs });
      const { error, tool } = asRecord<{ error: unknown; tool: unknown }>(status);
      return { result: error === 0 ? 'acknowledged' : 'refused', tool };
    } catch (error) {
      if (error instanceof DeviceOffline || error instanceof DeviceTimeout)
        return { result: 'unreachable', tool: null };
      if (error instanceof DeviceError) return { result: 'refused', tool: null };
      throw error;
    }
  }

  /** Returns null without an answer. */
  async function ask(
    site: SiteKey,
    params: EdgeToolParams,
  ): Promise<Partial<Record<'dns' | 'connect', unknown>> | null> {
    const { result, tool } = await send(site, params, () => true);
    return result === 'acknowledged' ? asRecord<Record<'dns' | 'connect', unknown>>(tool) : null;
  }

  async function choice(tx: Tx, accountId: string, gwid: string): Promise<CaptiveChoice> {
    const lans = await configuration.lansOf(tx, accountId, gwid);
    return { lans, ssids: ssidChoice(await configuration.guestGates.ssids(tx, accountId, gwid), lans) };
  }

  return {
    choice,

    async facts(tx: Tx, accountId: string, gwid: string): Promise<EdgeFacts> {
      const [gateway] = await gatewaysOf(tx, accountId, [gwid]);
      const states = gateway && (await readLatestStates(tx, accountId, [gateway.serial]));
      const report = gateway?.status === 'online' && states?.get(gateway.serial)?.params.state;
      const reason = inability(gateway);
      return {
        reason,
        lacks: reason === null ? lacksOf(gateway!) : [],
        ...(await choice(tx, accountId, gwid)),
        in_force: isRecord(capturedIn(report)),
      };
    },

    async abilities(tx: Tx, accountId: string, gwid: string): Promise<EdgeAbilities> {
      const [gateway] = await gatewaysOf(tx, accountId, [gwid]);
      const able = gateway && inability(gateway) === null ? abilitiesOf(gateway) : {};
      return {
        opensAway: able.captiveAway === true,
        namesClients: able.captiveApi === true,
        connects: able.connect === true,
        passes: able.captivePay === true,
      };
    },

    /** Returns the networks whose gateway opens by itself while the console is away. */
    async openingAway(tx: Tx, accountId: string, gwids: readonly string[]): Promise<string[]> {
      const gateways = await gatewaysOf(tx, accountId, gwids);
      const able = (gateway: ManagedDevice) => inability(gateway) === null && abilitiesOf(gateway).captiveAway === true;
      return [...new Set(gateways.filter(able).flatMap(({ gwid }) => gwid ?? []))];
    },

    /** Returns null without gateways. */
    async push(tx: Tx, acting: Acting, gwids: readonly string[]): Promise<string | null> {
      const gateways = (await gatewaysOf(tx, acting.accountId, gwids)).map(({ serial, gwid, name }) => ({
        serial,
        gwid,
        name,
        wave: 0,
      }));
      if (gateways.length === 0) return null;
      const reason = { cause: 'portal_saved', author: acting.actor?.name ?? acting.source } as const;
      return configuration.pushWaves(tx, acting, gateways, reason);
    },

    /** Asks the gateway's resolvers; null without an answer of the gateway. */
    async resolves(site: SiteKey, target: string): Promise<boolean | null> {
      const result = await ask(site, { tool: 'dns', target });
      return result && asList(result.dns).some((one) => asList(asRecord<{ answers: unknown }>(one).answers).length > 0);
    },

    /** Opens a TCP connection from the gateway; null without an answer of the gateway. */
    async reaches(site: SiteKey, target: string, port: number): Promise<Reach | null> {
      const result = await ask(site, { tool: 'connect', target, port });
      if (result === null) return null;
      const { error } = asRecord<{ error: unknown }>(result.connect);
      if (error === null) return 'open';
      return error === 'ENOTFOUND' || error === 'EAI_AGAIN' ? 'unresolved' : 'closed';
    },

    async order(site: SiteKey, params: EdgeCaptiveParams): Promise<OrderResult> {
      return (await send(site, params, ({ captures }) => captures)).result;
    },
  };
}

export type EdgeGateways = ReturnType<typeof createEdgeGateways>;

/** Untrusted. */
export function capturedIn(state: unknown): unknown {
  return asRecord<{ captive: unknown }>(asRecord<{ yunxun: unknown }>(state).yunxun).captive;
}

function inability(gateway: ManagedDevice | undefined): CaptiveReason | null {
  if (!gateway) return 'no_gateway';
  // a gateway that never connected may be any
  if (gateway.capabilities === null) return 'never_connected';
  const { platform, yunxun } = gateway.capabilities as Capabilities;
  if (platform !== 'olg' || !isRecord(yunxun)) return 'not_agent';
  const ability = yunxun.abilities?.captive;
  if (ability === undefined) return 'version';
  return ability ? null : 'no_resolver';
}

function abilitiesOf({ capabilities }: ManagedDevice): Record<string, boolean> {
  return (((capabilities as Capabilities).yunxun ?? {}) as { abilities?: Record<string, boolean> }).abilities ?? {};
}

function lacksOf(gateway: ManagedDevice): CaptiveLack[] {
  const abilities = abilitiesOf(gateway);
  const rates: CaptiveLack[] =
    abilities.captiveRates === undefined ? ['rates_version'] : abilities.captiveRates ? [] : ['rates_kernel'];
  return [
    ...rates,
    ...(abilities.captiveAway ? [] : (['away_version'] as const)),
    ...(abilities.captiveRanges ? [] : (['ranges_version'] as const)),
    ...(abilities.captiveBridge === false ? (['bridge_kernel'] as const) : []),
  ];
}
