import { type Tx, tables } from '../../platform/database/index.ts';

interface NoticeTables {
  notice_hidden: { account_id: string; person_id: string; hidden_at: Date };
}

export async function isHidden(tx: Tx, accountId: string, personId: string): Promise<boolean> {
  const row = await tables<NoticeTables>(tx)
    .selectFrom('notice_hidden')
    .select('hidden_at')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function hide(tx: Tx, accountId: string, personId: string, at: Date): Promise<void> {
  await tables<NoticeTables>(tx)
    .insertInto('notice_hidden')
    .values({ account_id: accountId, person_id: personId, hidden_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
