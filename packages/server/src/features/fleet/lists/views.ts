import { type Actor, allows, fleetViews as contract, type DataOf, type InputOf, networksOf } from '@yunxun/contract';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, refuseOutdated } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { record } from '../../logs/index.ts';
import { fleet } from '../tables.ts';

type Views = DataOf<typeof contract.viewList>;
type Search = Views['list'][number]['search'];

/** Per person, account and list. */
const maxViews = 50;

/** Lists own views first, each by name. */
async function listViews(tx: Tx, accountId: string, actor: Actor, list: string): Promise<Views> {
  const rows = await fleet(tx)
    .selectFrom('saved_view')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .where((where) => where.or([where('person_id', '=', actor.userId), where('shared', '=', true)]))
    .orderBy((by) => by('person_id', '=', actor.userId), 'desc')
    .orderBy('name')
    .execute();
  return {
    list: rows.map((row) => ({
      id: row.id,
      version: row.version,
      name: row.name,
      search: row.search as Search,
      shared: row.shared,
      own: row.person_id === actor.userId,
    })),
    total: rows.length,
  };
}

/** @throws Failure changedMeanwhile, nameExists, limitReached, noPermission, notFound */
async function saveView(
  tx: Tx,
  clock: Clock,
  acting: Acting,
  actor: Actor,
  { id, version, list, name, search, shared }: InputOf<typeof contract.viewSave>,
): Promise<{ id: string }> {
  const { accountId } = acting;
  const old = id ? await changeable(tx, accountId, actor, id) : null;
  refuseOutdated(old, { version });
  if (shared && !old?.shared) mayShare(actor);
  const owner = old?.person_id ?? actor.userId;
  const others = await fleet(tx)
    .selectFrom('saved_view')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('person_id', '=', owner)
    .where('list', '=', list)
    .execute();
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase() && other.id !== id))
    throw new Failure('nameExists');
  if (!old && others.length >= maxViews) {
    throw new Failure('limitReached', { data: { limit: maxViews, used: others.length } });
  }
  const values = { version: (old?.version ?? 0) + 1, list, name, search: JSON.stringify(search), shared };
  const kept = old?.id ?? newId(clock.now().getTime());
  if (old) {
    await fleet(tx)
      .updateTable('saved_view')
      .set(values)
      .where('account_id', '=', accountId)
      .where('id', '=', kept)
      .execute();
  } else {
    await fleet(tx)
      .insertInto('saved_view')
      .values({ account_id: accountId, id: kept, person_id: owner, created_at: clock.now(), ...values })
      .execute();
  }
  await record(tx, acting, {
    action: 'view.save',
    object: { type: 'view', id: kept, name },
    ...(old ? { before: { name: old.name, search: old.search, shared: old.shared } } : {}),
    after: { name, search, shared },
  });
  return { id: kept };
}

/** @throws Failure noPermission, notFound */
async function deleteView(tx: Tx, acting: Acting, actor: Actor, id: string): Promise<void> {
  const { accountId } = acting;
  const { name, search, shared, list } = await changeable(tx, accountId, actor, id);
  await fleet(tx).deleteFrom('saved_view').where('account_id', '=', accountId).where('id', '=', id).execute();
  await record(tx, acting, {
    action: 'view.delete',
    object: { type: 'view', id, name },
    before: { name, search, shared },
    inverse: { path: '/api/v3/view/save', input: { list, name, search, shared } },
  });
}

/** Locks an own view, or a shared one with access to all networks. */
async function changeable(tx: Tx, accountId: string, actor: Actor, id: string) {
  const view = await fleet(tx)
    .selectFrom('saved_view')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!view || (view.person_id !== actor.userId && !view.shared)) throw new Failure('notFound');
  if (view.person_id !== actor.userId) mayShare(actor);
  return view;
}

function mayShare(actor: Actor): void {
  const permission = 'network.write';
  if (!allows(actor, permission)) throw new Failure('noPermission', { data: { permission, reason: 'permission' } });
  if (networksOf(actor)) throw new Failure('noPermission', { data: { permission, reason: 'networks' } });
}

export async function knownViews(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await fleet(tx)
    .selectFrom('saved_view')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export function viewRoutes(clock: Clock): Route[] {
  return implement(contract, {
    viewList: ({ tx, acting, identity, input }) => listViews(tx, acting.accountId, identity.actor, input.list),
    viewSave: ({ tx, acting, identity, input }) => saveView(tx, clock, acting, identity.actor, input),
    async viewDelete({ tx, acting, identity, input }) {
      await deleteView(tx, acting, identity.actor, input.id);
      return {};
    },
  });
}
