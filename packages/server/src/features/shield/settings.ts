import { shield as contract, type DataOf, type InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { record } from '../logs/index.ts';
import type { Composer } from './compose.ts';
import { checksOf, gatewaysOf, inability, networkStates, readPolicies } from './states.ts';
import { lockShield, type PolicyRow, readLists, shieldTables } from './tables.ts';

/** Networks of an account at most. */
const maxNetworks = 100_000;
type Policy = Pick<PolicyRow, 'mode' | 'redirect'> & { categories: readonly PolicyRow['categories'][number][] };
const unset: Policy = { mode: 'off', categories: [], redirect: false };

export function createSettings({
  database,
  clock,
  composer,
}: {
  database: Database;
  clock: Clock;
  composer: Composer;
}) {
  return {
    async list(
      tx: Tx,
      accountId: string,
      { page = 1, limit = 10, keyword, sort, order }: InputOf<typeof contract.settingList>,
    ): Promise<DataOf<typeof contract.settingList>> {
      const now = clock.now();
      const all = await fleetNetworks.find(tx, accountId, now, keyword ? { keyword } : {}, maxNetworks);
      const isByName = sort === undefined || sort === 'name';
      const within = <T>(list: readonly T[]) => list.slice((page - 1) * limit, page * limit);
      // figures of networks are known only after their states were read
      const gwids = isByName ? within(order === 'desc' ? all.toReversed() : all) : all;
      const names = await fleetNetworks.names(tx, accountId, gwids);
      const policies = await readPolicies(tx, accountId, gwids);
      const states = await networkStates(tx, accountId, gwids, now);
      const lists = await readLists(database.system);
      const rows = gwids.map((gwid) => {
        const policy = policies.get(gwid);
        const { mode, categories, redirect } = policy ?? unset;
        const state = states.get(gwid)!;
        const checks = checksOf(policy, state, lists, now);
        const score = checks.reduce((sum, { points }) => sum + points, 0);
        return {
          gwid,
          name: names.get(gwid) ?? '',
          mode,
          categories: [...categories],
          redirect,
          ...state,
          score,
          checks,
        };
      });
      if (isByName) return { list: rows, total: all.length };
      const direction = order === 'desc' ? -1 : 1;
      const sorted = rows.toSorted((a, b) => ((a[sort] ?? -1) - (b[sort] ?? -1)) * direction);
      return { list: within(sorted), total: all.length };
    },

    /** @throws Failure versionTooLow, limitReached */
    async save(
      tx: Tx,
      acting: Acting,
      { gwids, ...given }: InputOf<typeof contract.settingSave>,
    ): Promise<{ job_id: string | null }> {
      const { accountId } = acting;
      await lockShield(tx, accountId);
      const policies = await readPolicies(tx, accountId, gwids);
      const plainOf = ({ mode, categories, redirect }: Policy) => ({ mode, categories: [...categories], redirect });
      const changes = gwids.map((gwid) => {
        const before = plainOf(policies.get(gwid) ?? unset);
        return { gwid, before, after: plainOf({ ...before, ...given }) };
      });
      const protecting = changes.filter(({ after }) => after.mode !== 'off');
      if (protecting.length > 0) {
        const gateways = await gatewaysOf(tx, accountId, gwids, clock.now());
        const unable = protecting.flatMap(({ gwid }) => {
          const gateway = gateways.get(gwid);
          return gateway && inability(gateway) === 'ability' ? [gateway.name] : [];
        });
        if (unable.length > 0)
          throw new Failure('versionTooLow', { params: { feature: 'security', names: unable.join(', ') } });
      }
      const chosen = new Map(
        protecting.map(({ after: { categories } }) => [categories.toSorted().join(' '), categories]),
      );
      for (const categories of chosen.values()) await composer.refuseTooLarge(tx, accountId, categories);
      const names = await fleetNetworks.names(tx, accountId, gwids);
      for (const { gwid, after } of changes) {
        const values = { ...after, saved_at: clock.now() };
        await shieldTables(tx)
          .insertInto('shield_policy')
          .values({ account_id: accountId, gwid, ...values, document: null })
          .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet(values))
          .execute();
      }
      const jobId = await composer.recompose(tx, acting, { cause: 'shield_saved', gwids });
      for (const { gwid, before } of changes)
        await record(tx, acting, {
          action: 'shield.save',
          object: { type: 'network', id: gwid, name: names.get(gwid) ?? '' },
          gwid,
          before,
          after: given,
          inverse: { path: contract.settingSave.path, input: { gwids: [gwid], ...before } },
          ...(jobId ? { jobId } : {}),
        });
      return { job_id: jobId };
    },
  };
}
