import { type AlarmSource, dated, presetValues } from '../alarms/observations.ts';
import { openPeripheralOutages } from './open-outages.ts';

export const peripheralAlarms: AlarmSource<'peripheral_offline'> = {
  kinds: {
    peripheral_offline: presetValues(['GENERAL', 3600, null], ['GENERAL', 600, null], ['MIDDLE', 300, null]),
  },
  async read(tx, { tracked }) {
    const outages = await openPeripheralOutages(tx, tracked('peripheral_offline'));
    return outages.map(({ name, ...ref }) => dated('peripheral_offline', ref, name));
  },
};
