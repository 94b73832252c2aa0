import type { Tx } from '../../platform/database/index.ts';
import { series } from './series.ts';

/** Milliseconds: hours that are kept whole, and reports that were lost. */
const lately = 3 * 60 * 60_000;

/** Returns the mean clients of devices in the last hour with reports before a time; devices without reports are missing. */
export async function clientsBefore(
  tx: Tx,
  accountId: string,
  serials: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, number | null>> {
  const from = new Date(at.getTime() - lately);
  const rows = await series(tx, accountId, {
    scope: 'device',
    ids: serials,
    from,
    to: at,
    step: '1h',
    want: ['clients'],
  });
  return new Map(rows.map(({ id, clients }) => [id!, clients === null ? null : Math.round(clients)]));
}
