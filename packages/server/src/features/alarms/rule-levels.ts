import type { alarmBacktest, DataOf, InputOf } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { levelPeaks, peakStepS } from '../../telemetry/read/level-peaks.ts';
import { deviceGroups } from '../fleet/index.ts';
import { type History, levelsOf, pastLevelsFrom, poolsOf } from './past.ts';
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
  { historyOf }: Pick<History, 'historyOf'>,
): Promise<DataOf<typeof alarmBacktest.levels>> {
  const { kind, scope } = await testedRule(tx, accountId, input);
  const history = levelsOf(historyOf(kind));
  if (!history) return { curve: null };
  const { level } = history;
  const from = await pastLevelsFrom(tx, accountId, level, now);
  const { values, ...peaks } = await levelPeaks(tx, accountId, {
    level,
    from,
    to: now,
    ...(await poolsOf(tx, accountId, history)),
    gwids: scope.type === 'networks' ? scope.ids : null,
    serials: scope.type === 'groups' ? await deviceGroups.devices(tx, accountId, scope.ids) : null,
  });
  if (values.every((value) => value === null)) return { curve: null };
  return { curve: { from: peaks.from.toISOString(), step: peakStepS, values } };
}
