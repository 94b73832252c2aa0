import { bySystem } from '../../platform/acting.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { enqueue } from '../../platform/jobs/index.ts';
import type { DeviceRef, UplinkHandlers } from '../../uplink/index.ts';
import { record } from '../logs/index.ts';
import { compile } from './compile/index.ts';
import type { createNetworks } from './networks.ts';
import { isFinding, isPackageError } from './plans.ts';
import type { createSdwanPush } from './push.ts';
import { staleKeys } from './stale.ts';
import { readNodes } from './store.ts';
import { type NetworkRow, sdwanTables } from './tables.ts';

/** Milliseconds without another change. */
const debounceMs = 2000;
const task = 'sdwan-follow';

export interface FollowDeps {
  database: Database;
  clock: Clock;
  networks: Pick<ReturnType<typeof createNetworks>, 'drawn'>;
  push: Pick<ReturnType<typeof createSdwanPush>, 'deploy'>;
}

const nameOf = ({ accountId, serial }: DeviceRef) => `${accountId}.${serial}`;

/** Follows reported keys and addresses. */
export function createFollow({ database, clock, networks, push }: FollowDeps) {
  /** By gateway: facts of enqueued tasks in this process. */
  const known = boundedCache<string>(50_000);

  async function follow(accountId: string): Promise<void> {
    await database.withSystem(async (tx) => {
      const rows = await sdwanTables(tx)
        .selectFrom('sdwan_network')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('deployed_at', 'is not', null)
        .orderBy('id')
        .forUpdate()
        .execute();
      for (const network of rows) await followNetwork(tx, network);
    });
  }

  /** Skips plans that do not compile. An expired package loses no tunnel. */
  async function followNetwork(tx: Tx, network: NetworkRow): Promise<void> {
    const { account_id: accountId, id, name } = network;
    const rows = await readNodes(tx, accountId, [id]);
    const drawn = await networks.drawn(tx, network);
    if (drawn.errors.some(({ code }) => !isPackageError(code) && !isFinding(code))) return;
    const stale = staleKeys(rows, compile(drawn.plan).drafts);
    if (stale.length === 0) return;
    const acting = bySystem(accountId);
    const jobId = await push.deploy(tx, acting, network, drawn);
    await record(tx, acting, {
      action: 'sdwan_network.follow',
      object: { type: 'sdwan_network', id, name },
      after: { gateways: stale.map((key) => drawn.sites.get(key)?.name ?? key) },
      command: true,
      ...(jobId ? { jobId } : {}),
    });
  }

  return {
    /** Compares the next report anew: the address may differ. */
    joinHandlers: (handlers: UplinkHandlers): UplinkHandlers => ({
      ...handlers,
      async connected(device, connect, link) {
        known.delete(nameOf(device));
        await handlers.connected(device, connect, link);
      },
      async reported(device, report, at) {
        await handlers.reported(device, report, at);
        if (!report.tunnels) return;
        const facts = JSON.stringify(report.tunnels);
        if (known.get(nameOf(device)) === facts) return;
        const { accountId } = device;
        const runAt = new Date(clock.now().getTime() + debounceMs);
        await database.withSystem((tx) =>
          enqueue(tx, task, { accountId }, { key: `${task}:${accountId}`, runAt, queue: `${task}:${accountId}` }),
        );
        known.set(nameOf(device), facts);
      },
    }),
    tasks: { [task]: ({ accountId }: { accountId: string }) => follow(accountId) },
  };
}
