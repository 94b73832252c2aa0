import { type DataOf, type InputOf, sdwanGroups, sdwanShapes } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { grouped } from '../../platform/grouped.ts';
import { record } from '../logs/index.ts';
import { type createNetworks, refuseTaken } from './networks.ts';
import { readEntitlement } from './orders.ts';
import { bandOf, bandsOf } from './plans.ts';
import { lockNetwork, raiseVersion, readNodes } from './store.ts';
import { type GroupRow, type StrategyRow, sdwanTables } from './tables.ts';

type Contract = typeof sdwanGroups;
const { sdwanLimits: limits } = sdwanShapes;

export interface GroupDeps {
  clock: Clock;
  networks: Pick<ReturnType<typeof createNetworks>, 'refresh'>;
}

export function createGroups({ clock, networks }: GroupDeps) {
  const groupsOf = (tx: Tx, accountId: string) =>
    sdwanTables(tx).selectFrom('sdwan_group').selectAll().where('account_id', '=', accountId).orderBy('name').execute();
  const strategiesOf = (tx: Tx, accountId: string) =>
    sdwanTables(tx)
      .selectFrom('sdwan_strategy')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('name')
      .execute();
  const networksOf = (tx: Tx, accountId: string) =>
    sdwanTables(tx).selectFrom('sdwan_network').selectAll().where('account_id', '=', accountId).execute();

  async function need<T extends { id: string }>(rows: Promise<T[]>, id: string): Promise<T> {
    const row = (await rows).find((each) => each.id === id);
    if (!row) throw new Failure('notFound');
    return row;
  }

  /** Moves the nodes in, others out. */
  async function assign(
    tx: Tx,
    accountId: string,
    group: Pick<GroupRow, 'id' | 'network_id'>,
    keys: readonly string[],
  ) {
    const rows = await readNodes(tx, accountId, [group.network_id]);
    const ofGroup = (row: (typeof rows)[number]) => row.group_id === group.id;
    if (rows.some((row) => keys.includes(row.gwid) !== ofGroup(row)))
      await raiseVersion(tx, accountId, group.network_id);
    if (keys.some((key) => !rows.some(({ gwid }) => gwid === key))) invalid('node_keys', 'validation.choice');
    for (const row of rows) {
      const inside = keys.includes(row.gwid);
      if (inside === ofGroup(row)) continue;
      await sdwanTables(tx)
        .updateTable('sdwan_node')
        .set({ group_id: inside ? group.id : null })
        .where('account_id', '=', accountId)
        .where('network_id', '=', group.network_id)
        .where('gwid', '=', row.gwid)
        .execute();
    }
  }

  function refuseMore(used: number, limit: number): void {
    if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
  }

  return {
    async list(
      tx: Tx,
      accountId: string,
      input: InputOf<Contract['groupList']>,
    ): Promise<DataOf<Contract['groupList']>> {
      const { page = 1, limit = 10, keyword = '', network_id, sort = 'name', order = 'asc' } = input;
      const names = new Map((await networksOf(tx, accountId)).map(({ id, name }) => [id, name]));
      const nodes = await readNodes(tx, accountId);
      const found = (await groupsOf(tx, accountId)).filter(
        (row) =>
          (!network_id || row.network_id === network_id) && row.name.toLowerCase().includes(keyword.toLowerCase()),
      );
      const keysOf = grouped(nodes, ({ group_id }) => group_id);
      const nodesOf = ({ id }: Pick<GroupRow, 'id'>) => (keysOf.get(id) ?? []).map(({ gwid }) => gwid);
      const shown = sorted(found, sort === 'nodes' ? (row) => nodesOf(row).length : (row) => row[sort], order);
      const list = shown.slice((page - 1) * limit, page * limit).map(({ account_id: _account, ...row }) => {
        const keys = nodesOf(row);
        return { ...row, network: names.get(row.network_id) ?? '', node_keys: keys, is_used: keys.length > 0 };
      });
      return { list, total: found.length };
    },

    async detail(tx: Tx, accountId: string, id: string): Promise<DataOf<Contract['groupOf']>> {
      const { account_id: _account, ...row } = await need(groupsOf(tx, accountId), id);
      const nodes = await readNodes(tx, accountId);
      const bands = await bandsOf(tx, accountId);
      const entitlement = await readEntitlement(tx, accountId, clock.now());
      const bandIn = (list: typeof nodes) =>
        list.reduce((sum, node) => sum + bandOf({ ...node, ...bands.get(node.group_id ?? '') }), 0);
      const own = nodes.filter(({ group_id }) => group_id === id);
      const whole = entitlement && entitlement.widthband + entitlement.foreign_widthband;
      return {
        ...row,
        node_keys: own.map(({ gwid }) => gwid),
        total: bandIn(own),
        left: whole === null ? null : whole - bandIn(nodes),
      };
    },

    async create(tx: Tx, acting: Acting, { node_keys, ...given }: InputOf<Contract['groupCreate']>) {
      const { accountId } = acting;
      await lockNetwork(tx, accountId, given.network_id);
      refuseMore((await groupsOf(tx, accountId)).length, limits.groups);
      const id = newId(clock.now().getTime());
      const row = { account_id: accountId, id, ...given };
      await sdwanTables(tx).insertInto('sdwan_group').values(row).execute().catch(refuseTaken);
      await assign(tx, accountId, row, node_keys);
      const jobIds = await networks.refresh(tx, acting, node_keys.length > 0 ? [given.network_id] : []);
      const object = { type: 'sdwan_group', id, name: given.name } as const;
      await record(tx, acting, { action: 'sdwan_group.create', object, after: { ...given, node_keys } });
      return { id, job_ids: jobIds };
    },

    async update(tx: Tx, acting: Acting, { id, node_keys, ...given }: InputOf<Contract['groupUpdate']>) {
      const { accountId } = acting;
      const { network_id } = await need(groupsOf(tx, accountId), id);
      await lockNetwork(tx, accountId, network_id);
      const { account_id: _account, ...before } = await need(groupsOf(tx, accountId), id);
      const { name, widthband, foreign_widthband } = { ...before, ...given };
      await sdwanTables(tx)
        .updateTable('sdwan_group')
        .set({ name, widthband, foreign_widthband })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
        .catch(refuseTaken);
      if (node_keys) await assign(tx, accountId, before, node_keys);
      const jobIds = await networks.refresh(tx, acting, [before.network_id]);
      const object = { type: 'sdwan_group', id, name } as const;
      const after = { ...given, ...(node_keys && { node_keys }) };
      await record(tx, acting, { action: 'sdwan_group.update', object, before, after });
      return { job_ids: jobIds };
    },

    /** @throws Failure notFound, inUse */
    async remove(tx: Tx, acting: Acting, id: string): Promise<void> {
      const { accountId } = acting;
      const { account_id: _account, ...before } = await need(groupsOf(tx, accountId), id);
      const nodes = await readNodes(tx, accountId, [before.network_id]);
      if (nodes.some(({ group_id }) => group_id === id)) throw new Failure('inUse');
      await sdwanTables(tx)
        .deleteFrom('sdwan_group')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      const object = { type: 'sdwan_group', id, name: before.name } as const;
      await record(tx, acting, { action: 'sdwan_group.delete', object, before });
    },

    async strategies(
      tx: Tx,
      accountId: string,
      { page = 1, limit = 10, keyword = '', sort = 'name', order = 'asc' }: InputOf<Contract['strategyList']>,
    ): Promise<DataOf<Contract['strategyList']>> {
      const users = await networksOf(tx, accountId);
      const found = (await strategiesOf(tx, accountId)).filter(({ name }) =>
        name.toLowerCase().includes(keyword.toLowerCase()),
      );
      const shown = sorted(found, (row) => row[sort], order);
      const list = shown.slice((page - 1) * limit, page * limit).map(({ account_id: _account, ...row }) => {
        const own = users.filter(({ strategy_id }) => strategy_id === row.id).map(({ id, name }) => ({ id, name }));
        return { ...row, networks: own, is_used: own.length > 0 };
      });
      return { list, total: found.length };
    },

    async createStrategy(tx: Tx, acting: Acting, given: InputOf<Contract['strategyCreate']>) {
      const { accountId } = acting;
      refuseMore((await strategiesOf(tx, accountId)).length, limits.strategies);
      const id = newId(clock.now().getTime());
      const row: StrategyRow = { account_id: accountId, id, ...given };
      await sdwanTables(tx).insertInto('sdwan_strategy').values(row).execute().catch(refuseTaken);
      const object = { type: 'sdwan_strategy', id, name: given.name } as const;
      const inverse = { path: sdwanGroups.strategyDelete.path, input: { id } };
      await record(tx, acting, { action: 'sdwan_strategy.create', object, after: given, inverse });
      return { id };
    },

    async updateStrategy(tx: Tx, acting: Acting, { id, ...given }: InputOf<Contract['strategyUpdate']>) {
      const { accountId } = acting;
      const { account_id: _account, ...before } = await need(strategiesOf(tx, accountId), id);
      const after = { ...before, ...given };
      await sdwanTables(tx)
        .updateTable('sdwan_strategy')
        .set({ name: after.name, ...given })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute()
        .catch(refuseTaken);
      const users = (await networksOf(tx, accountId)).filter(({ strategy_id }) => strategy_id === id);
      const jobIds = await networks.refresh(
        tx,
        acting,
        users.flatMap((network) => (network.deployed_at ? [network.id] : [])),
      );
      const object = { type: 'sdwan_strategy', id, name: after.name } as const;
      await record(tx, acting, { action: 'sdwan_strategy.update', object, before, after: given });
      return { job_ids: jobIds };
    },

    /** @throws Failure notFound, inUse */
    async removeStrategy(tx: Tx, acting: Acting, id: string): Promise<void> {
      const { accountId } = acting;
      const { account_id: _account, ...before } = await need(strategiesOf(tx, accountId), id);
      const users = await networksOf(tx, accountId);
      if (users.some(({ strategy_id }) => strategy_id === id)) throw new Failure('inUse');
      await sdwanTables(tx)
        .deleteFrom('sdwan_strategy')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      const object = { type: 'sdwan_strategy', id, name: before.name } as const;
      await record(tx, acting, { action: 'sdwan_strategy.delete', object, before });
    },
  };
}

function sorted<T>(rows: readonly T[], numberOf: (row: T) => string | number, order: 'asc' | 'desc'): T[] {
  const byValue = (a: T, b: T) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    return typeof one === 'number' && typeof other === 'number' ? one - other : 0;
  };
  if (order === 'asc') return rows.toSorted(byValue);
  return rows.toReversed().toSorted((a, b) => byValue(b, a));
}
