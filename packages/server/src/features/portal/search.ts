import { sql } from 'kysely';
import { matches, matchOf } from '../../platform/search/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import type { Hit, SearchRequest, SearchSource } from '../search/index.ts';
import type { PortalSecrets } from './secrets.ts';
import { hashesOf, isHashed } from './session-search.ts';

export function guestSearch(secrets: PortalSecrets): SearchSource {
  return { permission: 'user.read', find: (request) => searchGuests(secrets, request) };
}

const maxRead = 200;
/** One letter is in every name. */
const minLength = 2;

/** Finds guests with a name or number by their sessions, latest first: a part of a name, or a whole number. */
async function searchGuests(secrets: PortalSecrets, { tx, accountId, word, limit }: SearchRequest): Promise<Hit[]> {
  if (word.text.length < minLength) return [];
  const hashes = hashesOf(secrets, accountId, word.text);
  const { rows } = await sql<{ id: string; gwid: string; identity: string; method: string; exact: boolean }>`
    select * from (
      select distinct on (gwid, identity_hash) id, gwid, identity, method, granted_at,
        ${isHashed(hashes)} as exact
      from portal_session
      where account_id = ${accountId} and granted_at is not null and identity is not null and identity_hash is not null
        and (${isHashed(hashes)} or strpos(lower(identity), ${word.text.toLowerCase()}) > 0)
      order by gwid, identity_hash, granted_at desc) guest
    order by exact desc, granted_at desc limit ${maxRead}`.execute(tx);
  const found = rows
    .map((row) => ({
      ...row,
      match: row.exact ? ('exact' as const) : (matchOf(row.identity, word) ?? ('part' as const)),
    }))
    .toSorted((a, b) => matches.indexOf(a.match) - matches.indexOf(b.match))
    .slice(0, limit);
  const names = await fleetNetworks.names(tx, accountId, [...new Set(found.map(({ gwid }) => gwid))]);
  return found.map(({ id, gwid, identity: title, method: type, match }) => ({
    kind: 'guest' as const,
    id,
    title,
    detail: null,
    type,
    gwid,
    network: names.get(gwid) ?? null,
    status: null,
    match,
  }));
}
