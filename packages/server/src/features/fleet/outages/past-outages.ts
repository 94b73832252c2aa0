import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/index.ts';
import { clientsBefore } from '../../../telemetry/read/clients-before.ts';
import { causeAtReturn } from './cause.ts';

export interface PastOutage {
  serial: string;
  began: Date;
  ended: Date;
  /** As the device gave it at its return; null: a plain reconnect. */
  bootReason: string | null;
}

/**
 * Records outages from before the devices' first session with this console, and that they were known since then.
 * Clients are those of the last hour with reports before each.
 */
export async function recordPastOutages(
  tx: Tx,
  accountId: string,
  { since, serials, outages }: { since: Date; serials: readonly string[]; outages: readonly PastOutage[] },
): Promise<void> {
  await sql`
    update device set first_seen = least(first_seen, ${since})
    where account_id = ${accountId} and serial = any(${[...serials]}::text[]) and first_seen is not null
  `.execute(tx);
  for (const { serial, began, ended, bootReason } of outages) {
    const unknown = { lost: null, restartingSince: null, consoleUpSince: null };
    const cause = causeAtReturn({ began, ended, ...unknown, reason: bootReason ?? 'socket' });
    const clients = (await clientsBefore(tx, accountId, [serial], began)).get(serial) ?? null;
    await sql`
      insert into device_outage (account_id, serial, began_at, ended_at, cause, boot_reason, clients)
      values (${accountId}, ${serial}, ${began}, ${ended}, ${cause}, ${bootReason}, ${clients})
      on conflict do nothing
    `.execute(tx);
  }
}
