import { sql } from 'kysely';
import { better, type Match, matches, matchOf, matchOfName, type SearchWord } from '../../platform/search/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import { peripheralsById } from './list.ts';

export const peripheralSearch: SearchSource = { permission: 'network.read', find: searchPeripherals };

/** For initials; matching ones first. */
const maxRead = 2000;

interface Candidate {
  id: string;
  name: string;
  ip: string;
  mac: string | null;
}

/** Finds by name, initials, address or network, MAC. */
async function searchPeripherals({ tx, accountId, word, limit, now }: SearchRequest): Promise<Hit[]> {
  const { rows } = await sql<Candidate>`
    select id, name, host(ip) as ip, mac from peripheral where account_id = ${accountId}
    order by strpos(concat_ws(' ', lower(name), host(ip), mac), ${(word.digits ?? word.text).toLowerCase()}) = 0, name
    limit ${maxRead}`.execute(tx);
  const matched = await Promise.all(rows.map(async (row) => ({ id: row.id, match: await matchOfRow(row, word) })));
  const found = matched
    .filter((one): one is { id: string; match: Match } => one.match !== null)
    .toSorted((a, b) => matches.indexOf(a.match) - matches.indexOf(b.match))
    .slice(0, limit);
  const matchById = new Map(found.map(({ id, match }) => [id, match]));
  const listed = await peripheralsById(tx, accountId, now, [...matchById.keys()]);
  return listed.map(({ id, name: title, ip: detail, type, gwid, network, status }) => ({
    kind: 'peripheral' as const,
    id,
    title,
    detail,
    type,
    gwid,
    network,
    status: status === 'unknown' ? null : status,
    match: matchById.get(id)!,
  }));
}

async function matchOfRow({ name, ip, mac }: Candidate, word: SearchWord): Promise<Match | null> {
  const byMac = mac && word.digits ? matchOf(mac, { ...word, text: word.digits }) : null;
  const isInRange = word.addresses?.some(({ from, before }) => ip >= from && ip < before) ?? false;
  const byAddress = better(matchOf(ip, word), isInRange ? 'start' : null);
  return better(await matchOfName(name, word), better(byMac, byAddress));
}
