import { bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { fleetDevices, type UnbindParticipant } from '../fleet/index.ts';
import type { createSdwanPush } from './push.ts';
import { revoke } from './revocation.ts';
import { readNodes } from './store.ts';
import { sdwanTables } from './tables.ts';

type UnbindEffect = Awaited<ReturnType<NonNullable<UnbindParticipant['effects']>>>[number];
type Unbound = Parameters<UnbindParticipant['remove']>[1];

export interface SdwanUnbindDeps {
  clock: Clock;
  push: Pick<ReturnType<typeof createSdwanPush>, 'takeDown'>;
}

/** Revokes tunnels at neighbours, even in an invalid plan. */
export function createSdwanUnbind({ clock, push }: SdwanUnbindDeps): UnbindParticipant {
  return {
    part: 'configuration',
    async remove(tx, unbound) {
      const { rows, gone } = await membersOf(tx, unbound);
      if (rows.length === 0) return 0;
      const { changed, leaving } = await revoke(tx, rows, gone);
      await push.takeDown(tx, bySystem(unbound.accountId), changed);
      return leaving;
    },
    async effects(tx, asked) {
      const { rows, gone } = await membersOf(tx, asked);
      const left = rows.filter((row) => gone.has(row.gwid) && row.document);
      if (left.length === 0) return [];
      const networks = await sdwanTables(tx)
        .selectFrom('sdwan_network')
        .select(['id', 'name'])
        .where('account_id', '=', asked.accountId)
        .orderBy('name')
        .execute();
      return networks.flatMap(({ id, name }): UnbindEffect[] => {
        const own = left.filter((row) => row.network_id === id);
        if (own.length === 0) return [];
        const isCentre = own.some(
          (row) => row.role !== '' || rows.some((one) => one.network_id === id && one.pid === row.gwid),
        );
        return [{ effect: isCentre ? 'sdwan_centre' : 'sdwan_member', id, name }];
      });
    },
  };

  async function membersOf(tx: Tx, { accountId, gwid, serials }: Omit<Unbound, 'at' | 'acting'>) {
    const rows = await readNodes(tx, accountId);
    const gwids = [...new Set(rows.map((row) => row.gwid))];
    const devices = gwids.length === 0 ? [] : await fleetDevices.ofNetworks(tx, accountId, gwids, clock.now());
    const unbound = devices.filter(({ serial, routes }) => routes && serials.includes(serial));
    return { rows, gone: new Set([...unbound.map((device) => device.gwid), ...(gwid ? [gwid] : [])]) };
  }
}
