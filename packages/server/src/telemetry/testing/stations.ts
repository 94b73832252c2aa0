import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

type Row = Readonly<Record<string, string | number | boolean | Date | null>>;

export type StationTable = 'station' | 'station_open' | 'station_session' | 'station_quarter' | 'station_day';

export async function insertStationRows(
  database: Pick<Database, 'system'>,
  table: StationTable,
  rows: readonly Row[],
): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return;
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
  `.execute(database.system);
}
