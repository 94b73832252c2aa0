import { createHash } from 'node:crypto';
import { shield as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newToken } from '../../platform/crypto/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import type { Composer } from './compose.ts';
import { domainOfLink, readDomain } from './domains.ts';
import { lockShield, shieldTables } from './tables.ts';

export function createAllow({ clock, composer }: { clock: Clock; composer: Composer }) {
  const cause = 'shield_saved' as const;
  const rowsOf = (tx: Tx, accountId: string, ids: readonly string[]) =>
    shieldTables(tx)
      .selectFrom('shield_allow')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', 'in', [...ids])
      .orderBy('id')
      .forUpdate()
      .execute();

  return {
    async list(
      tx: Tx,
      accountId: string,
      { page = 1, limit = 10, keyword, sort = 'name', order = 'asc' }: InputOf<typeof contract.allowList>,
    ): Promise<DataOf<typeof contract.allowList>> {
      let found = shieldTables(tx).selectFrom('shield_allow').where('account_id', '=', accountId);
      if (keyword) found = found.where(sql<boolean>`strpos(lower(name || ' ' || link), ${keyword.toLowerCase()}) > 0`);
      const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await found
        .selectAll()
        .orderBy(sort, order)
        .orderBy('id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return {
        list: rows.map(({ id, name, link, domain, created_at: at }) => ({
          id,
          name,
          link,
          domain,
          created_at: at.toISOString(),
        })),
        total,
      };
    },

    /** @throws Failure nameExists, limitReached; Invalid */
    async create(tx: Tx, acting: Acting, { name, link }: InputOf<typeof contract.allowCreate>) {
      const domain = domainOfLink(link) ?? invalid('link', 'validation.url');
      const { accountId } = acting;
      await lockShield(tx, accountId);
      const { used } = await shieldTables(tx)
        .selectFrom('shield_allow')
        .select(({ fn }) => fn.countAll<number>().as('used'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      const limit = contract.shieldLimits.allow;
      if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
      const id = newId(clock.now().getTime());
      await shieldTables(tx)
        .insertInto('shield_allow')
        .values({ account_id: accountId, id, name, link, domain, created_at: clock.now() })
        .execute()
        .catch(refuseTaken);
      const jobId = await composer.recompose(tx, acting, { cause });
      await record(tx, acting, {
        action: 'shield_allow.create',
        object: { type: 'shield_allow', id, name },
        after: { name, link },
        inverse: { path: contract.allowDelete.path, input: { ids: [id] } },
        ...(jobId ? { jobId } : {}),
      });
      return { id, domain, job_id: jobId };
    },

    /** @throws Failure notFound, nameExists; Invalid */
    async update(tx: Tx, acting: Acting, { id, ...given }: InputOf<typeof contract.allowUpdate>) {
      await lockShield(tx, acting.accountId);
      const [row] = await rowsOf(tx, acting.accountId, [id]);
      if (!row) throw new Failure('notFound');
      const { name, link } = { name: row.name, link: row.link, ...given };
      const domain = domainOfLink(link) ?? invalid('link', 'validation.url');
      await shieldTables(tx)
        .updateTable('shield_allow')
        .set({ name, link, domain })
        .where('account_id', '=', acting.accountId)
        .where('id', '=', id)
        .execute()
        .catch(refuseTaken);
      const jobId = await composer.recompose(tx, acting, { cause });
      const before = { name: row.name, link: row.link };
      await record(tx, acting, {
        action: 'shield_allow.update',
        object: { type: 'shield_allow', id, name },
        before,
        after: { name, link },
        inverse: { path: contract.allowUpdate.path, input: { id, ...before } },
        ...(jobId ? { jobId } : {}),
      });
      return { domain, job_id: jobId };
    },

    /** @throws Failure notFound if one of them is unknown */
    async remove(tx: Tx, acting: Acting, ids: readonly string[]) {
      await lockShield(tx, acting.accountId);
      const rows = await rowsOf(tx, acting.accountId, ids);
      if (rows.length < ids.length) throw new Failure('notFound');
      await shieldTables(tx)
        .deleteFrom('shield_allow')
        .where('account_id', '=', acting.accountId)
        .where('id', 'in', [...ids])
        .execute();
      const jobId = await composer.recompose(tx, acting, { cause });
      for (const { id, name, link } of rows)
        await record(tx, acting, {
          action: 'shield_allow.delete',
          object: { type: 'shield_allow', id, name },
          before: { name, link },
          ...(jobId ? { jobId } : {}),
        });
      return { job_id: jobId };
    },

    async own(tx: Tx, accountId: string): Promise<DataOf<typeof contract.ownDetail>> {
      const row = await ownRow(tx, accountId);
      return { domains: linesOf(row?.contents), saved_at: row?.saved_at.toISOString() ?? null };
    },

    /** @throws Invalid for a line that is no domain */
    async saveOwn(tx: Tx, acting: Acting, { domains: given }: InputOf<typeof contract.ownSave>) {
      const { accountId } = acting;
      const read = given.map((line) => line.trim()).filter((line) => line !== '');
      for (const line of read)
        if (readDomain(line) === null) invalid('domains', 'validation.domain', { value: line.slice(0, 64) });
      const domains = [...new Set(read.map((line) => readDomain(line)!))].toSorted();
      const contents = domains.map((domain) => `${domain}\n`).join('');
      await lockShield(tx, accountId);
      const before = await ownRow(tx, accountId);
      const values = {
        contents,
        domains: domains.length,
        saved_at: clock.now(),
        sha256: createHash('sha256').update(contents).digest('hex'),
      };
      await shieldTables(tx)
        .insertInto('shield_own')
        .values({ account_id: accountId, token: newToken().token, ...values })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
        .execute();
      const jobId = await composer.recompose(tx, acting, { cause });
      const old = linesOf(before?.contents);
      await record(tx, acting, {
        action: 'shield_own.save',
        object: { type: 'account', id: accountId, name: '' },
        before: { domains: old },
        after: { domains },
        inverse: { path: contract.ownSave.path, input: { domains: old } },
        ...(jobId ? { jobId } : {}),
      });
      return { job_id: jobId };
    },
  };
}

const ownRow = (tx: Tx, accountId: string) =>
  shieldTables(tx)
    .selectFrom('shield_own')
    .select(['contents', 'saved_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();

const linesOf = (contents = '') => contents.split('\n').filter((line) => line !== '');

/** Translates a unique violation (SQLSTATE 23505). */
function refuseTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'shield_allow_domain') invalid('link', 'validation.duplicate');
  throw error;
}
