import { type EdgeShield, type EdgeShieldList, edgeShieldLimits, shieldCategories } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { type ListMeta, lockShield, type PolicyRow, readLists, shieldTables } from './tables.ts';

export interface Sources {
  lists: readonly Pick<ListMeta, 'id' | 'category' | 'token' | 'sha256' | 'domains'>[];
  own: { token: string; sha256: string; domains: number } | null;
  allow: readonly string[];
}

/** Returns null while off. */
export function compose(
  policy: Pick<PolicyRow, 'account_id' | 'mode' | 'categories' | 'redirect'>,
  { lists, own, allow }: Sources,
): EdgeShield | null {
  const { account_id: accountId, mode, categories, redirect } = policy;
  if (mode === 'off') return null;
  const chosen = shieldCategories.filter((category) => categories.includes(category));
  return {
    mode,
    lists: chosen.flatMap((category): EdgeShieldList[] => {
      if (category === 'own') {
        if (own === null || own.domains === 0) return [];
        return [{ category, sha256: own.sha256, path: `/shield/own/${accountId}/${own.token}/${own.sha256}` }];
      }
      return lists.flatMap((list) => {
        const { id, token, sha256 } = list;
        if (list.category !== category || sha256 === null) return [];
        return [{ category, sha256, path: `/shield/list/${id}/${token}/${sha256}` }];
      });
    }),
    allow: allow.toSorted(),
    ...(redirect ? { redirect } : {}),
  };
}

export interface ComposerDeps {
  database: Database;
  clock: Clock;
  configuration: Pick<Configuration, 'pushWaves'>;
}

type Cause = 'shield_saved' | 'shield_lists_changed';

export function createComposer({ database, clock, configuration }: ComposerDeps) {
  async function sourcesOf(tx: Tx, accountId: string): Promise<Sources> {
    const allow = await shieldTables(tx)
      .selectFrom('shield_allow')
      .select('domain')
      .where('account_id', '=', accountId)
      .execute();
    const own = await shieldTables(tx)
      .selectFrom('shield_own')
      .select(['token', 'sha256', 'domains'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const lists = await readLists(database.system);
    return { lists, own: own ?? null, allow: allow.map(({ domain }) => domain) };
  }

  /** Pushes changed documents. @returns the job; null without one */
  async function recompose(
    tx: Tx,
    acting: Acting,
    { cause, gwids }: { cause: Cause; gwids?: readonly string[] },
  ): Promise<string | null> {
    const { accountId } = acting;
    await lockShield(tx, accountId);
    const sources = await sourcesOf(tx, accountId);
    let found = shieldTables(tx).selectFrom('shield_policy').selectAll().where('account_id', '=', accountId);
    if (gwids) found = found.where('gwid', 'in', [...gwids]);
    const changed: string[] = [];
    for (const policy of await found.orderBy('gwid').execute()) {
      const document = compose(policy, sources);
      if (canonical(document) === canonical(policy.document)) continue;
      changed.push(policy.gwid);
      await shieldTables(tx)
        .updateTable('shield_policy')
        .set({ document: document && JSON.stringify(document) })
        .where('account_id', '=', accountId)
        .where('gwid', '=', policy.gwid)
        .execute();
    }
    return changed.length === 0 ? null : push(tx, acting, changed, cause);
  }

  async function push(tx: Tx, acting: Acting, gwids: readonly string[], cause: Cause): Promise<string | null> {
    const devices = await fleetDevices.ofNetworks(tx, acting.accountId, gwids, clock.now());
    const gateways = devices
      .filter(({ routes }) => routes)
      .map(({ serial, gwid, name }) => ({ serial, gwid, name, wave: 0 }));
    if (gateways.length === 0) return null;
    return configuration.pushWaves(tx, acting, gateways, { cause, author: acting.actor?.name ?? acting.source });
  }

  return {
    recompose,

    /** @throws Failure limitReached beyond a gateway's domains */
    async refuseTooLarge(tx: Tx, accountId: string, categories: readonly string[]): Promise<void> {
      const { lists, own } = await sourcesOf(tx, accountId);
      const chosen = [...lists, ...(own ? [{ ...own, category: 'own' }] : [])];
      const used = chosen
        .filter(({ category }) => categories.includes(category))
        .reduce((sum, { domains }) => sum + domains, 0);
      const limit = edgeShieldLimits.domains;
      if (used > limit) throw new Failure('limitReached', { params: { limit, used } });
    },
  };
}

export type Composer = ReturnType<typeof createComposer>;

/** jsonb orders keys by itself. */
function canonical(document: EdgeShield | null): string {
  if (document === null) return '';
  const { mode, lists, allow, redirect = false } = document;
  return JSON.stringify([mode, lists.map(({ category, sha256, path }) => [category, sha256, path]), allow, redirect]);
}

/** Keys by the gateway's network. */
export async function shieldOf(
  tx: Tx,
  accountId: string,
  gwids: readonly string[],
): Promise<ReadonlyMap<string, EdgeShield>> {
  if (gwids.length === 0) return new Map();
  const rows = await shieldTables(tx)
    .selectFrom('shield_policy')
    .select(['gwid', 'document'])
    .where('account_id', '=', accountId)
    .where('gwid', 'in', [...gwids])
    .execute();
  return new Map(rows.flatMap(({ gwid, document }) => (document ? [[gwid, document] as const] : [])));
}
