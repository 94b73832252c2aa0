import { type SdwanError, type SdwanNodeInput, sdwanGroups, sdwanShapes } from '@yunxun/contract';
import type { Tx } from '../../platform/database/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { type Elsewhere, overlayAddress, type Plan, validate } from './compile/index.ts';
import { type FactsDeps, type GatewayAddresses, readSites, type Site } from './facts.ts';
import type { Entitlement } from './orders.ts';
import { readNodes } from './store.ts';
import { type NodeRow, sdwanTables } from './tables.ts';

export interface Wanted {
  type: Plan['type'];
  mode: Plan['mode'];
  strategy_id: string | null;
  nodes: readonly SdwanNodeInput[];
}

export interface Drawn {
  plan: Plan;
  sites: ReadonlyMap<string, Site>;
  errors: SdwanError[];
}

/** Of unsaved plans: from 100.127.0.0. */
const provisional = 63 * 2 ** 16;

export const inputOf = (row: NodeRow): SdwanNodeInput => ({
  key: row.gwid,
  role: row.role,
  pid: row.pid,
  position: row.position,
  lans: row.lans,
  host: row.host,
  widthband: row.widthband,
  foreign_widthband: row.foreign_widthband,
  group_id: row.group_id,
});

/** Mbit/s; the group's replaces the own. */
export const bandOf = ({ position, ...own }: { position: number; widthband: number; foreign_widthband: number }) =>
  position === 1 ? own.widthband : own.foreign_widthband;

/** @param id the saved network, or null */
export async function drawPlan(
  tx: Tx,
  accountId: string,
  { id, ...wanted }: Wanted & { id: string | null },
  deps: FactsDeps & { entitlement: Entitlement | null },
): Promise<Drawn> {
  const { type, mode, nodes } = wanted;
  const all = await readNodes(tx, accountId);
  const own = new Map(all.flatMap((row) => (row.network_id === id ? [[row.gwid, row]] : [])));
  const sites = await readSites(
    tx,
    accountId,
    nodes.map(({ key }) => key),
    deps,
  );
  const groups = await bandsOf(tx, accountId);
  const bands = nodes.map((node) => ({ ...node, ...groups.get(node.group_id ?? '') }));
  const others = all.filter((row) => row.network_id !== id);
  const addresses = await deps.addressesOf(
    tx,
    accountId,
    nodes.map(({ key }) => key),
  );
  const plan: Plan = {
    consoles: deps.consoles(),
    elsewhere: await elsewhereOf(tx, accountId, nodes, others),
    id: id ?? '',
    type,
    mode,
    failover: await failoverOf(tx, accountId, wanted.strategy_id),
    nodes: bands.map((node, at) => {
      const [site, row] = [sites.get(node.key), own.get(node.key)];
      return {
        key: node.key,
        name: site?.name ?? node.key,
        role: node.role,
        pid: node.pid,
        lans: node.lans,
        ...(node.level === undefined ? {} : { level: node.level }),
        publicKey: site?.state?.public_key ?? null,
        host: node.host ?? site?.publicIp ?? null,
        address: overlayAddress(row?.address ?? provisional + at),
        slot: row?.slot ?? 0,
        mbps: bandOf(node),
        ...addressFacts(site, addresses.get(node.key)),
      };
    }),
  };
  const errors = [
    ...joinErrors(plan, sites, others),
    ...packageErrors(bands, others, groups, deps.entitlement),
    ...validate(plan),
  ];
  const excluded = new Set(errors.flatMap(({ code, key }) => (isUnfit(code) ? [key] : [])));
  return {
    plan,
    sites,
    // a gateway that cannot join has no key
    errors: errors.filter(({ code, key }) => code !== 'key_missing' || !excluded.has(key)),
  };
}

function addressFacts(site: Site | undefined, own: GatewayAddresses | undefined) {
  return {
    wanAddresses: [...(site?.wanAddresses ?? []), ...(site?.wanGateways ?? []), ...(own?.wans ?? [])],
    source: site?.source ?? null,
    ...(own && { localLans: own.lans, nameServers: own.nameServers }),
  };
}

async function elsewhereOf(
  tx: Tx,
  accountId: string,
  nodes: readonly SdwanNodeInput[],
  others: readonly NodeRow[],
): Promise<Elsewhere[]> {
  const own = new Set(nodes.map(({ key }) => key));
  const keysOf = new Map<string, Set<string>>();
  for (const { gwid, network_id } of others)
    if (own.has(gwid)) keysOf.set(network_id, (keysOf.get(network_id) ?? new Set()).add(gwid));
  if (keysOf.size === 0) return [];
  const rows = await sdwanTables(tx)
    .selectFrom('sdwan_network')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('id', 'in', [...keysOf.keys()])
    .execute();
  const networks = new Map(rows.map(({ id, name }) => [id, name]));
  const met = others.filter(({ network_id }) => keysOf.has(network_id));
  const gwids = met.map(({ gwid }) => gwid);
  const names = await fleetNetworks.names(tx, accountId, gwids);
  return met.flatMap(({ gwid: owner, network_id, lans }) => {
    const where = { owner, other: names.get(owner) ?? '', network: networks.get(network_id) ?? '' };
    return lans.map(({ prefix, as }) => ({ ...where, keys: keysOf.get(network_id)!, prefix: as ?? prefix }));
  });
}

function joinErrors(plan: Plan, sites: ReadonlyMap<string, Site>, others: readonly NodeRow[]): SdwanError[] {
  return plan.nodes.flatMap(({ key, name }): SdwanError[] => {
    const error = { key, field: null };
    const site = sites.get(key);
    if (!site) return [{ ...error, code: 'unknown_gateway', params: {} }];
    const used = others.filter(({ gwid }) => gwid === key).length;
    return [
      ...(used >= 4 ? [{ ...error, code: 'too_many_networks' as const, params: { name, max: 4 } }] : []),
      ...(site.reason !== null && site.reason !== 'no_key' ? [{ ...error, ...unfitness(name, site.reason) }] : []),
    ];
  });
}

function unfitness(name: string, reason: NonNullable<Site['reason']>): Pick<SdwanError, 'code' | 'params'> {
  if (!isVersion(reason)) return { code: 'not_capable', params: { name, reason } };
  return { code: reason, params: { name, need: sdwanShapes.sdwanLimits.firmware } };
}

export const isVersion = (code: string): code is 'version' | 'version_unknown' =>
  code === 'version' || code === 'version_unknown';
/** Does not hinder the plan: another push makes nothing worse. */
export const isFinding = (code: SdwanError['code']): boolean => code === 'lan_gone';
export const isPackageError = (code: SdwanError['code']): boolean => packageCodes.has(code);
const packageCodes: ReadonlySet<SdwanError['code']> = new Set([
  'no_package',
  'expired',
  'trial_max',
  'package_nodes',
  'package_band',
  'widthband',
]);
const isUnfit = (code: string): boolean => code === 'not_capable' || isVersion(code);

function packageErrors(
  nodes: readonly SdwanNodeInput[],
  others: readonly NodeRow[],
  groups: Awaited<ReturnType<typeof bandsOf>>,
  entitlement: Entitlement | null,
): SdwanError[] {
  const error = (code: SdwanError['code'], params: SdwanError['params'] = {}, field: string | null = null) => [
    { code, key: null, field, params },
  ];
  if (!entitlement) return error('no_package');
  if (entitlement.expired) return error('expired');
  const used = nodes.length + others.length;
  const all = [...nodes, ...others.map((row) => ({ ...row, ...groups.get(row.group_id ?? '') }))];
  const sum = (domestic: boolean) =>
    all.filter(({ position }) => (position === 1) === domestic).reduce((total, node) => total + bandOf(node), 0);
  const over = (domestic: boolean, limit: number, field: string) =>
    sum(domestic) > limit ? error('package_band', { used: sum(domestic), limit }, field) : [];
  return [
    ...(used > entitlement.nodes
      ? error(entitlement.trial ? 'trial_max' : 'package_nodes', { used, max: entitlement.nodes })
      : []),
    ...over(true, entitlement.widthband, 'widthband'),
    ...over(false, entitlement.foreign_widthband, 'foreign_widthband'),
    ...nodes
      .filter((node) => bandOf(node) === 0)
      .map(({ key, position }) => ({
        code: 'widthband' as const,
        key,
        params: {},
        field: position === 1 ? 'widthband' : 'foreign_widthband',
      })),
  ];
}

export async function bandsOf(tx: Tx, accountId: string) {
  const rows = await sdwanTables(tx)
    .selectFrom('sdwan_group')
    .select(['id', 'widthband', 'foreign_widthband'])
    .where('account_id', '=', accountId)
    .execute();
  return new Map(rows.map(({ id, ...bands }) => [id, bands]));
}

async function failoverOf(tx: Tx, accountId: string, id: string | null): Promise<Plan['failover']> {
  if (id === null) return sdwanGroups.standardStrategy;
  return sdwanTables(tx)
    .selectFrom('sdwan_strategy')
    .select(['probe_ms', 'fails', 'recovers', 'hold_s', 'order'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}
