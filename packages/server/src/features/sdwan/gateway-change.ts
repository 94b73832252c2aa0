import { type gateway, networksOf, type SdwanError } from '@yunxun/contract';
import { networkText, readSubnet } from '@yunxun/contract/ipv4';
import { bySystem } from '../../platform/acting.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import type { GatewayChange, GatewayParticipant } from '../configuration/index.ts';
import { record } from '../logs/index.ts';
import { compile } from './compile/index.ts';
import { addressesIn } from './facts.ts';
import type { createNetworks } from './networks.ts';
import { type Drawn, inputOf, isFinding, isPackageError } from './plans.ts';
import type { createSdwanPush } from './push.ts';
import { lockNetwork, raiseVersion, readNodes, saveNodes } from './store.ts';
import { type NetworkRow, type NodeRow, sdwanTables } from './tables.ts';

export interface GatewayChangeDeps {
  database: Database;
  savedOf(tx: Tx, accountId: string, gwids: readonly string[]): Promise<ReadonlyMap<string, Settings>>;
  networks: Pick<ReturnType<typeof createNetworks>, 'drawn' | 'drawnWith'>;
  push: Pick<ReturnType<typeof createSdwanPush>, 'deploy'>;
}

type Settings = gateway.GatewaySettings;
type Effect = gateway.GatewayEffect;
type Lan = NodeRow['lans'][number];

interface Lans {
  networks: readonly Pick<Settings['networks'][number], 'name' | 'address'>[];
  routes: Settings['routes'];
}

interface LanChange {
  gwid: string;
  before: Lans;
  after: Settings;
}

interface Move {
  from: string;
  to: string | null;
}

const maxNames = 20;
const lanTask = 'sdwan-follow-lan';

/** Lets deployed plans follow a LAN that gets another subnet, and names what a save cuts off. */
export function createGatewayChange({ database, savedOf, networks, push }: GatewayChangeDeps) {
  async function deployedOf(tx: Tx, accountId: string, gwid: string): Promise<{ network: NetworkRow; row: NodeRow }[]> {
    const own = (await readNodes(tx, accountId)).filter((row) => row.gwid === gwid && row.document !== null);
    if (own.length === 0) return [];
    const rows = await sdwanTables(tx)
      .selectFrom('sdwan_network')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deployed_at', 'is not', null)
      .orderBy('id')
      .execute();
    return rows.flatMap((network) => {
      const row = own.find(({ network_id }) => network_id === network.id);
      return row ? [{ network, row }] : [];
    });
  }

  /** Draws the plan with the coming settings. `errors`: what the change adds. */
  async function planned(tx: Tx, network: NetworkRow, row: NodeRow, { gwid, before, after }: LanChange) {
    const moves = movesOf(row.lans, before, after);
    const lans = movedLans(row.lans, moves);
    const nodes = (await readNodes(tx, network.account_id, [network.id])).map((node) =>
      node.gwid === gwid ? { ...inputOf(node), lans } : inputOf(node),
    );
    const now = await networks.drawn(tx, network);
    const next = await networks.drawnWith(tx, network, nodes, new Map([[gwid, addressesIn(after)]]));
    const isKnown = (error: SdwanError) => now.errors.some((one) => one.code === error.code && one.key === error.key);
    const errors = next.errors.filter((error) => !isPackageError(error.code) && !isKnown(error));
    const hinders = next.errors.filter(({ code }) => !isPackageError(code) && !isFinding(code));
    const follows = hinders.length === 0 && moves.some(({ to }) => to !== null);
    return { moves, nodes, now, next, errors, follows };
  }

  return {
    participant: {
      async effects({ actor, accountId }, change) {
        const found = await database.withSystem((tx) => effectsOf(tx, accountId, change));
        if (!actor || networksOf(actor) === null) return found;
        return found.map((effect) => {
          const more = effect.gateways.length + effect.more;
          return { ...effect, gateways: [], more, errors: [] };
        });
      },

      async follow(tx, accountId, { gwid, before: { networks: lans, routes } }) {
        const before = { networks: lans.map(({ name, address }) => ({ name, address })), routes };
        await enqueue(tx, lanTask, { accountId, gwid, before }, { queue: `${lanTask}:${accountId}` });
      },
    } satisfies GatewayParticipant,
    tasks: {
      [lanTask]: ({ accountId, gwid, before }: { accountId: string; gwid: string; before: Lans }) =>
        database.withSystem(async (tx) => {
          const after = (await savedOf(tx, accountId, [gwid])).get(gwid);
          if (!after) return;
          for (const { network } of await deployedOf(tx, accountId, gwid))
            await followNetwork(tx, network, { gwid, before, after });
        }),
    },
  };

  async function effectsOf(tx: Tx, accountId: string, change: GatewayChange): Promise<Effect[]> {
    const found: Effect[] = [];
    for (const { network, row } of await deployedOf(tx, accountId, change.gwid)) {
      const { moves, now, errors, follows } = await planned(tx, network, row, change);
      const others = othersOf(now, change.gwid);
      const base = { id: network.id, name: network.name, ...others };
      for (const { from, to } of moves)
        found.push(
          follows && to !== null
            ? { ...base, effect: 'sdwan_follows', from, to, errors: [] }
            : { ...base, effect: 'sdwan_cut', from, to: null, errors },
        );
      if (moves.length === 0 && errors.length > 0)
        found.push({ ...base, effect: 'sdwan_wrong', from: '', to: null, errors });
      const lost = lostHost(row, now.sites.get(change.gwid)?.publicIp ?? null, change);
      if (lost) found.push({ ...base, ...lost, to: null, errors: [] });
    }
    return found;
  }

  async function followNetwork(tx: Tx, { account_id: accountId, id }: NetworkRow, change: LanChange): Promise<void> {
    const network = await lockNetwork(tx, accountId, id);
    const row = (await readNodes(tx, accountId, [id])).find(({ gwid }) => gwid === change.gwid);
    if (!row) return;
    const { moves, nodes, next, follows } = await planned(tx, network, row, change);
    if (!follows) return;
    const acting = bySystem(accountId);
    await raiseVersion(tx, accountId, id);
    await saveNodes(tx, accountId, id, nodes);
    const jobId = await push.deploy(tx, acting, network, next);
    await record(tx, acting, {
      action: 'sdwan_network.follow',
      object: { type: 'sdwan_network', id, name: network.name },
      before: { lans: moves.map(({ from }) => from) },
      after: { lans: moves.map(({ to }) => to) },
      ...(jobId ? { jobId } : {}),
    });
  }
}

const subnetText = (address: string): string | null => {
  const subnet = readSubnet(address);
  return subnet ? networkText(subnet) : null;
};

function movesOf(lans: readonly Lan[], before: Lans, after: Lans): Move[] {
  const stays = new Set([
    ...after.networks.map(({ address }) => subnetText(address)),
    ...after.routes.map(({ to }) => to),
  ]);
  return lans.flatMap(({ prefix: from }): Move[] => {
    if (stays.has(from)) return [];
    const name = before.networks.find(({ address }) => subnetText(address) === from)?.name;
    if (name !== undefined) {
      const next = after.networks.find((one) => one.name === name);
      return [{ from, to: next ? subnetText(next.address) : null }];
    }
    return before.routes.some(({ to }) => to === from) ? [{ from, to: null }] : [];
  });
}

/** Keeps a mapping of the same length, so that other sites notice nothing. */
function movedLans(lans: readonly Lan[], moves: readonly Move[]): Lan[] {
  return lans.map((lan) => {
    const to = moves.find(({ from }) => from === lan.prefix)?.to;
    if (!to) return lan;
    const isSame = readSubnet(to)?.prefix === readSubnet(lan.prefix)?.prefix;
    return lan.as !== undefined && isSame ? { prefix: to, as: lan.as } : { prefix: to };
  });
}

function othersOf({ plan, errors }: Drawn, gwid: string): Pick<Effect, 'gateways' | 'more'> {
  const reached = new Set(plan.nodes.map(({ key }) => key));
  if (errors.every(({ code }) => isFinding(code) || isPackageError(code))) {
    const { keys, matrix } = compile(plan);
    const row = matrix[keys.indexOf(gwid)] ?? '';
    keys.forEach((key, at) => {
      if (row[at] !== '1') reached.delete(key);
    });
  }
  const names = plan.nodes.filter(({ key }) => key !== gwid && reached.has(key)).map(({ name }) => name);
  return { gateways: names.slice(0, maxNames), more: Math.max(0, names.length - maxNames) };
}

/** Finds the gateway's public address among WANs that lose it. */
function lostHost(
  { host }: NodeRow,
  publicIp: string | null,
  { before, after }: GatewayChange,
): Pick<Effect, 'effect' | 'from'> | null {
  const addresses = ({ lines }: Settings) => lines.flatMap(({ address }) => address?.split('/')[0] ?? []);
  const kept = new Set(addresses(after));
  const from = host ?? publicIp;
  if (from === null || !addresses(before).includes(from) || kept.has(from)) return null;
  return { effect: host === null ? 'sdwan_reconnects' : 'sdwan_host', from };
}
