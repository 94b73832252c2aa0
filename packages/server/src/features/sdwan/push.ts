import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import type { Configuration } from '../configuration/index.ts';
import { fleetDevices } from '../fleet/index.ts';
import { compile, withRevision } from './compile/index.ts';
import { levelsOf } from './compile/validate.ts';
import type { Drawn } from './plans.ts';
import { readNodes, saveDocument } from './store.ts';
import { type NetworkRow, sdwanTables } from './tables.ts';
import type { createTunnelCheck } from './tunnel-check.ts';

export interface PushDeps {
  clock: Clock;
  configuration: Pick<Configuration, 'pushWaves'>;
}

export interface SdwanPushDeps extends PushDeps {
  checkTunnels: ReturnType<typeof createTunnelCheck>;
}

export function createSdwanPush({ clock, configuration, checkTunnels }: SdwanPushDeps) {
  /** @param waves wave by `gwid` */
  async function start(
    tx: Tx,
    acting: Acting,
    waves: ReadonlyMap<string, number>,
    cause: 'sdwan_saved' | 'sdwan_deployed' = 'sdwan_saved',
  ): Promise<string | null> {
    const devices = await fleetDevices.ofNetworks(tx, acting.accountId, [...waves.keys()], clock.now());
    const gateways = devices
      .filter(({ routes }) => routes)
      .map(({ serial, gwid, name }) => ({ serial, gwid, name, wave: waves.get(gwid ?? '') ?? 0 }));
    const author = acting.actor?.name ?? acting.source;
    return configuration.pushWaves(tx, acting, gateways, { cause, author });
  }

  return {
    /**
     * Pushes changed documents: upper levels first, removed ones last, when neighbours refuse them. `all`: unchanged
     * and refused ones too, because agents repair their host then. @returns null without gateways
     */
    async deploy(
      tx: Tx,
      acting: Acting,
      network: NetworkRow,
      { plan }: Drawn,
      { removed = [], all = false }: { removed?: readonly string[]; all?: boolean } = {},
    ): Promise<string | null> {
      const { accountId } = acting;
      const rows = await readNodes(tx, accountId, [network.id]);
      const { drafts } = compile(plan);
      const levels = levelsOf(plan);
      const waves = new Map<string, number>();
      for (const row of rows) {
        const document = withRevision(drafts.get(row.gwid)!);
        if (!all && row.document?.revision === document.revision) continue;
        waves.set(row.gwid, (levels.get(row.gwid) ?? 1) - 1);
        await saveDocument(tx, row, document);
      }
      const last = Math.max(0, ...[...levels.values()].map((level) => level ?? 1));
      for (const gwid of removed) waves.set(gwid, last);
      const jobId = await start(tx, acting, waves, all ? 'sdwan_deployed' : 'sdwan_saved');
      const now = clock.now();
      if (jobId) await checkTunnels(tx, acting, network, now);
      await sdwanTables(tx)
        .updateTable('sdwan_network')
        .set({ deployed_at: now, ...(jobId ? { job_id: jobId } : {}) })
        .where('account_id', '=', accountId)
        .where('id', '=', network.id)
        .execute();
      return jobId;
    },

    /** Pushes changed neighbours, then gateways that left. */
    async revoke(
      tx: Tx,
      acting: Acting,
      network: NetworkRow,
      { changed, removed }: { changed: readonly string[]; removed: readonly string[] },
    ): Promise<string | null> {
      const last = removed.map((gwid) => [gwid, 1] as const);
      const jobId = await start(tx, acting, new Map([...changed.map((gwid) => [gwid, 0] as const), ...last]));
      if (jobId)
        await sdwanTables(tx)
          .updateTable('sdwan_network')
          .set({ job_id: jobId })
          .where('account_id', '=', acting.accountId)
          .where('id', '=', network.id)
          .execute();
      return jobId;
    },

    /** Pushes gateways whose documents are gone. */
    takeDown: (tx: Tx, acting: Acting, gwids: readonly string[]): Promise<string | null> =>
      gwids.length === 0 ? Promise.resolve(null) : start(tx, acting, new Map(gwids.map((gwid) => [gwid, 0]))),
  };
}
