import { macOfSerial } from '@yunxun/contract/device';
import type { Clock } from '../../platform/clock.ts';
import type { TableFile } from '../../platform/http/download.ts';
import { type PeripheralFilter, type PeripheralRow, peripheralIds, peripheralsById } from './list.ts';

const at = (time: string | null) => (time === null ? null : new Date(time));

/** Keeps the order of the list at its start. */
export function peripheralFile(clock: Clock): TableFile<PeripheralFilter, PeripheralRow> {
  return {
    name: 'peripherals',
    permission: 'network.write',
    columns: {
      name: (row) => row.name,
      type: (row) => row.type,
      network: (row) => row.network,
      group: (row) => row.group,
      ip: (row) => row.ip,
      mac: (row) => row.mac && macOfSerial(row.mac).toUpperCase(),
      mode: (row) => row.mode,
      detect_port: (row) => row.detect_port,
      web_port: (row) => row.web_port,
      shell_port: (row) => row.shell_port,
      status: (row) => row.status,
      rtt_ms: (row) => row.rtt_ms,
      last_offline_at: (row) => at(row.last_offline_at),
      offline_count_30d: (row) => row.offline_count_30d,
      availability_30d: (row) => row.availability_30d,
    },
    json: (row) => row,
    begin: async (first, { accountId, filter }, limit) => ({
      keys: await peripheralIds(first, accountId, clock.now(), filter, limit),
      rows: (tx, ids) => peripheralsById(tx, accountId, clock.now(), ids),
    }),
  };
}
