import type { AlarmKind, AlarmLevel, AlarmPreset, alarms } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import type { GatewayLevels } from '../../telemetry/read/alarm-levels.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import type { EventPeriod } from '../fleet/event-periods.ts';

/** Kinds with a threshold. */
export type MeasuredKind = keyof typeof alarms.alarmThresholds;

type Values = readonly [level: AlarmLevel, tolerance: number, threshold: number | null];

/** Null: switched off. */
export type PresetValues = Readonly<Record<AlarmPreset, Values | null>> & { normal: Values };

/**
 * Brings the alarm kinds of a feature: the values of their main rules, and how their problems are read. A feature
 * lists its source in `sources.ts`.
 */
export interface AlarmSource<K extends AlarmKind = AlarmKind> {
  kinds: Readonly<Record<K, PresetValues>>;
  /** Reads problems of all accounts. System role. */
  read(tx: Tx, request: SourceRequest): Promise<Observation[]>;
}

/** @param quiet null: switched off */
export function presetValues(quiet: Values | null, normal: Values, strict: Values): PresetValues {
  return { quiet, normal, strict };
}

/** Of a device, a network, or the account. */
export interface Observation {
  accountId: string;
  kind: AlarmKind;
  /** Null: about the network or the account. */
  serial: string | null;
  /** Of the network; for the account its own id. */
  gwid?: string;
  part: string;
  /** Compared with the threshold of its rule, which depends on the place. */
  measured?: number;
  /** Begins the rule's days before. */
  expiresAt?: Date;
  isProblem: boolean;
  /** Null: unknown. */
  since: Date | null;
  /** Absent while it lasts. */
  ended?: Date | null;
  value: number | null;
}

/** Read even if no problem any more. */
export type Tracked = (kind: AlarmKind) => readonly (DeviceRef & { part: string })[];

export interface ObservationRequest {
  now: Date;
  limits: Limits;
  tracked: Tracked;
  /** As `tracked`, for kinds about networks or the account. */
  trackedNetworks(kind: AlarmKind): readonly { accountId: string; gwid: string; part: string }[];
  /** Older ones are not read. */
  endedSince: Date;
}

export interface SourceRequest extends ObservationRequest {
  /** Read once for all sources. */
  gateways: readonly GatewayLevels[];
  events: readonly EventPeriod[];
}

export interface Collector {
  /** Null: unknown. */
  measured(kind: MeasuredKind, ref: DeviceRef, value: number | null, part?: string): void;
  observe(kind: AlarmKind, ref: DeviceRef, part: string, isProblem: boolean, value?: number | null): void;
}

/** Mildest of any account, by kind. */
export type Limits = Readonly<
  Record<
    'health_low' | 'memory_high' | 'channel_busy' | 'temperature_high' | 'load_high' | 'certificate_expiring',
    number
  >
>;

/** Collects what devices report: undated, so that it must outlast its tolerance under watch. */
export function collector(found: Observation[]): Collector {
  return {
    measured(kind, { accountId, serial }, value, part = '') {
      if (value === null) return;
      const seen = { measured: value, value: Math.round(value * 10) / 10 };
      found.push({ accountId, serial, kind, part, isProblem: true, since: null, ...seen });
    },
    observe: (kind, { accountId, serial }, part, isProblem, value = null) =>
      void found.push({ accountId, serial, kind, part, isProblem, since: null, value }),
  };
}

/** A problem that lasts since a known time. */
export function dated(
  kind: AlarmKind,
  { accountId, serial, since }: DeviceRef & { since: Date },
  part = '',
): Observation {
  return { accountId, serial, kind, part, isProblem: true, since, value: null };
}
