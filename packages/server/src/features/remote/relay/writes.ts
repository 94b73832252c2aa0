import type { RemoteEndReason } from '@yunxun/contract';
import { bySystem } from '../../../platform/acting.ts';
import type { Database } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { SessionEnds } from '../ends.ts';

interface Counted {
  bytesUp: number;
  bytesDown: number;
}

export function createWrites({ database, ends, log }: { database: Database; ends: SessionEnds; log: Log }) {
  const open = new Set<Promise<unknown>>();

  function add(work: Promise<unknown>): void {
    const done = work
      .catch((error: unknown) => log.error({ err: error }, 'remote session not written'))
      .finally(() => open.delete(done));
    open.add(done);
  }

  return {
    add,
    end(
      { accountId, id }: { accountId: string; id: string },
      reason: RemoteEndReason,
      detail: string | null,
      counted?: Counted,
    ): void {
      const work = database.withSystem(async (tx) => {
        const of = { accountId, ids: [id] };
        const { bytesUp, bytesDown } = counted ?? {};
        const more = bytesUp === undefined || bytesDown === undefined ? { detail } : { detail, bytesUp, bytesDown };
        const ended = await ends.end(tx, bySystem(accountId), of, reason, more);
        // another process wrote the end, without the last bytes
        if (ended.length === 0 && counted) await ends.count(tx, { accountId, id }, counted);
      });
      add(work);
    },
    async done(): Promise<void> {
      await Promise.all(open);
    },
  };
}
