import { sql } from 'kysely';
import type { Acting } from '../../platform/acting.ts';
import type { Bus } from '../../platform/bus/index.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { hasTag } from '../../platform/search/index.ts';
import { record } from '../logs/index.ts';
import { announce, announceTags } from './live.ts';

const maxTags = 20;
const maxUndone = 1000;
const maxNamed = 20;

const tagged = {
  network: { id: 'gwid', ids: 'gwids', path: '/api/v3/network/tag' },
  device: { id: 'serial', ids: 'serials', path: '/api/v3/ap/tag' },
} as const;

interface Changed {
  id: string;
  gwid: string | null;
  remark: string;
  before: string[];
  after: string[];
}

export interface TagChange {
  add?: readonly string[] | undefined;
  remove?: readonly string[] | undefined;
}

/** Changes all or none. @returns the number changed @throws Failure limitReached; Invalid */
export async function changeTags(
  tx: Tx,
  bus: Bus,
  acting: Acting,
  type: keyof typeof tagged,
  ids: readonly string[],
  { add = [], remove = [] }: TagChange,
): Promise<number> {
  const { accountId } = acting;
  const { id, path, ids: field } = tagged[type];
  if (add.length + remove.length === 0) return invalid('add', 'validation.required');
  const { rows } = await sql<Changed>`
    with changed as (
      select t.${sql.ref(id)} as id, t.tags as before, array(
        select tag from (
          select (array_agg(tag order by place))[1] as tag, min(place) as place from (
            select tag, place from unnest(t.tags) with ordinality old (tag, place)
            where lower(tag) <> all(lower(${[...remove]}::text[]::text)::text[])
            union all select tag, 1000 + place from unnest(${[...add]}::text[]) with ordinality new (tag, place)
          ) tags group by lower(tag)
        ) once order by place) as after
      from ${sql.table(type)} t where t.account_id = ${accountId} and t.${sql.ref(id)}::text = any(${[...ids]}::text[])
      order by t.${sql.ref(id)} for update
    )
    update ${sql.table(type)} t set tags = c.after from changed c
    where t.account_id = ${accountId} and t.${sql.ref(id)} = c.id and c.after <> c.before
    returning c.id, t.gwid, t.remark, c.before, c.after
  `.execute(tx);
  const full = rows.filter(({ after }) => after.length > maxTags);
  if (full.length > 0) {
    const used = Math.max(...full.map(({ after }) => after.length));
    const refs = full.slice(0, maxNamed).map(({ remark }) => remark);
    throw new Failure('limitReached', { data: { limit: maxTags, used, refs }, params: { limit: maxTags, used } });
  }
  const [only] = rows;
  if (!only) return 0;
  const inverse = inverseOf(rows);
  const one = rows.length === 1;
  await record(tx, acting, {
    action: type === 'network' ? 'network.tag' : 'device.tag',
    object: one ? { type, id: only.id, name: only.remark } : { type: 'selection', id: newId(), name: nameOf(rows) },
    gwid: one ? only.gwid : null,
    ...(one
      ? { before: { tags: only.before }, after: { tags: only.after } }
      : { before: shown(rows, id, 'before'), after: shown(rows, id, 'after') }),
    ...(inverse ? { inverse: { path, input: { [field]: rows.map((row) => row.id), ...inverse } } } : {}),
  });
  if (type === 'network')
    for (const { id: gwid } of rows) announce(tx, bus, accountId, { type: 'network.changed', gwid });
  else
    announceTags(
      tx,
      bus,
      accountId,
      rows.map(({ id: serial, gwid }) => ({ serial, gwid })),
    );
  return rows.length;
}

const shown = (rows: readonly Changed[], id: string, side: 'before' | 'after') =>
  rows.slice(0, maxUndone).map((row) => ({ name: row.remark, [id]: row.id, tags: row[side] }));

/** Returns null after different changes. */
function inverseOf(rows: readonly Changed[]) {
  if (rows.length > maxUndone) return null;
  const ways = new Set(
    rows.map(({ before, after }) => JSON.stringify([minus(before, after).sort(), minus(after, before).sort()])),
  );
  if (ways.size !== 1) return null;
  const [gone, come] = JSON.parse([...ways][0]!) as [string[], string[]];
  return { add: gone, remove: come };
}

const minus = (some: readonly string[], others: readonly string[]) => some.filter((one) => !others.includes(one));

export function nameOf(rows: readonly { remark: string }[]): string {
  return rows
    .slice(0, 3)
    .map(({ remark }) => remark)
    .join(', ');
}

export async function tagsInUse(
  tx: Tx,
  accountId: string,
): Promise<{ tag: string; networks: number; devices: number }[]> {
  const { rows } = await sql<{ tag: string; networks: number; devices: number }>`
    select min(tag) as tag, sum(networks)::int as networks, sum(devices)::int as devices from (
      select unnest(tags) as tag, 1 as networks, 0 as devices from network where account_id = ${accountId}
      union all select unnest(tags), 0, 1 from device where account_id = ${accountId}
    ) used group by lower(tag) order by lower(tag)
  `.execute(tx);
  return rows;
}

export async function devicesByTag(tx: Tx, accountId: string, tag: string): Promise<string[]> {
  const { rows } = await sql<{ serial: string }>`
    select d.serial from device d left join network n on n.account_id = d.account_id and n.gwid = d.gwid
    where d.account_id = ${accountId} and d.gwid is not null and (${hasTag('d.tags', tag)} or ${hasTag('n.tags', tag)})
    order by d.serial
  `.execute(tx);
  return rows.map(({ serial }) => serial);
}
