import type { billingGoods as contract, DataOf, InputOf, PackageTerms } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure } from '../../../platform/failure.ts';
import type { UnbindParticipant } from '../../fleet/index.ts';
import { record } from '../../logs/index.ts';
import { fenOf, yuan } from '../service.ts';
import { goodsTables, lockGoods } from './tables.ts';

type Unbound = Parameters<UnbindParticipant['remove']>[1];

type Contract = typeof contract;
type Fields = InputOf<Contract['packageCreate']>;

const maxPackages = 200;

function termsOf({ minutes, bytes, devices, up_kbps, down_kbps, valid_days, gwids }: PackageTerms): PackageTerms {
  return { minutes, bytes, devices, up_kbps, down_kbps, valid_days, gwids };
}

const packageOrder = {
  name: sql`lower(p.name)`,
  created_at: sql`p.created_at`,
  price: sql`p.price_fen`,
  sold: sql`sold`,
  minutes: sql`(p.terms ->> 'minutes')::bigint`,
  bytes: sql`(p.terms ->> 'bytes')::bigint`,
  devices: sql`(p.terms ->> 'devices')::int`,
  valid_days: sql`(p.terms ->> 'valid_days')::int`,
};

const rowOf = (input: Fields) => ({
  name: input.name,
  price_fen: fenOf(input.price),
  enabled: input.enabled,
  terms: JSON.stringify(termsOf(input)) as unknown as PackageTerms,
});

async function refuseTaken(tx: Tx, accountId: string, name: string, but: string | null): Promise<void> {
  const taken = await goodsTables(tx)
    .selectFrom('billing_package')
    .select('id')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst();
  if (taken && taken.id !== but) throw new Failure('nameExists', { params: { kind: 'package' } });
}

export async function findPackage(tx: Tx, accountId: string, id: string) {
  return goodsTables(tx)
    .selectFrom('billing_package')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function knownPackages(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await goodsTables(tx)
    .selectFrom('billing_package')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Deletes packages for this network alone and takes it from the others. Sold cards keep their terms. */
export async function forgetNetworkOfPackages(tx: Tx, { acting, accountId, gwid }: Unbound): Promise<number> {
  if (!gwid) return 0;
  const naming = sql<boolean>`terms -> 'gwids' ? ${gwid}`;
  const gone = await goodsTables(tx)
    .deleteFrom('billing_package')
    .where('account_id', '=', accountId)
    .where(naming)
    .where(sql<boolean>`jsonb_array_length(terms -> 'gwids') = 1`)
    .returning(['id', 'name'])
    .execute();
  for (const { id, name } of gone)
    await record(tx, acting, { action: 'package.delete', object: { type: 'package', id, name }, gwid });
  const narrowed = await goodsTables(tx)
    .updateTable('billing_package')
    .set({ terms: sql<PackageTerms>`jsonb_set(terms, '{gwids}', (terms -> 'gwids') - ${gwid}::text)` })
    .where('account_id', '=', accountId)
    .where(naming)
    .executeTakeFirst();
  return gone.length + Number(narrowed.numUpdatedRows);
}

export function createPackages({ clock }: { clock: Clock }) {
  return {
    async list(
      tx: Tx,
      acting: Acting,
      input: InputOf<Contract['packageList']>,
    ): Promise<DataOf<Contract['packageList']>> {
      requireWholeAccount(acting, 'billing.read');
      const { page = 1, limit = 10, keyword = '', sort = 'created_at', order = 'desc' } = input;
      const found = goodsTables(tx)
        .selectFrom('billing_package as p')
        .where('p.account_id', '=', acting.accountId)
        .where(sql<boolean>`strpos(lower(p.name), ${keyword.toLowerCase()}) > 0`);
      const rows = await found
        .selectAll('p')
        .select(
          sql<number>`(select count(*)::int from billing_entitlement e where e.account_id = p.account_id
            and e.package_id = p.id and e.refunded_at is null)`.as('sold'),
        )
        .orderBy(sql`${packageOrder[sort]} ${sql.raw(order)} nulls last`)
        .orderBy('p.id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await found
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const list = rows.map(({ id, name, price_fen, terms, enabled, sold, created_at }) => ({
        id,
        name,
        price: yuan(price_fen),
        ...termsOf(terms),
        enabled,
        sold,
        created_at: created_at.toISOString(),
      }));
      return { list, total: Number(total) };
    },

    /** @throws Failure nameExists, limitReached */
    async create(tx: Tx, acting: Acting, input: Fields): Promise<{ id: string }> {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      await lockGoods(tx, accountId);
      await refuseTaken(tx, accountId, input.name, null);
      const { count } = await goodsTables(tx)
        .selectFrom('billing_package')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= maxPackages)
        throw new Failure('limitReached', { params: { limit: maxPackages, used: Number(count) } });
      const now = clock.now();
      const id = newId(now.getTime());
      await goodsTables(tx)
        .insertInto('billing_package')
        .values({ account_id: accountId, id, ...rowOf(input), created_at: now })
        .execute();
      await record(tx, acting, {
        action: 'package.create',
        object: { type: 'package', id, name: input.name },
        after: { price: input.price, ...termsOf(input), enabled: input.enabled },
      });
      return { id };
    },

    /** @throws Failure nameExists, notFound */
    async save(tx: Tx, acting: Acting, { id, ...changes }: InputOf<Contract['packageSave']>): Promise<object> {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      await lockGoods(tx, accountId);
      const before = await findPackage(tx, accountId, id);
      if (!before) throw new Failure('notFound');
      const { name, price_fen, terms, enabled } = before;
      const input: Fields = { name, price: yuan(price_fen), ...termsOf(terms), enabled, ...changes };
      await refuseTaken(tx, accountId, input.name, id);
      await goodsTables(tx)
        .updateTable('billing_package')
        .set(rowOf(input))
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      await record(tx, acting, {
        action: 'package.save',
        object: { type: 'package', id, name: input.name },
        before: { price: yuan(price_fen), ...termsOf(terms), enabled },
        after: { price: input.price, ...termsOf(input), enabled: input.enabled },
      });
      return {};
    },

    async remove(tx: Tx, acting: Acting, { ids }: InputOf<Contract['packageDelete']>): Promise<object> {
      requireWholeAccount(acting, 'billing.write');
      const gone = await goodsTables(tx)
        .deleteFrom('billing_package')
        .where('account_id', '=', acting.accountId)
        .where('id', 'in', [...ids])
        .returning(['id', 'name'])
        .execute();
      for (const { id, name } of gone)
        await record(tx, acting, { action: 'package.delete', object: { type: 'package', id, name } });
      return {};
    },
  };
}
