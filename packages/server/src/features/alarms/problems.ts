import type { AlarmKind } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { deviceHealth, deviceLevels, wanStates } from '../../telemetry/read/alarm-levels.ts';
import { slowPorts } from '../../telemetry/read/slow-ports.ts';
import { type DeviceRef, expiringCertificates, sharedCertificates } from '../../uplink/index.ts';
import { overdueBackups } from '../backup/overdue.ts';
import { failedUpgrades } from '../firmware/failed-upgrades.ts';
import { configurationTroubles } from '../fleet/placed-devices.ts';
import { openPeripheralOutages } from '../peripherals/open-outages.ts';
import { readEventPeriods } from './event-problems.ts';
import { readGateways } from './gateway-problems.ts';
import type { Collector, Limits, Observation, ObservationRequest } from './observations.ts';
import type { MeasuredKind, Rule } from './standard-rules.ts';

export const undatedKinds: readonly AlarmKind[] = [
  ...(['wan_down', 'health_low', 'memory_high', 'channel_busy', 'temperature_high', 'wan_latency_high'] as const),
  ...(['wan_loss_high', 'port_slow', 'dhcp_pool_low', 'storage_low', 'sdwan_down', 'load_high'] as const),
];

const dayMs = 86_400_000;

/** Queries each source once for all accounts. System role. */
export async function readObservations(tx: Tx, request: ObservationRequest): Promise<Observation[]> {
  const { now, limits, tracked } = request;
  const found: Observation[] = [];
  const { measured, observe } = collector(found);
  for (const { health, ...ref } of await deviceHealth(tx, now, limits.health_low, tracked('health_low')))
    measured('health_low', ref, health);
  const levels = {
    ...{ memory: limits.memory_high, busy: limits.channel_busy },
    ...{ temperature: limits.temperature_high, load: limits.load_high },
  };
  const ofLevels = (['memory_high', 'channel_busy', 'temperature_high', 'load_high'] as const).flatMap(tracked);
  for (const { memory, busy, temperature, load, ...ref } of await deviceLevels(tx, now, levels, ofLevels)) {
    measured('memory_high', ref, memory);
    measured('channel_busy', ref, busy);
    measured('temperature_high', ref, temperature);
    measured('load_high', ref, load);
  }
  await readWans(tx, request, { measured, observe });
  await readGateways(tx, request, { measured, observe });
  for (const { name, isSlow, speed, ...ref } of await slowPorts(tx, now, tracked('port_slow')))
    observe('port_slow', ref, name, isSlow, speed);
  const dated = (kind: AlarmKind, ref: DeviceRef & { since: Date }, part = '') =>
    found.push({ ...only(ref), kind, part, isProblem: true, since: ref.since, value: null });
  for (const { state, ...ref } of await configurationTroubles(tx))
    dated(state === 'failed' ? 'config_failed' : 'config_drifted', ref);
  for (const ref of await failedUpgrades(tx, now, tracked('upgrade_failed'))) dated('upgrade_failed', ref);
  for (const ref of await sharedCertificates(tx, now)) dated('certificate_shared', ref);
  for (const { name, ...ref } of await openPeripheralOutages(tx, tracked('peripheral_offline')))
    dated('peripheral_offline', ref, name);
  for (const { accountId, gwid, since } of await overdueBackups(tx))
    found.push({
      ...{ accountId, gwid, serial: null, part: '', since },
      kind: 'backup_overdue',
      isProblem: true,
      value: null,
    });
  found.push(...(await readCertificates(tx, request)), ...(await readEventPeriods(tx, request)));
  return found;
}

function collector(found: Observation[]): Collector {
  return {
    measured(kind, ref, value, part = '') {
      if (value === null) return;
      const seen = { measured: value, value: Math.round(value * 10) / 10 };
      found.push({ ...only(ref), kind, part, isProblem: true, since: null, ...seen });
    },
    observe: (kind, ref, part, isProblem, value = null) =>
      void found.push({ ...only(ref), kind, part, isProblem, since: null, value }),
  };
}

async function readWans(tx: Tx, { now, tracked }: ObservationRequest, { measured, observe }: Collector): Promise<void> {
  const wans = await wanStates(tx, now);
  for (const { name, alive, latency, loss, ...ref } of wans) {
    if (name === null) continue;
    if (alive !== null) observe('wan_down', ref, name, !alive);
    // a WAN that is down loses all probes: one problem
    const isUp = alive !== false;
    measured('wan_latency_high', ref, isUp ? latency : 0, name);
    measured('wan_loss_high', ref, isUp ? loss : 0, name);
  }
  const namesOf = new Map<string, Set<string | null>>();
  for (const { accountId, serial, name } of wans) {
    const id = `${accountId} ${serial}`;
    namesOf.set(id, (namesOf.get(id) ?? new Set()).add(name));
  }
  // a WAN that the gateway no longer has
  for (const kind of ['wan_down', 'wan_latency_high', 'wan_loss_high'] as const)
    for (const one of tracked(kind))
      if (namesOf.get(`${one.accountId} ${one.serial}`)?.has(one.part) === false) observe(kind, one, one.part, false);
}

async function readCertificates(tx: Tx, { now, limits }: ObservationRequest): Promise<Observation[]> {
  const before = new Date(now.getTime() + limits.certificate_expiring * dayMs);
  return (await expiringCertificates(tx, before)).map(({ expiresAt, ...ref }) => {
    const value = Math.floor((expiresAt.getTime() - now.getTime()) / dayMs);
    return { ...only(ref), kind: 'certificate_expiring', part: '', isProblem: true, since: null, expiresAt, value };
  });
}

function only({ accountId, serial }: DeviceRef): DeviceRef {
  return { accountId, serial };
}

/** Merges rules, so that one query finds any account's problems. */
export function mildest(rules: readonly Rule[]): Limits {
  const of = (kind: MeasuredKind) => rules.flatMap((rule) => (rule.kind === kind ? (rule.threshold ?? []) : []));
  return {
    health_low: Math.max(...of('health_low')),
    memory_high: Math.min(...of('memory_high')),
    channel_busy: Math.min(...of('channel_busy')),
    temperature_high: Math.min(...of('temperature_high')),
    load_high: Math.min(...of('load_high')),
    certificate_expiring: Math.max(...of('certificate_expiring')),
  };
}
