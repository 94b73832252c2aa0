import type { assets as contract, DataOf } from '@yunxun/contract';
import { macOfSerial } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { TableFile } from '../../platform/http/download.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { type AssetFilter, assetMacs, assetsByMac, placeOf } from './list.ts';

type AssetRow = DataOf<typeof contract.list>['list'][number];

const at = (time: string | null) => (time === null ? null : new Date(time));

/** Keeps the order of the list at its start. */
export function assetFile(clock: Clock): TableFile<AssetFilter, AssetRow> {
  return {
    name: 'assets',
    permission: 'network.read',
    columns: {
      class: (row) => row.class,
      name: (row) => row.name,
      vendor: (row) => row.vendor,
      mac: (row) => macOfSerial(row.id),
      ip: (row) => row.ip,
      online: (row) => row.online,
      device: (row) => row.via?.name ?? null,
      port: (row) => row.via?.port ?? null,
      ssid: (row) => row.via?.ssid ?? null,
      first_seen: (row) => at(row.first_seen),
      last_seen: (row) => at(row.last_seen),
      is_new: (row) => row.is_new,
      tags: (row) => row.tags.join(', '),
      note: (row) => row.note,
    },
    json: (row) => row,
    async begin(first, { accountId, filter }, limit) {
      const { gwid } = filter;
      const place = await placeOf(first, accountId, gwid, clock.now());
      return {
        keys: await assetMacs(first, place, filter, limit),
        async rows(tx, macs) {
          // devices were read at the start: check again
          if ((await fleetNetworks.name(tx, accountId, gwid)) === undefined) return [];
          return assetsByMac(tx, place, macs, filter);
        },
      };
    },
  };
}
