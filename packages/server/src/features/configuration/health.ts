import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { managedDevices } from '../fleet/managed-devices.ts';
import type { HealthCheck } from '../jobs/service.ts';
import { readStates } from './version-store.ts';

/** How devices are that took a configuration, between two waves of a push: who is away, or no longer runs what it took. */
export function createHealth({ database, clock }: { database: Database; clock: Clock }): HealthCheck {
  return async (items, { account_id: accountId }) => {
    const serials = items.flatMap(({ serial }) => serial ?? []);
    const [devices, states] = await database.withSystem(async (tx) => [
      await managedDevices(tx, accountId, serials, clock.now()),
      await readStates(tx, accountId, serials),
    ]);
    const status = new Map(devices.map((device) => [device.serial, device.status]));
    return new Map(
      items.flatMap(({ seq, serial }): [number, string][] => {
        // who was unbound meanwhile says nothing of the configuration
        if (!serial || !status.has(serial)) return [];
        if (status.get(serial) !== 'online') return [[seq, 'job.unwell_offline']];
        const stand = states.get(serial)?.state.state;
        return stand === 'drifted' || stand === 'failed' ? [[seq, 'job.unwell_config']] : [];
      }),
    );
  };
}
