import { billingShares as contract } from '@yunxun/contract';
import { sql } from 'kysely';
import { requireWholeAccount } from '../../../platform/acting.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, newId } from '../../../platform/database/index.ts';
import { readPage } from '../../../platform/database/page.ts';
import { invalid } from '../../../platform/failure.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import { fleetNetworks } from '../../fleet/index.ts';
import { accounts, delegations } from '../../identity/index.ts';
import { record } from '../../logs/index.ts';
import { yuan } from '../service.ts';
import { type Settlement, shareTables, type Term } from './tables.ts';
import { endTerm, lockShare, openTerm } from './terms.ts';

const sortColumns = { at: 'at', month: 'month', income: 'income_fen', percent: 'percent', amount: 'fen' } as const;

type Shown = Pick<Term, 'gwid' | 'hosting_id' | 'percent'> & { set_at: Date };

type Hosting = Awaited<ReturnType<typeof delegations.hostingById>>;

const isHosted = (hosting: Hosting, gwid: string) =>
  !!hosting && !hosting.revokedAt && (hosting.gwids?.includes(gwid) ?? true);

export function shareRoutes({ database, clock }: { database: Database; clock: Clock }): Route[] {
  return implement(contract, {
    async list({ acting, input }) {
      requireWholeAccount(acting, 'billing.read');
      const { accountId } = acting;
      const { page = 1, limit = 10, sort = 'set_at', order = 'desc' } = input;
      // names of hosts are in other accounts
      return database.withSystem(async (tx) => {
        const { rows, total } = await readPage<Shown>(
          tx,
          sql`select gwid, hosting_id, percent, from_at as set_at from billing_share_term
            where account_id = ${accountId} and until_at is null`,
          sql`${sql.ref(sort)} ${sql.raw(order)}, gwid`,
          { page, limit },
        );
        const ids = rows.map(({ hosting_id }) => hosting_id);
        const hostings = await delegations.hostingsById(tx, accountId, [...new Set(ids)]);
        const hosts = await accounts.namesOfAccounts(tx, [...new Set([...hostings.values()].map(({ to }) => to))]);
        const gwids = rows.map(({ gwid }) => gwid);
        const networks = await fleetNetworks.names(tx, accountId, gwids);
        const list = rows.map(({ gwid, hosting_id, percent, set_at }) => {
          const hosting = hostings.get(hosting_id);
          return {
            gwid,
            network: networks.get(gwid) ?? '',
            host: hosts.get(hosting?.to ?? '') ?? '',
            percent,
            set_at: set_at.toISOString(),
            hosted: isHosted(hosting, gwid),
          };
        });
        return { list, total };
      });
    },

    async grant({ acting, input: { gwid, hosting_id, percent } }) {
      requireWholeAccount(acting, 'billing.write');
      const { accountId } = acting;
      await database.withSystem(async (tx) => {
        const hosting =
          hosting_id && percent > 0 ? await delegations.hostingById(tx, accountId, hosting_id) : undefined;
        if (percent > 0 && !isHosted(hosting, gwid)) invalid('hosting_id', 'validation.notHosted');
        await lockShare(tx, accountId, gwid);
        const before = await openTerm(tx, accountId, gwid);
        if (before?.percent !== percent || before.hosting_id !== hosting_id) {
          const from_at = clock.now();
          if (before) await endTerm(tx, before, from_at);
          if (hosting_id && percent > 0)
            await shareTables(tx)
              .insertInto('billing_share_term')
              .values({ account_id: accountId, id: newId(from_at.getTime()), gwid, hosting_id, percent, from_at })
              .execute();
        }
        const host = hosting && (await accounts.namesOfAccounts(tx, [hosting.to])).get(hosting.to);
        const name = (await fleetNetworks.names(tx, accountId, [gwid])).get(gwid) ?? '';
        await record(tx, acting, {
          action: 'share.save',
          object: { type: 'network', id: gwid, name },
          gwid,
          before: { percent: before?.percent ?? 0 },
          after: { percent, ...(host && { host }) },
        });
      });
      return {};
    },

    async settlements({ acting, input }) {
      requireWholeAccount(acting, 'billing.read');
      const { page = 1, limit = 10, sort = 'at', order = 'desc' } = input;
      return database.withSystem(async (tx) => {
        const { rows, total } = await readPage<Settlement>(
          tx,
          sql`select * from billing_share_settlement where account_id = ${acting.accountId}`,
          sql`${sql.ref(sortColumns[sort])} ${sql.raw(order)}, id`,
          { page, limit },
        );
        const names = await accounts.namesOfAccounts(tx, [...new Set(rows.map(({ other_id }) => other_id))]);
        return {
          list: rows.map(({ id, month, side, network, other_id, income_fen, percent, fen, transaction_id, at }) => ({
            id,
            month,
            side,
            network,
            other: names.get(other_id) ?? '',
            income: yuan(income_fen),
            percent,
            amount: yuan(fen),
            transaction_id,
            at: at.toISOString(),
          })),
          total,
        };
      });
    },
  });
}
