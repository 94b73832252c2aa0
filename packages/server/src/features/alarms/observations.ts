import type { AlarmKind } from '@yunxun/contract';
import type { DeviceRef } from '../../uplink/index.ts';
import type { MeasuredKind } from './standard-rules.ts';

/** Of a device, or of a network. */
export interface Observation {
  accountId: string;
  kind: AlarmKind;
  /** Null: about the network. */
  serial: string | null;
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
  /** Older ones are not read. */
  endedSince: Date;
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
