import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import type { HealthCheck } from '../jobs/index.ts';
import { readStates } from './version-store.ts';

/** Finds updated devices that are offline or drifted, between waves. */
export function createHealth({ database, clock }: { database: Database; clock: Clock }): HealthCheck {
  return async (items, { account_id: accountId }) => {
    const serials = items.flatMap(({ serial }) => serial ?? []);
    const [devices, states] = await database.withSystem(async (tx) => [
      await fleetDevices.managed(tx, accountId, serials, clock.now()),
      await readStates(tx, accountId, serials),
    ]);
    const status = new Map(devices.map((device) => [device.serial, device.status]));
    return new Map(
      items.flatMap(({ seq, serial }): [number, string][] => {
        // unbinding proves nothing
        if (!serial || !status.has(serial)) return [];
        if (status.get(serial) !== 'online') return [[seq, 'job.unwell_offline']];
        const stand = states.get(serial)?.state.state;
        return stand === 'drifted' || stand === 'failed' ? [[seq, 'job.unwell_config']] : [];
      }),
    );
  };
}
