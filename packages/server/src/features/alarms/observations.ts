import type { AlarmKind } from '@yunxun/contract';
import type { DeviceRef } from '../../uplink/index.ts';
import type { MeasuredKind, Rules } from './standard-rules.ts';

/** Of a device, or of a network. */
export interface Observation {
  accountId: string;
  kind: AlarmKind;
  /** Null: about the network. */
  serial: string | null;
  gwid?: string;
  part: string;
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
  rulesOf(accountId: string): Rules;
  limits: Limits;
  tracked: Tracked;
  /** Older ones are not read. */
  endedSince: Date;
}

export interface Collector {
  /** Compares with the rule's threshold; null: unknown. */
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
