import type { DataOf, gateway, InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetDevices, fleetNetworks, type ManagedDevice } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { ChangeRegistry } from './changes.ts';
import { type GatewayIntent, type GatewayReport, lastingErrors } from './compile/index.ts';
import { defaultLan, proposeLan } from './compile/lan.ts';
import { checkGateway } from './gateway-check.ts';
import { gatesOf, mtusOf, portsOf, takesGatewaySettings, usualSettings } from './gateway-facts.ts';
import type { GatewayParticipants } from './gateway-participants.ts';
import { type GatewayReportDeps, readGatewayReports } from './gateway-reports.ts';
import { readGateway, readGateways, writeGateway } from './gateway-store.ts';
import { readOverride } from './intent-store.ts';
import type { Planner } from './planner.ts';
import type { Previews } from './previews.ts';
import type { Rollout } from './rollout.ts';

type Contract = typeof gateway;

const savePath = '/api/v3/network/gateway/save';

export interface GatewayDeps {
  clock: Clock;
  keys: AccountKeys;
  latestStates: GatewayReportDeps['latestStates'];
  planner: Planner;
  rollout: Rollout;
  changes: Pick<ChangeRegistry, 'before'>;
  previews: Previews;
  participants: Pick<GatewayParticipants, 'effects' | 'follow'>;
}

export function createGateway(deps: GatewayDeps) {
  const { clock, planner, rollout, previews, changes, participants } = deps;
  async function gatewayOf(tx: Tx, accountId: string, gwid: string): Promise<ManagedDevice | undefined> {
    return (await fleetDevices.ofNetwork(tx, accountId, gwid, clock.now())).find(({ routes }) => routes);
  }

  async function reportOf(tx: Tx, device: ManagedDevice | undefined): Promise<GatewayReport> {
    const report = device && (await readGatewayReports(tx, deps, device.accountId, [device])).get(device.serial);
    return report ?? { subnets: [], current: false, lans: [] };
  }

  async function get(tx: Tx, accountId: string, gwid: string): Promise<DataOf<Contract['gatewayGet']>> {
    const device = await gatewayOf(tx, accountId, gwid);
    const { version, value, updatedAt, updatedBy } = await readGateway(tx, accountId, gwid);
    const lan = device ? (await readOverride(tx, accountId, device.serial)).value.lan_address : null;
    const ports = portsOf(device);
    const report = await reportOf(tx, device);
    const found = report.current ? (report.found ?? []) : [];
    const { model } = (device?.capabilities ?? {}) as { model?: string };
    return {
      gwid,
      version,
      settings: value ?? usualSettings(ports, lan ?? proposeLan(report) ?? defaultLan, found),
      origin: value ? 'saved' : found.length + report.lans.length > 0 ? 'running' : 'proposed',
      gateway: device ? { serial: device.serial, name: device.name, status: device.status, model: model ?? '' } : null,
      ports,
      mtus: mtusOf(device),
      gates: gatesOf(device),
      reported: [...report.subnets],
      updated_at: updatedAt?.toISOString() ?? null,
      updated_by: updatedBy,
    };
  }

  async function compiled(tx: Tx, accountId: string, gwid: string, settings: GatewayIntent) {
    const device = await gatewayOf(tx, accountId, gwid);
    const devices = device ? [device] : [];
    return { devices, compile: await planner.compiler(tx, accountId, devices, { gateway: settings }) };
  }

  /** @throws Invalid */
  async function preview(
    tx: Tx,
    acting: Acting,
    { gwid, settings }: InputOf<Contract['gatewayPreview']>,
  ): Promise<DataOf<Contract['gatewayPreview']>> {
    const { accountId } = acting;
    checkGateway(settings, (await reportOf(tx, await gatewayOf(tx, accountId, gwid))).subnets);
    const { devices, compile } = await compiled(tx, accountId, gwid, settings);
    const { settings: before } = await get(tx, accountId, gwid);
    const effects = await participants.effects(acting, { gwid, before, after: settings });
    return { ...(await previews(tx, accountId, devices, compile)), effects };
  }

  /** @throws Failure changedMeanwhile, unsupported; Invalid */
  async function save(
    tx: Tx,
    acting: Acting,
    { gwid, version: over, settings }: InputOf<Contract['gatewaySave']>,
  ): Promise<DataOf<Contract['gatewaySave']>> {
    const { accountId } = acting;
    checkGateway(settings, (await reportOf(tx, await gatewayOf(tx, accountId, gwid))).subnets);
    const before = await readGateway(tx, accountId, gwid, true);
    const by = acting.actor?.name ?? acting.source;
    const ran = (await get(tx, accountId, gwid)).settings;
    if (before.version === over) await changes.before(tx, acting, { gwids: [gwid], cause: 'gateway_saved' });
    const fresh =
      before.version === over &&
      (await writeGateway(tx, { accountId, gwid, over, intent: settings, at: clock.now(), by }));
    if (!fresh)
      throw new Failure('changedMeanwhile', { data: { version: before.version, updated_by: before.updatedBy } });
    await participants.follow(tx, accountId, { gwid, before: ran, after: settings });
    const { devices, compile } = await compiled(tx, accountId, gwid, settings);
    const wrong = devices.flatMap((device) => lastingErrors(compile(device)));
    if (wrong.length > 0) throw new Failure('unsupported', { data: { findings: wrong } });
    const reason = { cause: 'gateway_saved' as const, author: by };
    const takers = devices.filter(takesGatewaySettings);
    const jobId = await rollout.start(tx, acting, takers, reason);
    const version = over + 1;
    await record(tx, acting, {
      action: 'network.gateway.save',
      object: { type: 'network', id: gwid, name: (await fleetNetworks.name(tx, accountId, gwid)) ?? gwid },
      gwid,
      before: before.value ? shown(before.value) : {},
      after: shown(settings),
      ...(before.value && { inverse: { path: savePath, input: { gwid, version, settings: before.value } } }),
      ...(jobId && { jobId }),
    });
    return {
      job_id: jobId,
      version,
      offline: fleetDevices.isAllOffline(takers),
      unconfirmed: fleetDevices.unconfirmed(takers),
    };
  }

  async function savedOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<Map<string, GatewayIntent>> {
    const saved = await readGateways(tx, accountId, gwids);
    return new Map([...saved].flatMap(([gwid, { value }]) => (value ? [[gwid, value]] : [])));
  }

  return { get, preview, save, savedOf };
}

/** Formats for the operation log, with the order of WANs. */
function shown({ reboot, ...settings }: GatewayIntent): object {
  const { lines: wans } = settings;
  const order = wans.length > 1 ? { line_order: wans.map(({ name }) => name) } : {};
  if (!reboot) return { ...settings, ...order, reboot };
  const { days: weekdays, ...time } = reboot;
  return { ...settings, ...order, reboot: { weekdays, ...time } };
}
