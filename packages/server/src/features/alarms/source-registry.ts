import type { AlarmKind } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { gatewayLevels } from '../../telemetry/read/alarm-levels.ts';
import { deviceEvents } from '../fleet/index.ts';
import type { AlarmHistory, AlarmSource, Observation, ObservationRequest } from './source.ts';
import { certificateSource } from './sources/certificates.ts';
import { connections } from './sources/connections.ts';
import { consoleSource } from './sources/console-disk.ts';
import { crashSource } from './sources/crashes.ts';
import { levelSource } from './sources/device-levels.ts';
import { deviceSource } from './sources/devices.ts';
import { wanSource } from './sources/wans.ts';

interface AnySource extends Pick<AlarmSource, 'read'> {
  kinds: Readonly<Partial<AlarmSource['kinds']>>;
}
type KindOf<S> = S extends { kinds: Readonly<Record<infer K, AlarmHistory>> } ? K : never;

const ownSources = [
  connections,
  levelSource,
  wanSource,
  deviceSource,
  certificateSource,
  crashSource,
  consoleSource,
] as const satisfies readonly AnySource[];

/** Kinds that other features have to bring. */
type Missing<S extends readonly AnySource[]> = Exclude<AlarmKind, KindOf<(typeof ownSources)[number] | S[number]>>;
type Complete<S extends readonly AnySource[]> = [Missing<S>] extends [never] ? unknown : { missing: Missing<S> };

export function createSources() {
  const all: AnySource[] = [...ownSources];
  return {
    /** A kind without a source does not compile. */
    join<const S extends readonly AnySource[]>(sources: S & Complete<S>): void {
      all.push(...sources);
    },

    /** Queries once for all accounts. System role. */
    async read(tx: Tx, request: ObservationRequest): Promise<Observation[]> {
      const gateways = await gatewayLevels(tx, request.now);
      const events = await deviceEvents.periods(tx, { now: request.now, since: request.endedSince });
      const found: Observation[] = [];
      for (const { read } of all) if (read) found.push(...(await read(tx, { ...request, gateways, events })));
      return found;
    },

    historyOf(kind: AlarmKind): AlarmHistory {
      return all.find(({ kinds }) => kinds[kind] !== undefined)?.kinds[kind] ?? null;
    },
  };
}

export type Sources = Pick<ReturnType<typeof createSources>, 'read' | 'historyOf'>;
