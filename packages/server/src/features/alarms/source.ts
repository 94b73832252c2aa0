import type { AlarmKind } from '@yunxun/contract';
import type { MeasuredKind } from '@yunxun/contract/alarm-kinds';
import type { Tx } from '../../platform/database/index.ts';
import type { GatewayLevels } from '../../telemetry/read/alarm-levels.ts';
import type { PastLevel, PoolSizes } from '../../telemetry/read/past-levels.ts';
import type { DeviceRef } from '../../uplink/index.ts';
import type { deviceEvents } from '../fleet/index.ts';

type EventPeriod = Awaited<ReturnType<typeof deviceEvents.periods>>[number];

/** `features.ts` joins those of other features. */
export interface AlarmSource<K extends AlarmKind = AlarmKind> {
  kinds: Readonly<Record<K, AlarmHistory>>;
  /** Covers all accounts. System role. Null: lost connections, which are periods of their own. */
  read: ((tx: Tx, request: SourceRequest) => Promise<Observation[]>) | null;
}

/** Null: not stored, so that rules cannot be tested and alarms have no curve. */
export type AlarmHistory =
  | null
  | 'connections'
  | { level: Exclude<PastLevel, 'leases'> }
  | { level: 'leases'; pools(tx: Tx, accountId: string, only?: string): Promise<PoolSizes> }
  | { read(tx: Tx, accountId: string, request: PastRequest): Promise<StoredProblem[]> };

export interface PastRequest {
  now: Date;
  /** Problems that began earlier do not count. */
  from: Date;
  limit: number;
}

export interface StoredProblem {
  serial: string;
  part: string;
  since: Date;
  /** Null while it lasts. */
  ended: Date | null;
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
  limit(kind: MeasuredKind): number;
  tracked: Tracked;
  /** As `tracked`, for kinds about networks or the account. */
  trackedNetworks(kind: AlarmKind): readonly { accountId: string; gwid: string; part: string }[];
  /** Older ones are not read. */
  endedSince: Date;
}

export interface SourceRequest extends ObservationRequest {
  gateways: readonly GatewayLevels[];
  events: readonly EventPeriod[];
}

export interface Collector {
  /** Null: unknown. */
  measured(kind: MeasuredKind, ref: DeviceRef, value: number | null, part?: string): void;
  observe(kind: AlarmKind, ref: DeviceRef, part: string, isProblem: boolean, value?: number | null): void;
}

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
