import { asRecord } from '@yunxun/contract/device';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Jobs, Outcome } from '../jobs/index.ts';
import { type FactsDeps, readSites } from './facts.ts';
import { readNodes } from './store.ts';
import { type NetworkRow, sdwanTables } from './tables.ts';
import { nodeState } from './views.ts';

export const tunnelCheckJob = 'sdwan_tunnels';

/** Milliseconds. */
const lookEvery = 3_000;
const lookAway = 60_000;
const handshakeTimeout = 120_000;

export interface TunnelCheckDeps {
  database: Database;
  clock: Clock;
  jobs: Pick<Jobs, 'create' | 'register'>;
  facts: FactsDeps;
}

interface Detail {
  network: string;
  pushed: string;
}

/** A job after each push that succeeds once all tunnels have handshakes: the push ends with the documents. */
export function createTunnelCheck({ database, clock, jobs, facts }: TunnelCheckDeps) {
  jobs.register(tunnelCheckJob, async ({ account_id: accountId, detail }) => {
    const { network: id, pushed } = asRecord<Detail>(detail);
    return database.withSystem((tx) => look(tx, accountId, { network: String(id), pushed: String(pushed) }));
  });

  async function look(tx: Tx, accountId: string, { network: id, pushed }: Detail): Promise<Outcome> {
    const network = await sdwanTables(tx)
      .selectFrom('sdwan_network')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (network?.deployed_at?.toISOString() !== pushed) return { status: 'skipped', reason: 'job.superseded' };
    const nodes = await readNodes(tx, accountId, [id]);
    const gwids = nodes.map(({ gwid }) => gwid);
    const sites = await readSites(tx, accountId, gwids, facts);
    const now = clock.now();
    const statuses = nodes.map((node) => nodeState(node, { network, sites, now }).status);
    if (statuses.every((status) => status === 'running')) return { status: 'succeeded' };
    const after = (ms: number) => new Date(now.getTime() + ms);
    if (now.getTime() - new Date(pushed).getTime() < handshakeTimeout)
      return { status: 'queued', reason: 'job.sdwan_handshakes', notBefore: after(lookEvery) };
    const isAway = statuses.some((status) => status === 'offline' || status === 'waiting');
    if (isAway) return { status: 'queued', reason: 'job.sdwan_away', notBefore: after(lookAway) };
    return { status: 'failed', reason: 'job.sdwan_no_handshake' };
  }

  return (tx: Tx, acting: Acting, { id, name }: NetworkRow, pushed: Date): Promise<string> => {
    const detail: Detail = { network: id, pushed: pushed.toISOString() };
    return jobs.create(tx, acting, { type: tunnelCheckJob, items: [{ name, detail }] });
  };
}
