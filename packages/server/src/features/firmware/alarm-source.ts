import { type AlarmSource, dated, presetValues } from '../alarms/observations.ts';
import { failedUpgrades } from './failed-upgrades.ts';

export const firmwareAlarms: AlarmSource<'upgrade_failed'> = {
  kinds: { upgrade_failed: presetValues(['MIDDLE', 0, null], ['MIDDLE', 0, null], ['MIDDLE', 0, null]) },
  read: async (tx, { now, tracked }) =>
    (await failedUpgrades(tx, now, tracked('upgrade_failed'))).map((ref) => dated('upgrade_failed', ref)),
};
