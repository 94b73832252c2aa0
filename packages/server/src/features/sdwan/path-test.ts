import type { DataOf, InputOf, sdwan } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { ownerOf, type PlanNode, pathOf } from './compile/index.ts';
import type { Site } from './facts.ts';
import type { createNetworks } from './networks.ts';
import { lockNetwork } from './store.ts';
import { isUp, reportedOf } from './views.ts';

type Contract = typeof sdwan;
type Result = DataOf<Contract['pathTestResult']>;

type Asked = Pick<InputOf<Contract['pathTest']>, 'id' | 'from' | 'target'>;

interface Run {
  state: string;
  reason: string | null;
  output: string | null;
  ping: { avg_ms: number | null; loss_pct: number | null; received: number | null } | null;
}

/** Catalogue key. */
const refusedKey = 'sdwan.test_refused';

export interface PathTestDeps {
  networks: Pick<ReturnType<typeof createNetworks>, 'drawn'>;
  tools: {
    run(
      tx: Tx,
      acting: Acting,
      asked: { serial: string; tool: 'ping'; target: string; count: number },
      path: { sources: string[]; port?: number },
    ): Promise<{ id: string; job_id: string }>;
    detail(tx: Tx, accountId: string, id: string): Promise<Run>;
  };
}

export function createPathTest({ networks, tools }: PathTestDeps) {
  async function pathTo(tx: Tx, accountId: string, { id, from, target }: Asked) {
    const { plan, sites } = await networks.drawn(tx, await lockNetwork(tx, accountId, id));
    const [own, owner] = [plan.nodes.find(({ key }) => key === from), ownerOf(plan.nodes, target)];
    if (!own) return invalid('from', 'validation.choice');
    return { plan, sites, own, owner, path: owner ? pathOf(plan, from, owner.key) : null };
  }

  return {
    /**
     * Probes from the LAN address: transit nodes refuse the overlay address that routing would choose.
     * @throws Failure notFound, deviceOffline, unsupported
     */
    async start(tx: Tx, acting: Acting, { port, ...input }: InputOf<Contract['pathTest']>) {
      const { sites, own } = await pathTo(tx, acting.accountId, input);
      const serial = sites.get(input.from)?.device?.serial;
      if (!serial) throw new Failure('notFound');
      const asked = { serial, tool: 'ping', target: input.target, count: 5 } as const;
      const sources = own.lans.map(({ prefix }) => prefix);
      const path = { sources, ...(port === undefined ? {} : { port }) };
      const { id, job_id } = await tools.run(tx, acting, asked, path);
      return { run_id: id, job_id };
    },

    /** Judges tunnel and route by reports and plan, then firewall or host. */
    async result(tx: Tx, accountId: string, input: InputOf<Contract['pathTestResult']>): Promise<Result> {
      const run = await tools.detail(tx, accountId, input.run_id);
      const { plan, sites, owner, path } = await pathTo(tx, accountId, input);
      const done = run.state === 'done' || run.state === 'failed' || run.state === 'skipped';
      const common = {
        done,
        reason: run.reason,
        rtt_ms: run.ping?.avg_ms ?? null,
        loss_pct: run.ping?.loss_pct ?? null,
      };
      if ((run.ping?.received ?? 0) > 0)
        return { ...common, tunnel: 'ok', route: 'ok', firewall: 'ok', path: path ?? [], failed_at: null };
      if (!owner || !path)
        return { ...common, tunnel: 'skipped', route: 'failed', firewall: 'skipped', path: [], failed_at: null };
      const byKey = new Map(plan.nodes.map((node) => [node.key, node]));
      const hops = path.slice(1).map((key, at) => [byKey.get(path[at]!)!, byKey.get(key)!] as const);
      const states = hops.map(([one, other]) => tunnelBetween(plan.id, one, other, sites));
      const down = states.indexOf(false);
      if (down >= 0)
        return { ...common, tunnel: 'failed', route: 'skipped', firewall: 'skipped', path, failed_at: path[down + 1]! };
      // answered by the host, or a firewall before it
      if (run.output?.includes('ECONNREFUSED'))
        return { ...common, tunnel: 'ok', route: 'ok', firewall: 'unknown', path, failed_at: null, reason: refusedKey };
      const tunnel = states.includes(null) ? 'unknown' : 'ok';
      const firewall = !done ? 'unknown' : tunnel === 'ok' && run.ping ? 'failed' : 'unknown';
      return { ...common, tunnel, route: 'ok', firewall, path, failed_at: firewall === 'failed' ? owner.key : null };
    },
  };
}

/** Believes the end that says down. */
function tunnelBetween(
  networkId: string,
  one: PlanNode,
  other: PlanNode,
  sites: ReadonlyMap<string, Site>,
): boolean | null {
  const reported = [
    [one, other],
    [other, one],
  ].map(([own, peer]) => {
    const site = sites.get(own!.key);
    const state = reportedOf(site, networkId)?.peers.find(({ public_key }) => public_key === peer!.publicKey);
    return isUp(state, site?.reportedAt ?? null);
  });
  if (reported.includes(false)) return false;
  return reported.includes(true) ? true : null;
}
