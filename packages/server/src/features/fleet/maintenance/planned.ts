import { fleetMaintenance as contract, type DataOf, type InputOf } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Acting } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { newId, type Tx } from '../../../platform/database/index.ts';
import { Failure, invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { record } from '../../logs/index.ts';
import { networksById } from '../device-store.ts';
import type { Chosen } from '../lists/chosen.ts';
import { fleet } from '../tables.ts';
import { nameOf } from '../tags.ts';
import { listPlanned } from './planned-store.ts';

interface PlannedDeps {
  chosen: Chosen;
  clock: Clock;
}

type Created = DataOf<typeof contract.maintenanceCreate>;
type Times = Pick<InputOf<typeof contract.maintenanceCreate>, 'begins_at' | 'minutes' | 'note'>;

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** An undo names each of them. */
const maxUndone = 1000;

export function maintenanceRoutes({ chosen, clock }: PlannedDeps): Route[] {
  return implement(contract, {
    async maintenanceCreate({ tx, acting, input: { begins_at, minutes, note, ...networks } }) {
      const gwids = await chosen.networks(tx, acting.accountId, networks);
      return create(tx, acting, gwids, { begins_at, minutes, note }, clock.now());
    },
    async maintenanceList({ tx, acting, input }) {
      const now = clock.now();
      const rows = await listPlanned(tx, acting.accountId, input.gwid, now);
      const list = rows.map(({ id, begins_at, ends_at, note, person, created_at }) => ({
        id,
        begins_at: begins_at.toISOString(),
        ends_at: ends_at.toISOString(),
        open: begins_at <= now,
        note,
        person,
        created_at: created_at.toISOString(),
      }));
      return { list, total: list.length };
    },
    async maintenanceEnd({ tx, acting, input }) {
      await end(tx, acting, input.ids, clock.now());
      return {};
    },
  });
}

/** @throws Invalid for a beginning in the past or too far ahead */
function beginOf({ begins_at: begins }: Times, now: Date): Date {
  if (begins === undefined) return now;
  const begin = new Date(begins);
  if (begin.getTime() < now.getTime() - minuteMs) return invalid('begins_at', 'validation.future');
  if (begin.getTime() > now.getTime() + contract.maintenanceLimits.daysAhead * dayMs)
    return invalid('begins_at', 'validation.choice');
  return begin;
}

async function create(tx: Tx, acting: Acting, gwids: readonly string[], times: Times, now: Date): Promise<Created> {
  const { accountId } = acting;
  const begin = beginOf(times, now);
  const end = new Date(begin.getTime() + times.minutes * minuteMs);
  const note = times.note ?? '';
  const networks = await networksById(tx, accountId, gwids);
  const list = networks
    .map(({ gwid, remark }) => ({ id: newId(now.getTime()), gwid, name: remark }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  await sql`
    insert into network_maintenance (account_id, id, gwid, begins_at, ends_at, note, person, created_at)
    select ${accountId}::uuid, m.id, m.gwid, ${begin}::timestamptz, ${end}::timestamptz, ${note}::text,
      ${acting.actor?.name ?? acting.source}::text, ${now}::timestamptz
    from unnest(${list.map(({ id }) => id)}::uuid[], ${list.map(({ gwid }) => gwid)}::uuid[]) as m (id, gwid)
  `.execute(tx);
  const [only] = list;
  const one = list.length === 1 ? only : undefined;
  await record(tx, acting, {
    action: 'network.maintenance',
    object: one
      ? { type: 'network', id: one.gwid, name: one.name }
      : { type: 'selection', id: newId(), name: nameOf(list.map(({ name }) => ({ remark: name }))) },
    gwid: one?.gwid ?? null,
    after: {
      gwids: list.slice(0, maxUndone).map(({ gwid }) => gwid),
      begins_at: begin.toISOString(),
      ends_at: end.toISOString(),
      note,
    },
    command: true,
    ...(list.length <= maxUndone && {
      inverse: { path: '/api/v3/network/maintenance/end', input: { ids: list.map(({ id }) => id) } },
    }),
  });
  return { list, begins_at: begin.toISOString(), ends_at: end.toISOString() };
}

/** @throws Failure changedMeanwhile if each has ended */
async function end(tx: Tx, acting: Acting, ids: readonly string[], now: Date): Promise<void> {
  const { accountId } = acting;
  const rows = await fleet(tx)
    .selectFrom('network_maintenance as m')
    .innerJoin('network as n', (join) => join.onRef('n.account_id', '=', 'm.account_id').onRef('n.gwid', '=', 'm.gwid'))
    .select(['m.id', 'm.gwid', 'm.begins_at', 'm.ends_at', 'm.note', 'n.remark'])
    .where('m.account_id', '=', accountId)
    .where('m.id', 'in', [...ids])
    .where('m.ends_at', '>', now)
    .orderBy('m.id')
    .forUpdate('m')
    .execute();
  const [only] = rows;
  if (!only) throw new Failure('changedMeanwhile');
  const coming = rows.filter(({ begins_at: begins }) => begins >= now).map(({ id }) => id);
  const open = rows.filter(({ begins_at: begins }) => begins < now).map(({ id }) => id);
  const of = fleet(tx);
  if (coming.length > 0)
    await of.deleteFrom('network_maintenance').where('account_id', '=', accountId).where('id', 'in', coming).execute();
  if (open.length > 0)
    await of
      .updateTable('network_maintenance')
      .set({ ends_at: now })
      .where('account_id', '=', accountId)
      .where('id', 'in', open)
      .execute();
  const one = new Set(rows.map(({ gwid }) => gwid)).size === 1;
  await record(tx, acting, {
    action: 'network.maintenance_end',
    object: one
      ? { type: 'network', id: only.gwid, name: only.remark }
      : { type: 'selection', id: newId(), name: nameOf(rows) },
    gwid: one ? only.gwid : null,
    before: {
      gwids: [...new Set(rows.map(({ gwid }) => gwid))],
      begins_at: only.begins_at.toISOString(),
      ends_at: only.ends_at.toISOString(),
      note: only.note,
    },
    command: true,
  });
}
