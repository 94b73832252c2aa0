import { type Actor, homeTop as contract, type DataOf, networksOf } from '@yunxun/contract';
import { curveHours } from '../../platform/curve.ts';
import type { Tx } from '../../platform/database/index.ts';
import { minute } from '../../telemetry/layers.ts';
import { totalsEach, usersNowByNetwork } from '../../telemetry/read/index.ts';
import { fleetNetworks } from '../fleet/index.ts';
import { firstHour, hourlyClients } from './hourly-clients.ts';
import { troubledNetworks } from './problems.ts';

type Tiles = DataOf<typeof contract.tiles>;
type Tile = Tiles['list'][number];
type Group = Tiles['groups'][number];
type Network = Awaited<ReturnType<typeof fleetNetworks.states>>[number];
type Trouble = Awaited<ReturnType<typeof troubledNetworks>>[number];

const lineMs = 15 * minute;
/** Without a problem of their own: what needs a look first. */
const order = ['offline', 'unknown', 'restarting', 'online', 'never_connected'] as const;

/** Reads curves and lines of the listed ones only. */
export async function networkTiles(tx: Tx, actor: Actor, now: Date): Promise<Tiles> {
  const { accountId } = actor;
  const states = await fleetNetworks.states(tx, accountId, now);
  const troubles = new Map((await troubledNetworks(tx, actor, now)).map((row) => [row.gwid, row]));
  const places = new Map([...troubles.keys()].map((gwid, place) => [gwid, place]));
  const isGrouped = states.length > contract.tileLimits.tiles;
  const listed = isGrouped ? states.filter(({ gwid }) => troubles.has(gwid)) : states;
  const sorted = listed.toSorted(
    (a, b) =>
      (places.get(a.gwid) ?? troubles.size) - (places.get(b.gwid) ?? troubles.size) ||
      order.indexOf(a.status) - order.indexOf(b.status) ||
      a.remark.localeCompare(b.remark) ||
      a.gwid.localeCompare(b.gwid),
  );
  const shown = sorted.slice(0, contract.tileLimits.tiles);
  const gwids = shown.map(({ gwid }) => gwid);
  const present = await usersNowByNetwork(tx, accountId, { gwids: isGrouped ? networksOf(actor) : gwids });
  const clients = new Map(present.map(({ gwid, online }) => [gwid, online]));
  const curves = await hourlyClients(tx, accountId, { scope: 'network', ids: gwids }, { now, count: curveHours });
  const lines = await wansOf(tx, accountId, gwids, now);
  const groups = isGrouped ? groupsOf(states, troubles, clients) : [];
  return {
    as_of: now.toISOString(),
    from: firstHour(now, curveHours).toISOString(),
    total: states.length,
    troubled: states.filter(({ gwid }) => troubles.has(gwid)).length,
    list: shown.map((network) => ({
      ...tileOf(network, troubles.get(network.gwid), clients.get(network.gwid)),
      ...lineOf(network, lines),
      curve: curves.get(network.gwid) ?? Array<null>(curveHours).fill(null),
    })),
    groups: groups.slice(0, contract.tileLimits.groups),
    groups_total: groups.length,
  };
}

function tileOf(
  { gwid, remark, status, since }: Network,
  trouble: Trouble | undefined,
  clients: number | undefined,
): Omit<Tile, 'latency_ms' | 'loss_percent' | 'curve'> {
  return {
    gwid,
    remark,
    status,
    since: since?.toISOString() ?? null,
    problem: trouble?.problems[0] ?? null,
    problems: trouble?.total ?? 0,
    clients: clients ?? (status === 'online' ? 0 : null),
    clients_hit: trouble?.clients ?? null,
  };
}

type Wans = Awaited<ReturnType<typeof wansOf>>;

async function wansOf(tx: Tx, accountId: string, gwids: readonly string[], now: Date) {
  const want = ['wanLatency', 'wanLoss'] as const;
  const span = { from: new Date(now.getTime() - lineMs), to: now };
  const rows = await totalsEach(tx, accountId, { scope: 'network', ids: gwids, ...span, want });
  return new Map(rows.map((row) => [row.id, row]));
}

function lineOf({ gwid, status }: Network, wans: Wans): Pick<Tile, 'latency_ms' | 'loss_percent'> {
  const wan = status === 'online' ? wans.get(gwid) : undefined;
  return { latency_ms: wan?.wanLatency ?? null, loss_percent: wan?.wanLoss ?? null };
}

function groupsOf(
  states: readonly Network[],
  troubles: ReadonlyMap<string | null, Trouble>,
  clients: ReadonlyMap<string, number>,
): Group[] {
  const groups = new Map<string | null, Group>();
  for (const { gwid, tags, status } of states) {
    for (const tag of tags.length > 0 ? tags : [null]) {
      const group = groups.get(tag) ?? { tag, networks: 0, online: 0, troubled: 0, clients: 0 };
      group.networks += 1;
      if (status === 'online') group.online += 1;
      if (troubles.has(gwid)) group.troubled += 1;
      group.clients += clients.get(gwid) ?? 0;
      groups.set(tag, group);
    }
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      Number(a.tag === null) - Number(b.tag === null) ||
      b.troubled - a.troubled ||
      b.networks - a.networks ||
      (a.tag ?? '').localeCompare(b.tag ?? ''),
  );
}
