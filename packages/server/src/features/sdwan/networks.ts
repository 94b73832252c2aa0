import { type DataOf, type InputOf, type SdwanError, sdwan, sdwanShapes } from '@yunxun/contract';
import type { EdgeSdwan } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import { newId, type Tx } from '../../platform/database/index.ts';
import { Failure, type FieldError, Invalid } from '../../platform/failure.ts';
import { record } from '../logs/index.ts';
import { compile, suggestPrefixes, withRevision } from './compile/index.ts';
import type { FactsDeps, GatewayAddresses } from './facts.ts';
import { readEntitlement } from './orders.ts';
import { type Drawn, drawPlan, inputOf, isFinding, isVersion, type Wanted } from './plans.ts';
import type { createSdwanPush, PushDeps } from './push.ts';
import { revoke } from './revocation.ts';
import { lockNetwork, raiseVersion, readNodes, saveNodes } from './store.ts';
import { type NetworkRow, type NodeRow, sdwanTables } from './tables.ts';
import { linkView } from './views.ts';

type Contract = typeof sdwan;

export interface NetworkDeps extends PushDeps {
  facts: FactsDeps;
  push: ReturnType<typeof createSdwanPush>;
}

/** @throws Failure nameExists */
export function refuseTaken(error: unknown): never {
  if ((error as { code?: string }).code === '23505') throw new Failure('nameExists');
  throw error;
}

/**
 * @throws Failure versionTooLow with outdated gateways; Invalid with each error at its node; Failure subnetsOverlap if
 * only LANs overlap
 */
function refuse(errors: readonly SdwanError[], { nodes }: Wanted): void {
  if (errors.length === 0) return;
  const old = errors.filter(({ code }) => isVersion(code));
  if (old.length > 0) {
    const gateways = old.map(({ key, params }) => ({ key, name: params.name }));
    throw new Failure('versionTooLow', { data: { gateways }, params: { need: sdwanShapes.sdwanLimits.firmware } });
  }
  if (errors.every(({ code }) => code === 'overlap'))
    throw new Failure('subnetsOverlap', { data: { conflicts: errors } });
  const fields = new Map<string, FieldError[]>();
  for (const { code, key, field, params } of errors) {
    const at = nodes.findIndex((node) => node.key === key);
    const name = ['nodes', ...(at < 0 ? [] : [at]), ...(field === null ? [] : [field])].join('.');
    fields.set(name, [...(fields.get(name) ?? []), { key: `sdwan.error.${code}`, params }]);
  }
  throw new Invalid(Object.fromEntries(fields));
}

const restored = ({ id, name, type, mode, strategy_id, version }: NetworkRow, nodes: readonly NodeRow[]) => ({
  path: sdwan.networkUpdate.path,
  input: { id, version: version + 1, name, type, mode, strategy_id, nodes: nodes.map(inputOf) },
});

const isSameError = (one: SdwanError, other: SdwanError): boolean =>
  one.code === other.code && one.key === other.key && one.field === other.field;

export function createNetworks({ clock, facts, push }: NetworkDeps) {
  const draw = async (
    tx: Tx,
    accountId: string,
    id: string | null,
    wanted: Wanted,
    coming: ReadonlyMap<string, GatewayAddresses> = new Map(),
  ): Promise<Drawn> => {
    const addressesOf: FactsDeps['addressesOf'] = async (...asked) =>
      new Map([...(await facts.addressesOf(...asked)), ...coming]);
    const entitlement = await readEntitlement(tx, accountId, clock.now());
    return drawPlan(tx, accountId, { id, ...wanted }, { ...facts, addressesOf, entitlement });
  };

  /** @throws as `refuse` */
  async function need(tx: Tx, accountId: string, id: string | null, wanted: Wanted): Promise<Drawn> {
    const drawn = await draw(tx, accountId, id, wanted);
    refuse(drawn.errors, wanted);
    return drawn;
  }

  /** Lets findings pass. @throws as `refuse` */
  async function needDeployable(tx: Tx, accountId: string, network: NetworkRow): Promise<Drawn> {
    const wanted = await wantedOf(tx, network);
    const drawn = await draw(tx, accountId, network.id, wanted);
    refuse(
      drawn.errors.filter(({ code }) => !isFinding(code)),
      wanted,
    );
    return drawn;
  }

  async function wantedOf(tx: Tx, { account_id: accountId, id, ...network }: NetworkRow): Promise<Wanted> {
    const { type, mode, strategy_id } = network;
    return { type, mode, strategy_id, nodes: (await readNodes(tx, accountId, [id])).map(inputOf) };
  }

  async function save(
    tx: Tx,
    acting: Acting,
    network: NetworkRow,
    wanted: Wanted,
    log: { action: string; name: string },
  ): Promise<{ job_id: string | null }> {
    const { accountId } = acting;
    await need(tx, accountId, network.id, wanted);
    const before = await readNodes(tx, accountId, [network.id]);
    const { type, mode, strategy_id } = wanted;
    await sdwanTables(tx)
      .updateTable('sdwan_network')
      .set({ name: log.name, type, mode, strategy_id })
      .where('account_id', '=', accountId)
      .where('id', '=', network.id)
      .execute()
      .catch(refuseTaken);
    await raiseVersion(tx, accountId, network.id);
    await saveNodes(tx, accountId, network.id, wanted.nodes);
    const keys = new Set(wanted.nodes.map(({ key }) => key));
    const removed = before.flatMap(({ gwid, document }) => (document && !keys.has(gwid) ? [gwid] : []));
    // new nodes have address and slot now
    const jobId = network.deployed_at
      ? await push.deploy(tx, acting, network, await need(tx, accountId, network.id, wanted), { removed })
      : null;
    await record(tx, acting, {
      action: log.action,
      object: { type: 'sdwan_network', id: network.id, name: log.name },
      before: { name: network.name, type: network.type, mode: network.mode, nodes: before.map(inputOf) },
      after: { name: log.name, type, mode, nodes: wanted.nodes },
      inverse: restored(network, before),
      ...(jobId ? { jobId } : {}),
    });
    return { job_id: jobId };
  }

  /** Revokes lost nodes' tunnels in stored documents: the plan does not compile. */
  async function leave(
    tx: Tx,
    acting: Acting,
    network: NetworkRow,
    { nodes }: Wanted,
    log: { action: string; name: string },
  ): Promise<{ job_id: string | null }> {
    const before = await readNodes(tx, acting.accountId, [network.id]);
    const kept = new Set(nodes.map(({ key }) => key));
    const gone = before.filter(({ gwid }) => !kept.has(gwid));
    const { changed } = await revoke(tx, before, new Set(gone.map(({ gwid }) => gwid)));
    await raiseVersion(tx, acting.accountId, network.id);
    await saveNodes(tx, acting.accountId, network.id, nodes);
    const removed = gone.flatMap(({ gwid, document }) => (document ? [gwid] : []));
    const jobId = await push.revoke(tx, acting, network, { changed, removed });
    await record(tx, acting, {
      action: log.action,
      object: { type: 'sdwan_network', id: network.id, name: log.name },
      before: { nodes: before.map(inputOf) },
      after: { nodes },
      inverse: restored(network, before),
      ...(jobId ? { jobId } : {}),
    });
    return { job_id: jobId };
  }

  return {
    async create(tx: Tx, acting: Acting, { name, ...wanted }: InputOf<Contract['networkCreate']>) {
      const { accountId } = acting;
      await need(tx, accountId, null, wanted);
      const { used } = await sdwanTables(tx)
        .selectFrom('sdwan_network')
        .select(({ fn }) => fn.countAll<number>().as('used'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      const limit = sdwanShapes.sdwanLimits.networks;
      if (used >= limit) throw new Failure('limitReached', { params: { limit, used } });
      const id = newId(clock.now().getTime());
      const { type, mode, strategy_id } = wanted;
      await sdwanTables(tx)
        .insertInto('sdwan_network')
        .values({
          account_id: accountId,
          id,
          name,
          type,
          mode,
          strategy_id,
          created_at: clock.now(),
          deployed_at: null,
          job_id: null,
        })
        .execute()
        .catch(refuseTaken);
      await saveNodes(tx, accountId, id, wanted.nodes);
      await record(tx, acting, {
        action: 'sdwan_network.create',
        object: { type: 'sdwan_network', id, name },
        after: { name, ...wanted },
        inverse: { path: sdwan.networkDelete.path, input: { id } },
      });
      return { id };
    },

    /** @throws Failure changedMeanwhile, and as `refuse` */
    async update(tx: Tx, acting: Acting, { id, version, name, ...wanted }: InputOf<Contract['networkUpdate']>) {
      const network = await lockNetwork(tx, acting.accountId, id);
      if (network.version !== version) throw new Failure('changedMeanwhile');
      return save(tx, acting, network, wanted, { action: 'sdwan_network.update', name });
    },

    async add(tx: Tx, acting: Acting, { id, nodes }: InputOf<Contract['memberAdd']>) {
      const network = await lockNetwork(tx, acting.accountId, id);
      const wanted = await wantedOf(tx, network);
      const more = { ...wanted, nodes: [...wanted.nodes, ...nodes] };
      return save(tx, acting, network, more, { action: 'sdwan_network.add_nodes', name: network.name });
    },

    /** Works with other errors, if it adds none. */
    async remove(tx: Tx, acting: Acting, { id, keys }: InputOf<Contract['memberRemove']>) {
      const network = await lockNetwork(tx, acting.accountId, id);
      const wanted = await wantedOf(tx, network);
      const less = { ...wanted, nodes: wanted.nodes.filter(({ key }) => !keys.includes(key)) };
      const log = { action: 'sdwan_network.remove_nodes', name: network.name };
      const { errors } = await draw(tx, acting.accountId, id, less);
      if (errors.length === 0) return save(tx, acting, network, less, log);
      const { errors: known } = await draw(tx, acting.accountId, id, wanted);
      refuse(
        errors.filter((error) => !known.some((one) => isSameError(one, error))),
        less,
      );
      return leave(tx, acting, network, less, log);
    },

    async deploy(tx: Tx, acting: Acting, id: string) {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, id);
      const drawn = await needDeployable(tx, accountId, network);
      const jobId = await push.deploy(tx, acting, network, drawn, { all: true });
      await record(tx, acting, {
        action: 'sdwan_network.deploy',
        object: { type: 'sdwan_network', id, name: network.name },
        command: true,
        ...(jobId ? { jobId } : {}),
      });
      return { job_id: jobId };
    },

    async delete(tx: Tx, acting: Acting, id: string) {
      const { accountId } = acting;
      const network = await lockNetwork(tx, accountId, id);
      const nodes = await readNodes(tx, accountId, [id]);
      await sdwanTables(tx)
        .deleteFrom('sdwan_network')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .execute();
      const given = nodes.flatMap(({ gwid, document }) => (document ? [gwid] : []));
      const jobId = await push.takeDown(tx, acting, given);
      await record(tx, acting, {
        action: 'sdwan_network.delete',
        object: { type: 'sdwan_network', id, name: network.name },
        before: { name: network.name, type: network.type, mode: network.mode, nodes: nodes.map(inputOf) },
        ...(jobId ? { jobId } : {}),
      });
      return { job_id: jobId };
    },

    /** Runs after a change of group or strategy. */
    async refresh(tx: Tx, acting: Acting, ids: readonly string[]): Promise<string[]> {
      const jobs: string[] = [];
      for (const id of ids) {
        const network = await lockNetwork(tx, acting.accountId, id);
        const drawn = await needDeployable(tx, acting.accountId, network);
        const jobId = network.deployed_at ? await push.deploy(tx, acting, network, drawn) : null;
        if (jobId) jobs.push(jobId);
      }
      return jobs;
    },

    async drawnWith(
      tx: Tx,
      { account_id: accountId, id, type, mode, strategy_id }: NetworkRow,
      nodes: Wanted['nodes'],
      coming: ReadonlyMap<string, GatewayAddresses>,
    ): Promise<Drawn> {
      return draw(tx, accountId, id, { type, mode, strategy_id, nodes }, coming);
    },

    drawn: async (tx: Tx, network: NetworkRow): Promise<Drawn> =>
      draw(tx, network.account_id, network.id, await wantedOf(tx, network)),

    async check(
      tx: Tx,
      accountId: string,
      { id = null, strategy_id = null, ...given }: Omit<InputOf<Contract['check']>, 'id'> & { id?: string | null },
    ): Promise<DataOf<Contract['check']>> {
      const { plan, sites, errors } = await draw(tx, accountId, id, { ...given, strategy_id });
      const suggestions = suggestPrefixes(plan, errors);
      if (errors.length > 0) return { errors, suggestions, matrix: null, links: [], routes: [], changes: [] };
      const { drafts, keys, matrix, links, routes } = compile(plan);
      const rows = id ? await readNodes(tx, accountId, [id]) : [];
      const before = new Map(rows.flatMap(({ gwid, document }) => (document ? [[gwid, document]] : [])));
      const after = new Map([...drafts].map(([key, draft]) => [key, withRevision(draft)]));
      return {
        errors,
        suggestions,
        matrix: { keys, rows: matrix },
        links: links.map((link) => linkView(link, new Map(), sites)),
        routes: routes.map(({ prefix, mappedFrom, key }) => ({ prefix, mapped_from: mappedFrom, key })),
        changes: [...new Set([...before.keys(), ...after.keys()])].map((key) =>
          changeOf(key, before.get(key), after.get(key)),
        ),
      };
    },
  };
}

function changeOf(key: string, before: EdgeSdwan | undefined, after: EdgeSdwan | undefined) {
  const [was, is] = [partsOf(before), partsOf(after)];
  const missing = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((each) => !other.has(each)).length;
  const same = before?.revision === after?.revision;
  return {
    key,
    change: !before ? ('added' as const) : !after ? ('removed' as const) : same ? 'unchanged' : 'changed',
    tunnels_added: missing(is.tunnels, was.tunnels),
    tunnels_removed: missing(was.tunnels, is.tunnels),
    routes_added: missing(is.routes, was.routes),
    routes_removed: missing(was.routes, is.routes),
  } as DataOf<Contract['check']>['changes'][number];
}

function partsOf(document: EdgeSdwan | undefined) {
  return {
    tunnels: new Set(document?.interfaces.flatMap(({ name, peers }) => peers.map((peer) => name + peer.public_key))),
    routes: new Set(document?.routes.map(({ prefix }) => prefix)),
  };
}
