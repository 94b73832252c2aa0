import { type DataOf, type InputOf, type sdwan, sdwanShapes } from '@yunxun/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Configuration } from '../configuration/index.ts';
import { deviceEvents, fleetGateways } from '../fleet/index.ts';
import { compile, levelsOf, overlayAddress } from './compile/index.ts';
import { type FactsDeps, lansOf, readSites, type Site } from './facts.ts';
import type { createNetworks } from './networks.ts';
import { readEntitlement, trialUsed } from './orders.ts';
import { carriedBy, detoursOf } from './paths.ts';
import { bandOf, bandsOf, inputOf, isFinding } from './plans.ts';
import { staleKeys } from './stale.ts';
import { readNodes } from './store.ts';
import { type NetworkRow, type NodeRow, sdwanTables } from './tables.ts';
import { measures } from './throughput.ts';
import { linkView, networkStatus, nodeState } from './views.ts';

type Contract = typeof sdwan;
type Row = DataOf<Contract['networkList']>['list'][number];

export interface OverviewDeps {
  clock: Clock;
  facts: FactsDeps;
  configuration: Pick<Configuration, 'gateway'>;
  networks: Pick<ReturnType<typeof createNetworks>, 'drawn'>;
}

const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0);

export function createOverview({ clock, facts, configuration, networks }: OverviewDeps) {
  const sitesOf = (tx: Tx, accountId: string, nodes: readonly NodeRow[]) =>
    readSites(tx, accountId, [...new Set(nodes.map(({ gwid }) => gwid))], facts);

  function rowOf(
    network: NetworkRow,
    nodes: readonly NodeRow[],
    sites: ReadonlyMap<string, Site>,
    validUntil: Date | null,
  ): Row {
    const states = nodes.map((node) => nodeState(node, { network, sites, now: clock.now() }));
    const statuses = states.map(({ status }) => status);
    const centres = ['main', 'bak'].flatMap((role) => nodes.filter((node) => node.role === role));
    const roots = network.type === 3 ? nodes.filter(({ pid }) => pid === '1' || pid === '') : centres;
    return {
      id: network.id,
      name: network.name,
      type: network.type,
      mode: network.mode,
      status: networkStatus(network, statuses, validUntil, clock.now()),
      centres: roots.map(({ gwid }) => sites.get(gwid)?.name ?? ''),
      nodes: nodes.length,
      online: nodes.filter(({ gwid }) => sites.get(gwid)?.online).length,
      tunnels: sum(states, ({ tunnels }) => tunnels),
      tunnels_up: sum(states, ({ up }) => up),
      widthband: sum(nodes, (node) => (node.position === 1 ? node.widthband : 0)),
      foreign_widthband: sum(nodes, (node) => (node.position === 1 ? 0 : node.foreign_widthband)),
      route_count: sum(nodes, ({ lans }) => lans.length),
      strategy_id: network.strategy_id,
      version: network.version,
      valid_until: validUntil?.toISOString() ?? null,
      created_at: network.created_at.toISOString(),
      deployed_at: network.deployed_at?.toISOString() ?? null,
    };
  }

  return {
    async status(tx: Tx, accountId: string): Promise<DataOf<Contract['status']>> {
      const entitlement = await readEntitlement(tx, accountId, clock.now());
      const groups = await bandsOf(tx, accountId);
      const rows = await readNodes(tx, accountId);
      const bands = rows.map((row) => ({ ...row, ...groups.get(row.group_id ?? '') }));
      return {
        opened: entitlement !== null && !entitlement.expired,
        trial: entitlement?.trial ?? false,
        trial_used: await trialUsed(tx, accountId),
        package_id: entitlement?.packageId ?? null,
        node_limit: entitlement?.nodes ?? 0,
        node_used: rows.length,
        widthband: entitlement?.widthband ?? 0,
        widthband_used: sum(bands, (node) => (node.position === 1 ? bandOf(node) : 0)),
        foreign_widthband: entitlement?.foreign_widthband ?? 0,
        foreign_widthband_used: sum(bands, (node) => (node.position === 1 ? 0 : bandOf(node))),
        expire_at: entitlement?.validUntil.toISOString() ?? null,
        closes_at: entitlement?.closesAt.toISOString() ?? null,
        networks: new Set(rows.map(({ network_id }) => network_id)).size,
      };
    },

    async list(tx: Tx, accountId: string, input: InputOf<Contract['networkList']>) {
      const { page = 1, limit = 10, sort = 'name', order = 'asc', keyword, status } = input;
      const all = await sdwanTables(tx)
        .selectFrom('sdwan_network')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy(sort === 'created_at' ? sort : 'name', order)
        .orderBy('id')
        .execute();
      const nodes = await readNodes(tx, accountId);
      const sites = await sitesOf(tx, accountId, nodes);
      const until = (await readEntitlement(tx, accountId, clock.now()))?.validUntil ?? null;
      const found = all
        .filter(({ name }) => !keyword || name.toLowerCase().includes(keyword.toLowerCase()))
        .map((network) =>
          rowOf(
            network,
            nodes.filter(({ network_id }) => network_id === network.id),
            sites,
            until,
          ),
        )
        .filter((row) => !status || row.status === status);
      const direction = order === 'desc' ? -1 : 1;
      const sorted =
        sort === 'name' || sort === 'created_at' ? found : found.toSorted((a, b) => (a[sort] - b[sort]) * direction);
      return { list: sorted.slice((page - 1) * limit, page * limit), total: found.length };
    },

    /** @throws Failure notFound */
    async detail(tx: Tx, accountId: string, id: string): Promise<DataOf<Contract['networkDetail']>> {
      const network = await sdwanTables(tx)
        .selectFrom('sdwan_network')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!network) throw new Failure('notFound');
      const rows = await readNodes(tx, accountId, [id]);
      const { plan, sites, errors } = await networks.drawn(tx, network);
      const until = (await readEntitlement(tx, accountId, clock.now()))?.validUntil ?? null;
      const compiled = errors.every(({ code }) => isFinding(code)) ? compile(plan) : null;
      const levels = levelsOf(plan);
      const hosts = new Map(plan.nodes.map((node) => [node.key, node.host]));
      const byKey = new Map(rows.map((row) => [row.gwid, row]));
      const carried = new Map(rows.map((row) => [row.gwid, carriedBy(row, sites.get(row.gwid))]));
      const serials = [...sites.values()].flatMap(({ device }) => device?.serial ?? []);
      const changed = await deviceEvents.lastPaths(tx, accountId, { network: id, serials });
      return {
        network: rowOf(network, rows, sites, until),
        nodes: rows.map((row) => {
          const site = sites.get(row.gwid);
          const { status, tunnels, up, error } = nodeState(row, { network, sites, now: clock.now() });
          return {
            ...inputOf(row),
            type: network.type,
            is_used: row.document !== null,
            level: levels.get(row.gwid) ?? 1,
            name: site?.name ?? '',
            serial: site?.device?.serial ?? null,
            online: site?.online ?? false,
            status,
            address: overlayAddress(row.address),
            endpoint: hosts.get(row.gwid) ?? null,
            tunnels,
            tunnels_up: up,
            error,
            reported_at: site?.reportedAt?.toISOString() ?? null,
            measures: measures(site),
            detours: detoursOf(carried.get(row.gwid)),
            path_changed_at: changed.get(site?.device?.serial ?? '')?.toISOString() ?? null,
          };
        }),
        links: compiled?.links.map((link) => linkView(link, byKey, sites, carried)) ?? [],
        routes: compiled?.routes.map(({ prefix, mappedFrom, key }) => ({ prefix, mapped_from: mappedFrom, key })) ?? [],
        matrix: { keys: compiled?.keys ?? [], rows: compiled?.matrix ?? [] },
        errors,
        stale: compiled && network.deployed_at ? staleKeys(rows, compiled.drafts) : [],
        job_id: network.job_id,
      };
    },

    async candidates(tx: Tx, accountId: string, input: InputOf<Contract['candidateList']>) {
      const { page = 1, limit = 10, keyword, able } = input;
      const gateways = await fleetGateways.edge(tx, accountId, clock.now());
      const gwids = [...new Set(gateways.flatMap(({ gwid }) => gwid ?? []))];
      const rows = await readNodes(tx, accountId);
      const names = await sdwanTables(tx)
        .selectFrom('sdwan_network')
        .select(['id', 'name'])
        .where('account_id', '=', accountId)
        .execute();
      const nameOf = new Map(names.map(({ id, name }) => [id, name]));
      const max = sdwanShapes.sdwanLimits.networksPerGateway;
      const found = [...(await readSites(tx, accountId, gwids, facts)).values()]
        .filter(({ name }) => !keyword || name.toLowerCase().includes(keyword.toLowerCase()))
        .map((site) => {
          const inside = rows.filter(({ gwid }) => gwid === site.gwid);
          const reason = site.reason ?? (inside.length >= max ? ('too_many_networks' as const) : null);
          return { site, inside, reason };
        })
        .filter(({ reason }) => able === undefined || able === (reason === null))
        .toSorted((a, b) => a.site.name.localeCompare(b.site.name) || (a.site.gwid < b.site.gwid ? -1 : 1));
      const list: DataOf<Contract['candidateList']>['list'] = [];
      for (const { site, inside, reason } of found.slice((page - 1) * limit, page * limit))
        list.push({
          key: site.gwid,
          name: site.name,
          serial: site.device?.serial ?? null,
          online: site.online,
          reason,
          model: site.device?.model ?? null,
          version: site.device?.firmware ?? null,
          public_ip: site.publicIp,
          lans: await lansOf(tx, accountId, site.gwid, configuration),
          is_used: inside.length > 0,
          networks: inside.map(({ network_id }) => nameOf.get(network_id) ?? ''),
        });
      return { list, total: found.length };
    },
  };
}
