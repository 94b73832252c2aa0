import type { alarmBacktest, DataOf, InputOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { levelPeaks, peakStepS } from '../../telemetry/read/level-peaks.ts';
import { devicesOfGroups } from '../fleet/groups.ts';
import { levelOf, onlyPools, pastLevelsFrom } from './past.ts';
import { testedRule } from './rule-actions.ts';

/**
 * Returns the peaks that a rule's threshold is drawn against.
 * @throws Invalid as on saving
 */
export async function ruleLevels(
  tx: Tx,
  accountId: string,
  now: Date,
  input: InputOf<typeof alarmBacktest.levels>,
): Promise<DataOf<typeof alarmBacktest.levels>> {
  const { kind, scope } = await testedRule(tx, accountId, input);
  const level = levelOf[kind];
  if (!level) return { curve: null };
  const from = await pastLevelsFrom(tx, accountId, level, now);
  const { values, ...peaks } = await levelPeaks(tx, accountId, {
    level,
    from,
    to: now,
    ...(level === 'leases' ? { pools: await onlyPools(tx, accountId) } : {}),
    gwids: scope.type === 'networks' ? scope.ids : null,
    serials: scope.type === 'groups' ? await devicesOfGroups(tx, accountId, scope.ids) : null,
  });
  if (values.every((value) => value === null)) return { curve: null };
  return { curve: { from: peaks.from.toISOString(), step: peakStepS, values } };
}
