import { createHash, timingSafeEqual } from 'node:crypto';
import { shield as contract, type DataOf, type InputOf, type ShieldListError } from '@yunxun/contract';
import { edgeShieldLimits } from '@yunxun/contract/device';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Acting, bySystem } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newToken, tokenHash } from '../../platform/crypto/index.ts';
import { type Database, newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import type { Log } from '../../platform/log.ts';
import { DeliveryError } from '../../platform/outbox/message.ts';
import { hostOf, refusePrivateHost } from '../../platform/outgoing/address.ts';
import { exchange } from '../../platform/outgoing/exchange.ts';
import { record } from '../logs/index.ts';
import type { Composer } from './compose.ts';
import { parseList } from './domains.ts';
import { type ListMeta, type ListTable, readLists, shieldTables } from './tables.ts';

export interface ListDeps {
  database: Database;
  clock: Clock;
  log: Log;
  config: { privateWebhooks: boolean };
  composer: Composer;
}

const day = 86_400_000;
const fetchMs = 60_000;

/** Imports lists by address, checks them daily and serves gateways. */
export function createLists({ database, clock, log, config, composer }: ListDeps) {
  async function find(id: string): Promise<ListTable> {
    const row = await shieldTables(database.system)
      .selectFrom('shield_list')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw new Failure('notFound');
    return row;
  }

  async function check(list: ListMeta): Promise<void> {
    const fetched = await fetchList(list.url, config.privateWebhooks);
    const now = clock.now();
    const isNew = 'contents' in fetched && fetched.sha256 !== list.sha256;
    const values =
      'error' in fetched ? { error: fetched.error } : { error: null, fetched_at: now, ...(isNew ? fetched : {}) };
    await shieldTables(database.system)
      .updateTable('shield_list')
      .set({ ...values, checked_at: now })
      .where('id', '=', list.id)
      .execute();
    if ('error' in fetched) log.warn({ list: list.name, error: fetched.error }, 'shield list not fetched');
    if (isNew) await spread(list.category);
  }

  async function spread(category: string): Promise<void> {
    const accounts = await shieldTables(database.system)
      .selectFrom('shield_policy')
      .select('account_id')
      .distinct()
      .where('mode', '<>', 'off')
      .where(sql<boolean>`${category} = any (categories)`)
      .execute();
    for (const { account_id: accountId } of accounts)
      await database.withSystem((tx) => composer.recompose(tx, bySystem(accountId), { cause: 'shield_lists_changed' }));
  }

  return {
    async list(): Promise<DataOf<typeof contract.listList>> {
      const list = (await readLists(database.system)).map(shownList);
      return { list, total: list.length };
    },

    async create(tx: Tx, acting: Acting, given: InputOf<typeof contract.listCreate>): Promise<{ id: string }> {
      if (!config.privateWebhooks && !/^https:/i.test(given.url)) invalid('url', 'validation.https');
      if (!config.privateWebhooks) refusePrivateHost('url', hostOf(given.url));
      const limit = contract.shieldLimits.lists;
      const used = (await readLists(database.system)).length;
      if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
      const id = newId(clock.now().getTime());
      await shieldTables(database.system)
        .insertInto('shield_list')
        .values({ id, ...given, token: newToken().token, ...unread, created_at: clock.now() })
        .execute();
      await enqueue(tx, 'shield-lists', { id });
      await record(tx, acting, {
        action: 'shield_list.create',
        object: { type: 'shield_list', id, name: given.name },
        after: given,
      });
      return { id };
    },

    /** @throws Failure notFound */
    async refresh(tx: Tx, acting: Acting, id: string): Promise<void> {
      const { name } = await find(id);
      await enqueue(tx, 'shield-lists', { id });
      await record(tx, acting, {
        action: 'shield_list.refresh',
        object: { type: 'shield_list', id, name },
        command: true as const,
      });
    },

    /** @throws Failure notFound */
    async remove(tx: Tx, acting: Acting, id: string): Promise<void> {
      const { name, category, url } = await find(id);
      await shieldTables(database.system).deleteFrom('shield_list').where('id', '=', id).execute();
      await enqueue(tx, 'shield-spread', { category });
      await record(tx, acting, {
        action: 'shield_list.delete',
        object: { type: 'shield_list', id, name },
        before: { name, category, url },
      });
    },

    /** Checks one, or all unchecked for a day. */
    async check(payload: unknown): Promise<void> {
      const { id } = (payload ?? {}) as { id?: string };
      const due = (list: ListMeta) => !list.checked_at || clock.now().getTime() - list.checked_at.getTime() >= day;
      for (const list of await readLists(database.system))
        if (id === undefined ? due(list) : list.id === id) await check(list);
    },

    spread: (payload: unknown) => spread((payload as { category: string }).category),

    known: async (_tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set((await readLists(database.system)).flatMap(({ id }) => (ids.includes(id) ? [id] : []))),

    /** Serves `GET /shield/list/<id>/<token>/<sha256>`, own lists too; the token authenticates. */
    mount(app: FastifyInstance, limitFactor: number): void {
      app.get<{ Params: { kind: string; id: string; token: string; sha256: string } }>(
        '/shield/:kind/:id/:token/:sha256',
        {
          config: { rateLimit: { max: 600 * limitFactor, timeWindow: 60_000 } },
          handler: async (request, reply) => {
            const { kind, id, token, sha256 } = request.params;
            const row = uuid.test(id) ? await offered(database, kind, id) : undefined;
            const isAllowed = row && timingSafeEqual(tokenHash(row.token), tokenHash(token)) && row.sha256 === sha256;
            if (!isAllowed) return reply.status(404).type('text/plain').send('no such list\n');
            return reply.type('text/plain').header('cache-control', 'no-store').send(row.contents);
          },
        },
      );
    },
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const unread = { contents: null, sha256: null, domains: 0, fetched_at: null, checked_at: null, error: null };

function offered(database: Database, kind: string, id: string) {
  const { system } = database;
  const columns = ['token', 'sha256', 'contents'] as const;
  if (kind === 'own')
    return shieldTables(system)
      .selectFrom('shield_own')
      .select(columns)
      .where('account_id', '=', id)
      .executeTakeFirst();
  return shieldTables(system).selectFrom('shield_list').select(columns).where('id', '=', id).executeTakeFirst();
}

export const shownList = ({ token: _token, created_at: _created, fetched_at, checked_at, ...list }: ListMeta) => ({
  ...list,
  fetched_at: fetched_at?.toISOString() ?? null,
  checked_at: checked_at?.toISOString() ?? null,
});

type Fetched = { error: ShieldListError } | { contents: string; sha256: string; domains: number };

async function fetchList(url: string, privateAddresses: boolean): Promise<Fetched> {
  const maxAnswer = edgeShieldLimits.bytes;
  try {
    const sent = { method: 'GET', url, headers: {}, privateAddresses, maxAnswer, timeoutMs: fetchMs } as const;
    const { status, body } = await exchange(sent);
    if (status !== 200) return { error: 'http_status' };
    if (body.length >= maxAnswer) return { error: 'too_large' };
    const domains = parseList(body.toString('latin1'));
    if (domains === null) return { error: 'no_domains' };
    if (domains.length > edgeShieldLimits.domains) return { error: 'too_large' };
    const contents = domains.map((domain) => `${domain}\n`).join('');
    return { contents, domains: domains.length, sha256: createHash('sha256').update(contents).digest('hex') };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    const known = contract.shieldListErrors.find((reason) => reason === error.message);
    return { error: known ?? 'other' };
  }
}
