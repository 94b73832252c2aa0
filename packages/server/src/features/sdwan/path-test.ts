import type { DataOf, InputOf, sdwan } from '@yunxun/contract';
import type { EdgeHopResult } from '@yunxun/contract/device';
import { dotted, holds, networkOf, readAddress, readSubnet } from '@yunxun/contract/ipv4';
import type { Acting } from '../../platform/acting.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure, invalid } from '../../platform/failure.ts';
import { ownerOf, type PlanNode } from './compile/index.ts';
import type { createNetworks } from './networks.ts';
import { hopsOf, judgeHost, judgeTunnels, waysOf } from './path-verdict.ts';
import { lockNetwork } from './store.ts';
import { isTunnelUp } from './views.ts';

type Contract = typeof sdwan;
type Result = DataOf<Contract['pathTestResult']>;

type Asked = Pick<InputOf<Contract['pathTest']>, 'id' | 'from' | 'target'>;

interface Run {
  state: string;
  reason: string | null;
  output: string | null;
  ping: { avg_ms: number | null; loss_pct: number | null; received: number | null } | null;
}

interface Hop {
  serial: string;
  own: string;
  peers: string[];
  host?: string;
}

const tunnelKey = 'sdwan.test_tunnel_down';
const routeKey = 'sdwan.test_no_route';

export interface PathTestDeps {
  networks: Pick<ReturnType<typeof createNetworks>, 'drawn'>;
  tools: {
    run(
      tx: Tx,
      acting: Acting,
      asked: { serial: string; tool: 'ping'; target: string; count: number },
      path: { sources: string[]; port?: number; hops: Hop[] },
    ): Promise<{ id: string; job_id: string }>;
    detail(tx: Tx, accountId: string, id: string): Promise<Run>;
    hopsOf(tx: Tx, accountId: string, id: string): Promise<readonly { serial: string; found: EdgeHopResult | null }[]>;
  };
}

export function createPathTest({ networks, tools }: PathTestDeps) {
  async function pathTo(tx: Tx, accountId: string, { id, from, target }: Asked) {
    const { plan, sites } = await networks.drawn(tx, await lockNetwork(tx, accountId, id));
    const [own, owner] = [plan.nodes.find(({ key }) => key === from), ownerOf(plan.nodes, target)];
    if (!own) return invalid('from', 'validation.choice');
    return { plan, sites, own, owner, ways: owner ? waysOf(plan, from, owner.key) : [] };
  }

  return {
    /**
     * Probes from the LAN address: transit nodes refuse the overlay's. Meanwhile each gateway of the path probes its
     * tunnels, and the last one the host.
     * @throws Failure notFound, deviceOffline, unsupported
     */
    async start(tx: Tx, acting: Acting, { port, ...input }: InputOf<Contract['pathTest']>) {
      const { plan, sites, own, owner, ways } = await pathTo(tx, acting.accountId, input);
      const serial = sites.get(input.from)?.device?.serial;
      if (!serial) throw new Failure('notFound');
      const hops = [...hopsOf(plan, ways)].flatMap(([key, hop]): Hop[] => {
        const gateway = sites.get(key)?.device?.serial;
        if (!gateway) return [];
        return [{ serial: gateway, ...hop, ...(owner?.key === key ? { host: realAddress(owner, input.target) } : {}) }];
      });
      const asked = { serial, tool: 'ping', target: input.target, count: 5 } as const;
      const sources = own.lans.map(({ prefix }) => prefix);
      const path = { sources, hops, ...(port === undefined ? {} : { port }) };
      const { id, job_id } = await tools.run(tx, acting, asked, path);
      return { run_id: id, job_id };
    },

    /** Judges tunnel, route, firewall and host one after another. */
    async result(tx: Tx, accountId: string, input: InputOf<Contract['pathTestResult']>): Promise<Result> {
      const run = await tools.detail(tx, accountId, input.run_id);
      const found = await tools.hopsOf(tx, accountId, input.run_id);
      const { plan, sites, owner, ways } = await pathTo(tx, accountId, input);
      const done = run.state === 'done' || run.state === 'failed' || run.state === 'skipped';
      const common = { done, rtt_ms: run.ping?.avg_ms ?? null, loss_pct: run.ping?.loss_pct ?? null };
      const keyOf = new Map([...sites.values()].map(({ device, gwid }) => [device?.serial, gwid]));
      const probes = new Map(found.map((one) => [keyOf.get(one.serial) ?? '', one.found]));
      const reported = (one: string, other: string) => isTunnelUp(plan.id, sites.get(one), sites.get(other));
      const isReached = (run.ping?.received ?? 0) > 0;
      if (!owner || ways.length === 0) {
        const verdicts = { tunnel: 'skipped', route: 'failed', firewall: 'skipped', host: 'skipped' } as const;
        return { ...common, ...verdicts, path: [], failed_at: null, reason: run.reason ?? routeKey };
      }
      const { tunnel, path, failedAt } = judgeTunnels(plan, ways, { probes, reported });
      if (isReached) {
        const verdicts = { tunnel: 'ok', route: 'ok', firewall: 'ok', host: 'ok' } as const;
        return { ...common, ...verdicts, path, failed_at: null, reason: null };
      }
      if (!done || !run.ping) {
        const verdicts = {
          tunnel: done ? tunnel : 'unknown',
          route: 'ok',
          firewall: 'unknown',
          host: 'unknown',
        } as const;
        return { ...common, ...verdicts, path, failed_at: done ? failedAt : null, reason: run.reason };
      }
      if (tunnel === 'failed') {
        const verdicts = { tunnel, route: 'skipped', firewall: 'skipped', host: 'skipped' } as const;
        return { ...common, ...verdicts, path, failed_at: failedAt, reason: tunnelKey };
      }
      const verdict = judgeHost(probes.get(owner.key)?.host, run.output?.includes('ECONNREFUSED') ?? false);
      const failed = verdict.firewall === 'failed' || verdict.host === 'failed';
      return { ...common, tunnel, route: 'ok', ...verdict, path, failed_at: failed ? owner.key : null };
    },
  };
}

function realAddress({ lans }: PlanNode, target: string): string {
  const address = readAddress(target);
  for (const { prefix, as } of lans) {
    const [real, seen] = [readSubnet(prefix), readSubnet(as)];
    if (real && seen && address !== null && holds(seen, address))
      return dotted(networkOf(real) + (address - networkOf(seen)));
  }
  return target;
}
