import { type AlarmSource, dated } from '../alarms/index.ts';
import { openPeripheralOutages } from './open-outages.ts';

export const peripheralAlarms: AlarmSource<'peripheral_offline'> = {
  kinds: { peripheral_offline: null },
  async read(tx, { tracked, now }) {
    const outages = await openPeripheralOutages(tx, tracked('peripheral_offline'), now);
    return outages.map(({ name, cycled, ...ref }) => ({
      ...dated('peripheral_offline', ref, name),
      value: cycled ? 1 : null,
    }));
  },
};
