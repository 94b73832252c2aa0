import { sql } from 'kysely';
import { openDatabase } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log.ts';
import { joinLatest, latestColumns } from '../../telemetry/read.ts';
import { networkFacts } from './network-facts.ts';

const database = await openDatabase({
  owner: { connectionString: 'postgresql://postgres@127.0.0.1:54977/flbench' },
  masterKey: Buffer.alloc(32, 7),
  log: silentLog(),
  poolSize: 4,
});
const id = '00000000-0000-7000-8000-000000000001';
const now = new Date();
await database.withTenant({ accountId: id, userId: null, gwids: null }, async (tx) => {
  const show = async (name: string, q: any) => {
    const { rows } = await sql<any>`explain (analyze, buffers off) ${q}`.execute(tx);
    console.log('==', name);
    console.log(rows.map((r: any) => r['QUERY PLAN']).join('\n'));
  };
  const gw = (
    await sql<any>`select gwid from network n where account_id = ${id} order by remark limit 10`.execute(tx)
  ).rows.map((r) => r.gwid);
  await show(
    'page',
    sql`select n.gwid from (select * from network where account_id = ${id}) n where true order by n.remark asc, n.gwid asc limit 10 offset 0`,
  );
  await show(
    'rows',
    sql`select n.*, ${latestColumns} from (${networkFacts(id, now, gw)}) n left join device face on face.account_id = ${id} and face.serial = n.face ${joinLatest('face')}`,
  );
  await show('facts', sql`select rank, count(*) from (${networkFacts(id, now, null)}) n group by 1`);
});
await database.close();
