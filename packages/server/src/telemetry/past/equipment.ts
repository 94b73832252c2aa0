import type pg from 'pg';
import type { Equipment } from './places.ts';

/** Reads the addresses of an account's own devices. System role. */
export async function readEquipment(db: pg.ClientBase, accountId: string): Promise<Equipment> {
  const { rows } = await db.query<{ mac: string; serial: string; is_switch: boolean }>(
    'select mac, serial, is_switch from equipment_mac where account_id = $1',
    [accountId],
  );
  return {
    owners: new Map(rows.map(({ mac, serial }) => [mac, serial])),
    switches: new Set(rows.flatMap(({ serial, is_switch }) => (is_switch ? [serial] : []))),
  };
}
