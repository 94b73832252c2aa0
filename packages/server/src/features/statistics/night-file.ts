import type { home as contract, DataOf, InputOf } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { TableFile } from '../../platform/http/download.ts';
import { nightOf } from './night.ts';

type Network = DataOf<typeof contract.night>['list'][number];

/** Per network and cause. */
type Line = Network['troubles'][number] & { gwid: string; remark: string };
type Filter = InputOf<typeof contract.night> & { alarms: boolean };

const at = (time: string | null) => (time === null ? null : new Date(time));

/** Reads all at once: some thousand lines. */
export function nightFile(clock: Clock): TableFile<Filter, Line> {
  return {
    name: 'last-night',
    permission: 'network.read',
    columns: {
      network: (row) => row.remark,
      problem: (row) => row.alarm ?? 'offline',
      cause: (row) => row.cause,
      planned: (row) => row.planned,
      began_at: (row) => at(row.began_at),
      ended_at: (row) => at(row.ended_at),
      seconds: (row) => row.seconds,
      times: (row) => row.times,
      devices: (row) => row.devices,
      whole_network: (row) => row.whole,
      clients: (row) => row.clients,
      clients_unknown: (row) => row.clients_unknown,
    },
    json: (row) => row,
    async page(tx, { accountId, filter }, after) {
      if (after) return [];
      const night = await nightOf(tx, accountId, clock.now(), { ...filter, limit: Number.POSITIVE_INFINITY });
      return [...night.list, ...night.planned].flatMap(({ gwid, remark, troubles }) =>
        troubles.map((trouble) => ({ ...trouble, gwid, remark })),
      );
    },
  };
}
