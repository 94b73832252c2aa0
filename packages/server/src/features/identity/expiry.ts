import { limits } from '@yunxun/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type Database, tables } from '../../platform/database/index.ts';
import { deleteExpiredCounts } from '../../platform/guesses/index.ts';
import type { IdentityTables } from './tables.ts';

/** Deletes expired rows, which anonymous callers can create. */
export function createExpiry({ database, clock }: { database: Database; clock: Clock }) {
  return {
    tasks: {
      'identity-expire': () =>
        database.withSystem(async (tx) => {
          const db = tables<IdentityTables>(tx);
          const now = clock.now();
          await deleteExpiredCounts(tx, now);
          await db.deleteFrom('verification_code').where('expires_at', '<=', now).execute();
          await db.deleteFrom('sign_in_ticket').where('expires_at', '<=', now).execute();
          const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
          await db.deleteFrom('qr_login').where('expires_at', '<=', ago(1)).execute();
          // old links keep their own answer for a day
          await db.deleteFrom('password_reset').where('expires_at', '<=', ago(1)).execute();
          // keeps the last place: otherwise an attacker's sign-in would count as the first
          await sql`delete from known_place k where last_at <= ${ago(limits.placeDays)} and exists (
            select from known_place n where n.account_id = k.account_id and n.person_id = k.person_id
              and (n.last_at, n.place) > (k.last_at, k.place))`.execute(tx);
          const ended = db.selectFrom('token_directory').where('expires_at', '<=', now);
          const live = db.selectFrom('token_directory').where('expires_at', '>', now);
          // sessions first: lock order of all writers; a renewed session lives on
          await db
            .deleteFrom('user_session')
            .where((where) => {
              const session = where.refTuple('account_id', 'id');
              const of = (tokens: typeof ended) =>
                tokens.select(['account_id', 'session_id']).$asTuple('account_id', 'session_id');
              return where.and([where(session, 'in', of(ended)), where(session, 'not in', of(live))]);
            })
            .execute();
          // remain visible as expired
          await db.deleteFrom('api_token').where('expires_at', '<=', ago(30)).execute();
          await db.deleteFrom('token_directory').where('expires_at', '<=', now).execute();
        }),
    },
    schedules: [{ task: 'identity-expire', cron: '7 * * * *' }],
  };
}
