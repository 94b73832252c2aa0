import { type RawBuilder, sql } from 'kysely';
import { macContaining } from '../../platform/search/index.ts';
import { allMethods } from './methods/index.ts';
import type { PortalSecrets } from './secrets.ts';

export const hashesOf = (secrets: PortalSecrets, accountId: string, text: string): Buffer[] =>
  allMethods().flatMap((method) => method.hashesOf?.(secrets, accountId, text) ?? []);

export const isHashed = (hashes: readonly Buffer[]): RawBuilder<boolean> =>
  sql<boolean>`(identity_hash = any (${hashes}::bytea[]) or login_names && ${hashes}::bytea[])`;

/**
 * Matches rows of `portal_session`: a part of MAC (any notation), address or identity, or exactly what only keyed
 * hashes can be compared with.
 */
export function sessionsMatching(secrets: PortalSecrets, accountId: string, keyword: string): RawBuilder<boolean> {
  const text = keyword.trim().toLowerCase();
  if (text === '') return sql<boolean>`true`;
  const part = macContaining(text);
  const hashes = hashesOf(secrets, accountId, keyword);
  const mac = part ? sql`replace(mac, ':', '') like ${part}` : sql`false`;
  return sql<boolean>`(strpos(lower(concat_ws(' ', mac, ip, identity)), ${text}) > 0 or ${mac} or ${isHashed(hashes)})`;
}
