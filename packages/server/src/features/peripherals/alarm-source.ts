import { type AlarmSource, dated } from '../alarms/index.ts';
import { openPeripheralOutages } from './open-outages.ts';

export const peripheralAlarms: AlarmSource<'peripheral_offline'> = {
  kinds: { peripheral_offline: null },
  async read(tx, { tracked }) {
    const outages = await openPeripheralOutages(tx, tracked('peripheral_offline'));
    return outages.map(({ name, ...ref }) => dated('peripheral_offline', ref, name));
  },
};
