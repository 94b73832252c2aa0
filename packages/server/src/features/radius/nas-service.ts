import { randomBytes } from 'node:crypto';
import { type DataOf, type InputOf, radius } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountKeys } from '../../platform/crypto/account-keys.ts';
import { afterCommit, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import { nasSubject, secretContext } from './nas-index.ts';
import { type NasRow, radiusTables } from './tables.ts';

type Contract = typeof radius;
type Given = InputOf<Contract['nasCreate']>;

export interface NasServiceDeps {
  bus: Bus;
  clock: Clock;
  keys: AccountKeys;
}

export interface ManagedNas {
  ensure(tx: Tx, acting: Acting, given: Pick<Given, 'name' | 'gwid'> & { identifier: string }): Promise<void>;
  remove(tx: Tx, acting: Acting, gwid: string): Promise<void>;
  /** By network. */
  secretsOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Generates secrets and shows them once. */
export function createNasService({ bus, clock, keys }: NasServiceDeps) {
  const changed = (tx: Tx, accountId: string) => afterCommit(tx, () => bus.publish(nasSubject(accountId), {}));

  async function newSecret(tx: Tx, accountId: string, id: string): Promise<{ secret: string; sealed: Buffer }> {
    // 24 bytes: 32 characters for every gateway's form
    let secret = randomBytes(24).toString('base64url');
    // command lines read a leading hyphen as an option
    while (secret.startsWith('-')) secret = randomBytes(24).toString('base64url');
    return { secret, sealed: (await keys.of(tx, accountId)).seal(secret, secretContext(id)) };
  }

  async function need(tx: Tx, accountId: string, id: string): Promise<NasRow> {
    const row = await radiusTables(tx)
      .selectFrom('radius_nas')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new Failure('notFound');
    if (row.managed) throw new Failure('unsupported', { data: { reason: 'managed' } });
    return row;
  }

  const managedIn = (tx: Tx, accountId: string, gwids: readonly string[]) =>
    radiusTables(tx)
      .selectFrom('radius_nas')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('gwid', 'in', [...gwids])
      .where('managed', '=', true)
      .execute();

  async function insert(tx: Tx, acting: Acting, given: Given, isManaged: boolean) {
    const { accountId } = acting;
    const { used } = await radiusTables(tx)
      .selectFrom('radius_nas')
      .select((select) => select.fn.countAll<number>().as('used'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const limit = radius.radiusLimits.clients;
    if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
    const id = newId(clock.now().getTime());
    const { secret, sealed } = await newSecret(tx, accountId, id);
    await radiusTables(tx)
      .insertInto('radius_nas')
      .values({
        account_id: accountId,
        id,
        ...columns(given),
        managed: isManaged,
        secret: sealed,
        created_at: clock.now(),
        saved_at: clock.now(),
        proven_at: null,
        oddity: null,
        odd_at: null,
        last_seen_at: null,
        refused_at: null,
        refusal: null,
      })
      .execute()
      .catch(refuseTaken);
    await record(tx, acting, {
      action: 'radius_nas.create',
      object: { type: 'radius_nas', id, name: given.name },
      gwid: given.gwid,
      after: given,
      // the portal takes away what it made
      ...(isManaged ? {} : { inverse: { path: radius.nasDelete.path, input: { id } } }),
    });
    changed(tx, accountId);
    return { id, secret };
  }

  async function drop(tx: Tx, acting: Acting, row: NasRow): Promise<void> {
    const { accountId } = acting;
    const { id, name, gwid } = row;
    await radiusTables(tx).deleteFrom('radius_nas').where('account_id', '=', accountId).where('id', '=', id).execute();
    await record(tx, acting, {
      action: 'radius_nas.delete',
      object: { type: 'radius_nas', id, name },
      gwid,
      before: shown(row),
    });
    changed(tx, accountId);
  }

  const managed: ManagedNas = {
    async ensure(tx, acting, { name, gwid, identifier }) {
      if ((await managedIn(tx, acting.accountId, [gwid])).length > 0) return;
      const place = { source: null, identifier, require_ma: true, coa_port: radius.radiusLimits.coaPort };
      await insert(tx, acting, { name, gwid, ...place }, true);
    },
    async remove(tx, acting, gwid) {
      for (const row of await managedIn(tx, acting.accountId, [gwid])) await drop(tx, acting, row);
    },
    async secretsOf(tx, accountId, gwids) {
      if (gwids.length === 0) return new Map();
      const rows = await managedIn(tx, accountId, gwids);
      if (rows.length === 0) return new Map();
      const key = await keys.of(tx, accountId);
      return new Map(rows.map(({ gwid, id, secret }) => [gwid, key.open(secret, secretContext(id)).toString()]));
    },
  };

  return {
    managed,

    async list(tx: Tx, accountId: string, input: InputOf<Contract['nasList']>): Promise<DataOf<Contract['nasList']>> {
      const { page = 1, limit = 10, sort = 'name', order = 'asc', keyword, gwid } = input;
      let found = radiusTables(tx).selectFrom('radius_nas').where('account_id', '=', accountId);
      if (gwid) found = found.where('gwid', '=', gwid);
      if (keyword) {
        const word = keyword.toLowerCase();
        found = found.where(sql<boolean>`strpos(lower(concat_ws(' ', name, source, nas_identifier)), ${word}) > 0`);
      }
      const { total } = await found
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const by = sql`${sql.ref(sort === 'name' ? 'name' : 'last_seen_at')} ${sql.raw(order)} nulls last, id`;
      const rows = await found
        .selectAll()
        .orderBy(by)
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const networks = await fleetNetworks.names(
        tx,
        accountId,
        rows.map((row) => row.gwid),
      );
      return {
        list: rows.map((row) => ({
          id: row.id,
          ...shown(row),
          network: networks.get(row.gwid) ?? '',
          seen_at: row.last_seen_at?.toISOString() ?? null,
          refused_at: row.refused_at?.toISOString() ?? null,
          proven_at: row.proven_at?.toISOString() ?? null,
          lapses_at: lapseOf(row)?.toISOString() ?? null,
          oddity: row.oddity,
          odd_at: row.odd_at?.toISOString() ?? null,
          refusal: row.refusal,
          managed: row.managed,
          accepted: row.accepted,
          rejected: row.rejected,
          accounted: row.accounted,
        })),
        total,
      };
    },

    /** @throws Failure nameExists, limitReached; Invalid for another client's address and identifier */
    create(tx: Tx, acting: Acting, given: Given): Promise<DataOf<Contract['nasCreate']>> {
      refuseAnybody(given);
      return insert(tx, acting, given, false);
    },

    /** @throws Failure notFound, nameExists, unsupported of the portal's own; Invalid for another client's address and identifier */
    async update(tx: Tx, acting: Acting, { id, ...changes }: InputOf<Contract['nasUpdate']>): Promise<void> {
      const { accountId } = acting;
      const row = await need(tx, accountId, id);
      const before = shown(row);
      const given = { ...before, ...changes };
      refuseAnybody(given);
      await radiusTables(tx)
        .updateTable('radius_nas')
        .set({
          ...columns(given),
          ma_chosen: row.ma_chosen || given.require_ma !== before.require_ma,
          saved_at: clock.now(),
          proven_at: isSamePlace(before, given) ? row.proven_at : null,
        })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
        .catch(refuseTaken);
      await record(tx, acting, {
        action: 'radius_nas.update',
        object: { type: 'radius_nas', id, name: given.name },
        gwid: given.gwid,
        before,
        after: given,
        inverse: { path: radius.nasUpdate.path, input: { id, ...replacedBy(given, before) } },
      });
      changed(tx, accountId);
    },

    async rotate(tx: Tx, acting: Acting, id: string): Promise<DataOf<Contract['nasRotate']>> {
      const { accountId } = acting;
      const { name, gwid } = await need(tx, accountId, id);
      const { secret, sealed } = await newSecret(tx, accountId, id);
      await radiusTables(tx)
        .updateTable('radius_nas')
        .set({ secret: sealed, saved_at: clock.now(), proven_at: null })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      await record(tx, acting, {
        action: 'radius_nas.rotate_secret',
        object: { type: 'radius_nas', id, name },
        gwid,
        command: true,
      });
      changed(tx, accountId);
      return { id, secret };
    },

    remove: async (tx: Tx, acting: Acting, id: string): Promise<void> =>
      drop(tx, acting, await need(tx, acting.accountId, id)),
  };
}

/** Checks in the transaction's scope. */
export async function knownNas(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await radiusTables(tx).selectFrom('radius_nas').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}

const shown = (row: NasRow): Given => ({
  name: row.name,
  gwid: row.gwid,
  source: row.source,
  identifier: row.nas_identifier,
  require_ma: row.require_ma,
  coa_port: row.coa_port,
});

/** An undo must not bring back a Message-Authenticator setting that was learned meanwhile. */
const replacedBy = (given: Given, before: Given): Partial<Given> =>
  Object.fromEntries(Object.entries(before).filter(([key, value]) => given[key as keyof Given] !== value));

const columns = ({ identifier, ...rest }: Given) => ({ ...rest, nas_identifier: identifier });

/** A proof holds for the place that it came from. */
const isSamePlace = (a: Given, b: Given) => a.source === b.source && a.identifier === b.identifier;

const lapseOf = ({ proven_at, saved_at }: NasRow): Date | null =>
  proven_at ? null : new Date(saved_at.getTime() + radius.radiusLimits.unprovenDays * 86_400_000);

function refuseAnybody({ source, identifier }: Given): void {
  if (source === null && identifier === null) invalid('source', 'validation.required');
}

/** Translates a unique violation (SQLSTATE 23505). */
function refuseTaken(error: unknown): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505' && constraint === 'radius_nas_source') invalid('source', 'validation.duplicate');
  throw error;
}
