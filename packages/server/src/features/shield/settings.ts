import { shield as contract, type DataOf, type InputOf } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import { networkNames } from '../fleet/names.ts';
import { networkResults } from '../fleet/network-list.ts';
import { record } from '../logs/audit.ts';
import type { Composer } from './compose.ts';
import { checksOf, gatewaysOf, inability, networkStates, readPolicies } from './states.ts';
import { readLists, shieldTables } from './tables.ts';

/** Networks of an account at most. */
const maxNetworks = 100_000;
const unset = { mode: 'off', categories: [], redirect: false } as const;

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
      const all = await networkResults(tx, accountId, now, keyword ? { keyword } : {}, maxNetworks);
      const isByName = sort === undefined || sort === 'name';
      const within = <T>(list: readonly T[]) => list.slice((page - 1) * limit, page * limit);
      // figures of networks are known only after their states were read
      const gwids = isByName ? within(order === 'desc' ? all.toReversed() : all) : all;
      const names = await networkNames(tx, accountId, gwids);
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
          ...{
            gwid,
            name: names.get(gwid) ?? '',
            mode,
            categories: [...categories],
            redirect,
            ...state,
            score,
            checks,
          },
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
      { gwids, ...wanted }: InputOf<typeof contract.settingSave>,
    ): Promise<{ job_id: string | null }> {
      const { accountId } = acting;
      if (wanted.mode !== 'off') {
        const gateways = await gatewaysOf(tx, accountId, gwids, clock.now());
        if (gwids.some((gwid) => inability(gateways.get(gwid)) === 'version'))
          throw new Failure('versionTooLow', { params: { feature: 'security', need: contract.shieldLimits.firmware } });
        await composer.refuseTooLarge(tx, accountId, wanted.categories);
      }
      const names = await networkNames(tx, accountId, gwids);
      const policies = await readPolicies(tx, accountId, gwids);
      for (const gwid of gwids) {
        const values = { ...wanted, categories: [...wanted.categories], saved_at: clock.now() };
        await shieldTables(tx)
          .insertInto('shield_policy')
          .values({ account_id: accountId, gwid, ...values, document: null })
          .onConflict((conflict) => conflict.columns(['account_id', 'gwid']).doUpdateSet(values))
          .execute();
      }
      const jobId = await composer.recompose(tx, acting, { cause: 'shield_saved', gwids });
      for (const gwid of gwids) {
        const { mode, categories, redirect } = policies.get(gwid) ?? unset;
        const before = { mode, categories: [...categories], redirect };
        await record(tx, acting, {
          action: 'shield.save',
          object: { type: 'network', id: gwid, name: names.get(gwid) ?? '' },
          ...{ gwid, before, after: wanted },
          inverse: { path: contract.settingSave.path, input: { gwids: [gwid], ...before } },
          ...(jobId ? { jobId } : {}),
        });
      }
      return { job_id: jobId };
    },
  };
}
