import { fleetTools as contract } from '@yunxun/contract';
import { pageOf } from '../../../platform/database/paging.ts';
import { implement, type Route } from '../../../platform/http/call.ts';
import type { Downloads } from '../../../platform/http/download.ts';
import { captureFormat, pcapngOf } from './pcapng.ts';
import type { createTools } from './service.ts';
import { findRun, readPiece } from './store.ts';

const kind = 'tool-file';

export function toolRoutes({
  tools,
  downloads,
}: {
  tools: ReturnType<typeof createTools>;
  downloads: Downloads;
}): Route[] {
  downloads.offerRaw<{ id: string }>(kind, {
    permission: 'network.write',
    async head(tx, { accountId, filter: { id } }) {
      const run = await findRun(tx, { accountId, id });
      if (!run || run.file_size === null) return null;
      const stamp = run.created_at.toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-');
      const name = `${run.serial}-${stamp}`;
      if (run.tool !== 'trace') return { name: `${name}.tar.gz`, type: 'application/gzip', size: run.file_size };
      const format = captureFormat((await readPiece(tx, { accountId, id }, 0)) ?? Buffer.alloc(0));
      const type = 'application/vnd.tcpdump.pcap';
      if (format === null) return { name: `${name}.pcap`, type, size: run.file_size };
      const isClassic = format === 'pcap';
      const size = isClassic ? null : run.file_size;
      return { name: `${name}.pcapng`, type, size, ...(isClassic ? { rewrite: pcapngOf } : {}) };
    },
    piece: (tx, { accountId, filter: { id } }, number) => readPiece(tx, { accountId, id }, number),
  });

  return implement(contract, {
    toolRun: ({ tx, acting, input }) => tools.run(tx, acting, input),
    toolOffer: ({ tx, acting, input }) => tools.offer(tx, acting.accountId, input.serial),
    toolList: ({ tx, acting, input }) => tools.list(tx, acting.accountId, input, pageOf(input)),
    toolDetail: ({ tx, acting, input }) => tools.detail(tx, acting.accountId, input.id),
    async toolFile({ tx, acting, caller, identity, input: { id } }) {
      await tools.fetching(tx, acting, id);
      return downloads.open(kind, { acting, caller, identity, format: 'json', timeZone: 'UTC', filter: { id } });
    },
  });
}
