import type { binding as contract, DataOf, InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { bindingCodes } from '../identity/index.ts';
import { record } from '../logs/index.ts';
import { binding } from './tables.ts';

type BindingCode = Parameters<typeof bindingCodes.addBindingCode>[1];
type Codes = DataOf<typeof contract.codeList>;
type Code = Codes['list'][number];

/** Active codes per account. */
const maxActiveCodes = 200;
/** Days to keep uses and ended codes. */
const keptDays = 400;
const day = 24 * 60 * 60 * 1000;

/** Locks a limited code: two devices must not share its last use. */
export async function resolveCode(
  tx: Tx,
  typed: string,
  serial: string,
  at: Date,
): Promise<BindingCode | 'over' | undefined> {
  const found = await bindingCodes.findBindingCode(tx, typed);
  if (!found || found.codeId === null) return found;
  const { accountId, codeId } = found;
  const code = await binding(tx)
    .selectFrom('installer_code')
    .select(['max_devices', 'expires_at', 'withdrawn_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', codeId)
    .forUpdate()
    .executeTakeFirst();
  if (!code || code.withdrawn_at) return undefined;
  if (code.expires_at && code.expires_at <= at) return 'over';
  if (code.max_devices === null) return found;
  const { others } = await binding(tx)
    .selectFrom('binding_use')
    .select(sql<number>`count(distinct serial)::int`.as('others'))
    .where('account_id', '=', accountId)
    .where('code_id', '=', codeId)
    .where('serial', '<>', serial)
    .executeTakeFirstOrThrow();
  return others < code.max_devices ? found : 'over';
}

export async function noteUse(
  tx: Tx,
  { accountId, codeId }: BindingCode,
  { serial, address, at }: { serial: string; address: string; at: Date },
): Promise<void> {
  await binding(tx)
    .insertInto('binding_use')
    .values({ account_id: accountId, id: newId(), code_id: codeId, serial, address, at })
    .execute();
}

export async function listCodes(
  tx: Tx,
  accountId: string,
  now: Date,
  { page = 1, limit = 10 }: InputOf<typeof contract.codeList>,
): Promise<Codes> {
  const { rows } = await sql<CodeRow>`
    ${codeRows(accountId)} order by c.created_at desc, c.id desc limit ${limit} offset ${(page - 1) * limit}
  `.execute(tx);
  const { total } = await binding(tx)
    .selectFrom('installer_code')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { list: rows.map((row) => shown(row, now)), total };
}

export async function listUses(
  tx: Tx,
  accountId: string,
  { page = 1, limit = 10, code_id: codeId }: InputOf<typeof contract.useList>,
): Promise<DataOf<typeof contract.useList>> {
  let found = binding(tx)
    .selectFrom('binding_use as u')
    .leftJoin('installer_code as c', (join) =>
      join.onRef('c.account_id', '=', 'u.account_id').onRef('c.id', '=', 'u.code_id'),
    )
    .where('u.account_id', '=', accountId);
  if (codeId !== undefined) found = found.where('u.code_id', '=', codeId);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .select(['u.at', 'u.serial', 'u.address', 'c.name'])
    .orderBy('u.at', 'desc')
    .orderBy('u.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return {
    list: rows.map(({ at, serial, address, name }) => ({ at: at.toISOString(), serial, ip: address, code_name: name })),
    total,
  };
}

export function createCodes({ database, clock }: { database: Database; clock: Clock }) {
  return {
    /** @throws Failure limitReached; noPermission for a limited scope */
    create: (acting: Acting, { name, max_devices: max, days }: InputOf<typeof contract.codeCreate>): Promise<Code> =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting, 'network.bind');
        const { accountId } = acting;
        const now = clock.now();
        await sql`select pg_advisory_xact_lock(hashtextextended(${`binding.codes ${accountId}`}, 0))`.execute(tx);
        const used = await countActive(tx, accountId, now);
        if (used >= maxActiveCodes) throw new Failure('limitReached', { params: { limit: maxActiveCodes, used } });
        const id = newId(now.getTime());
        const code = await bindingCodes.addBindingCode(tx, { accountId, codeId: id });
        const max_devices = max ?? null;
        const row = {
          account_id: accountId,
          id,
          name,
          code,
          max_devices,
          created_at: now,
          withdrawn_at: null,
          expires_at: days === undefined ? null : new Date(now.getTime() + days * day),
          created_by: acting.actor?.name ?? acting.source,
        };
        await binding(tx).insertInto('installer_code').values(row).execute();
        await record(tx, acting, {
          action: 'binding_code.create',
          object: { type: 'binding_code', id, name },
          after: { name, max_devices, expires_at: row.expires_at?.toISOString() ?? null },
        });
        return shown({ ...row, devices: 0 }, now);
      }),

    /** Does nothing when it has already ended. */
    withdraw: (acting: Acting, id: string): Promise<void> =>
      database.withSystem(async (tx) => {
        requireWholeAccount(acting, 'network.bind');
        const { accountId } = acting;
        const ended = await binding(tx)
          .updateTable('installer_code')
          .set({ withdrawn_at: clock.now() })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('withdrawn_at', 'is', null)
          .returning('name')
          .executeTakeFirst();
        if (!ended) return;
        await bindingCodes.removeBindingCode(tx, { accountId, codeId: id });
        await record(tx, acting, {
          action: 'binding_code.withdraw',
          object: { type: 'binding_code', id, name: ended.name },
          before: { name: ended.name },
        });
      }),
  };
}

/** Checks in the transaction's scope. */
export async function knownCodes(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await binding(tx)
    .selectFrom('installer_code')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}

/** Deletes ended codes and uses after `keptDays`. */
export async function pruneCodes(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * day);
  await binding(tx).deleteFrom('binding_use').where('at', '<', before).execute();
  const ended = await binding(tx)
    .deleteFrom('installer_code')
    .where(sql<Date>`coalesce(withdrawn_at, expires_at)`, '<', before)
    .returning(['account_id as accountId', 'id as codeId'])
    .execute();
  for (const code of ended) await bindingCodes.removeBindingCode(tx, code);
}

interface CodeRow {
  id: string;
  name: string;
  code: string;
  max_devices: number | null;
  expires_at: Date | null;
  created_at: Date;
  created_by: string;
  withdrawn_at: Date | null;
  devices: number;
}

const codeRows = (accountId: string) => sql`
  select c.id, c.name, c.code, c.max_devices, c.expires_at, c.created_at, c.created_by, c.withdrawn_at,
    (select count(distinct u.serial)::int from binding_use u where u.account_id = c.account_id and u.code_id = c.id) as devices
  from installer_code c where c.account_id = ${accountId}
`;

async function countActive(tx: Tx, accountId: string, now: Date): Promise<number> {
  const { count } = await binding(tx)
    .selectFrom('installer_code')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('withdrawn_at', 'is', null)
    .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}

function shown(
  { withdrawn_at: withdrawn, expires_at: expires, created_at: created, ...row }: CodeRow,
  now: Date,
): Code {
  const { devices, max_devices: max } = row;
  const end = max !== null && devices >= max ? 'used_up' : expires && expires <= now ? 'expired' : 'active';
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    created_by: row.created_by,
    max_devices: max,
    devices,
    expires_at: expires?.toISOString() ?? null,
    created_at: created.toISOString(),
    state: withdrawn ? 'withdrawn' : end,
  };
}
