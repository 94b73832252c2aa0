import { isIPv6 } from 'node:net';
import { limits } from '@yunxun/contract';
import type { PersonKey } from '../../platform/acting.ts';
import { type Tx, tables } from '../../platform/database/index.ts';
import { addressKey } from '../../platform/http/address.ts';
import type { IdentityTables } from './tables.ts';

const dayMs = 86_400_000;

/** Specific first: most browsers also claim Chrome and Safari. */
const families = ['MicroMessenger', 'Edg', 'OPR', 'Firefox', 'SamsungBrowser', 'Chrome', 'Safari'] as const;

/** Returns /24 (IPv6: /48) and browser family. */
export function placeOf(ip: string, userAgent: string): string {
  const family = families.find((one) => userAgent.includes(`${one}/`)) ?? 'other';
  const key = addressKey(ip);
  const network =
    isIPv6(ip) && key.includes('::/64') ? key.split(':').slice(0, 3).join(':') : key.split('.').slice(0, 3).join('.');
  return `${network} ${family}`;
}

/** @returns true if unused for `limits.placeDays` days, except the first */
export async function notePlace(
  tx: Tx,
  person: PersonKey,
  from: { ip: string; userAgent: string },
  now: Date,
): Promise<boolean> {
  const db = tables<IdentityTables>(tx);
  const place = placeOf(from.ip, from.userAgent);
  const since = new Date(now.getTime() - limits.placeDays * dayMs);
  const known = await db
    .selectFrom('known_place')
    .select(['place', 'last_at'])
    .where('account_id', '=', person.accountId)
    .where('person_id', '=', person.personId)
    .execute();
  await db
    .insertInto('known_place')
    .values({ account_id: person.accountId, person_id: person.personId, place, first_at: now, last_at: now })
    .onConflict((conflict) => conflict.columns(['account_id', 'person_id', 'place']).doUpdateSet({ last_at: now }))
    .execute();
  return known.length > 0 && !known.some((row) => row.place === place && row.last_at >= since);
}
