import { createHmac } from 'node:crypto';
import pg from 'pg';

function fingerprint(masterKey: Buffer): string {
  return createHmac('sha256', masterKey).update('database fingerprint').digest('hex');
}

export async function refuseOtherKey(owner: pg.Client, masterKey: Buffer): Promise<void> {
  const there = await owner.query("select to_regclass('platform.master_key') is not null as known");
  if (!there.rows[0].known) return;
  const { rows } = await owner.query<{ fingerprint: string }>('select fingerprint from platform.master_key');
  if (rows.every((row) => row.fingerprint === fingerprint(masterKey))) return;
  throw new Error(
    'The file master.key is not the one this database was made with. Bring that one back; processes that share a database share this file too.',
  );
}

export async function hasKey(connection: pg.ClientConfig): Promise<boolean> {
  const owner = new pg.Client(connection);
  await owner.connect();
  try {
    const there = await owner.query("select to_regclass('platform.master_key') is not null as known");
    if (!there.rows[0].known) return false;
    const { rows } = await owner.query('select from platform.master_key limit 1');
    return rows.length > 0;
  } finally {
    await owner.end();
  }
}

export async function rememberKey(owner: pg.Client, masterKey: Buffer): Promise<void> {
  await owner.query('create table if not exists platform.master_key (fingerprint text primary key)');
  await owner.query('insert into platform.master_key select $1 where not exists (select from platform.master_key)', [
    fingerprint(masterKey),
  ]);
}
