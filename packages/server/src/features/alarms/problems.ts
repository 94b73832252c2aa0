import type { Tx } from '../../platform/database/index.ts';
import { deviceHealth, deviceLevels, gatewayLevels, wanStates } from '../../telemetry/read/alarm-levels.ts';
import { slowPorts } from '../../telemetry/read/slow-ports.ts';
import { expiringCertificates, sharedCertificates } from '../../uplink/index.ts';
import { eventPeriods } from '../fleet/event-periods.ts';
import { configurationTroubles } from '../fleet/placed-devices.ts';
import { crashes } from './event-problems.ts';
import {
  type Collector,
  collector,
  dated,
  type Limits,
  type MeasuredKind,
  type Observation,
  type ObservationRequest,
} from './observations.ts';
import { sources } from './sources.ts';
import type { Rule } from './standard-rules.ts';

const dayMs = 86_400_000;

/** Queries each source once for all accounts. System role. */
export async function readObservations(tx: Tx, request: ObservationRequest): Promise<Observation[]> {
  const { now, limits, tracked } = request;
  const found: Observation[] = [];
  const { measured, observe } = collector(found);
  for (const { health, ...ref } of await deviceHealth(tx, now, limits.health_low, tracked('health_low')))
    measured('health_low', ref, health);
  const levels = {
    memory: limits.memory_high,
    busy: limits.channel_busy,
    temperature: limits.temperature_high,
    load: limits.load_high,
  };
  const ofLevels = (['memory_high', 'channel_busy', 'temperature_high', 'load_high'] as const).flatMap(tracked);
  for (const { memory, busy, temperature, load, ...ref } of await deviceLevels(tx, now, levels, ofLevels)) {
    measured('memory_high', ref, memory);
    measured('channel_busy', ref, busy);
    measured('temperature_high', ref, temperature);
    measured('load_high', ref, load);
  }
  await readWans(tx, request, { measured, observe });
  const gateways = await gatewayLevels(tx, now);
  for (const { disk, ...ref } of gateways) measured('storage_low', ref, disk);
  for (const { name, isSlow, speed, ...ref } of await slowPorts(tx, now, tracked('port_slow')))
    observe('port_slow', ref, name, isSlow, speed);
  for (const { state, ...ref } of await configurationTroubles(tx))
    found.push(dated(state === 'failed' ? 'config_failed' : 'config_drifted', ref));
  for (const ref of await sharedCertificates(tx, now)) found.push(dated('certificate_shared', ref));
  const events = await eventPeriods(tx, { now, since: request.endedSince });
  for (const source of sources) found.push(...(await source.read(tx, { ...request, gateways, events })));
  found.push(...(await readCertificates(tx, request)), ...crashes(events));
  return found;
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
    return { ...ref, kind: 'certificate_expiring', part: '', isProblem: true, since: null, expiresAt, value };
  });
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
