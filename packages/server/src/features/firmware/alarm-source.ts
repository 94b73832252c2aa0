import { grouped } from '../../platform/grouped.ts';
import { type AlarmSource, dated } from '../alarms/index.ts';
import { failedUpgrades } from './failed-upgrades.ts';
import { pastUpgrades } from './past-upgrades.ts';

export const firmwareAlarms: AlarmSource<'upgrade_failed'> = {
  kinds: {
    upgrade_failed: {
      /** Lasts until the device's next upgrade. */
      async read(tx, accountId, { from, limit }) {
        const upgrades = await pastUpgrades(tx, accountId, { from, limit });
        return [...grouped(upgrades, ({ serial }) => serial).values()].flatMap((own) =>
          own.flatMap(({ serial, at, failed }, n) =>
            failed ? [{ serial, part: '', since: at, ended: own[n + 1]?.at ?? null }] : [],
          ),
        );
      },
    },
  },
  read: async (tx, { now, tracked }) =>
    (await failedUpgrades(tx, now, tracked('upgrade_failed'))).map((ref) => dated('upgrade_failed', ref)),
};
