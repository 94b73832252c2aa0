import { createBatcher } from '../../platform/batcher.ts';
import { againOnDeadlock } from '../../platform/database/deadlock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import type { Jobs } from '../jobs/index.ts';
import type { VersionChange } from './config-session.ts';
import type { Planner } from './planner.ts';
import { jobOfHolder } from './push-items.ts';
import type { ConfigState } from './transitions.ts';
import type { DeviceKey } from './version-store.ts';

interface Word {
  key: DeviceKey;
  /** Computes purely, because the transaction may repeat. */
  change(state: ConfigState): ConfigState;
  version: VersionChange | ((state: ConfigState) => VersionChange | null);
  /** Wakes others even if the holder may send again. */
  wakes: boolean;
}

/** Writes a push result; wakes waiting items once the push is over. */
export interface Settling {
  (key: DeviceKey, change: Word['change'], version: Word['version'], wakes?: boolean): Promise<void>;
  during<T>(work: () => Promise<T>): Promise<T>;
}

export interface SettlingDeps {
  database: Database;
  planner: Planner;
  jobs: Pick<Jobs, 'wakeAll'>;
}

/** Batch size, and delay in milliseconds. */
const words = { max: 100, waitMs: 150 };

export function createSettling({ database, planner, jobs }: SettlingDeps): Settling {
  let underWay = 0;

  const give = createBatcher<Word, undefined>(
    async (all) => {
      const accounts = new Map<string, Word[]>();
      for (const word of all) accounts.set(word.key.accountId, [...(accounts.get(word.key.accountId) ?? []), word]);
      for (const [accountId, own] of accounts) await settleAll(accountId, own);
      return all.map(() => undefined);
    },
    { ...words, coming: () => underWay },
  );

  async function settleAll(accountId: string, own: readonly Word[]): Promise<void> {
    const settled = async (tx: Tx) => {
      const session = await planner.openSession(
        tx,
        accountId,
        own.map(({ key }) => key.serial),
      );
      const ended: { serial: string; but: string | undefined }[] = [];
      for (const { key, change, version, wakes } of own) {
        const { serial } = key;
        const { state, known } = session.stateOf(serial);
        if (!session.device(serial) || !known) continue;
        const next = change(state);
        const reported = typeof version === 'function' ? version(state) : version;
        session.put(serial, next);
        const uuid = state.sent_uuid ?? state.desired_uuid;
        if (reported && uuid !== null) session.change(serial, uuid, reported);
        // its item resends a wanted document; waking others would loop
        const moved = next.active_uuid !== state.active_uuid || next.rejected_uuid !== state.rejected_uuid;
        const over = wakes || moved || next.state === 'failed' || next.desired_sha !== state.sent_sha;
        // the holder continues by itself
        if (state.sent_uuid !== null && next.sent_uuid === null && over)
          ended.push({ serial, but: jobOfHolder(state.holder) });
      }
      await session.close();
      return ended;
    };
    const over = await againOnDeadlock(() => database.withSystem(settled));
    if (over.length > 0) await jobs.wakeAll(accountId, over);
  }

  return Object.assign(
    async (key: DeviceKey, change: Word['change'], version: Word['version'], wakes = false): Promise<void> => {
      await give({ key, change, version, wakes });
    },
    {
      async during<T>(work: () => Promise<T>): Promise<T> {
        underWay += 1;
        try {
          return await work();
        } finally {
          underWay -= 1;
        }
      },
    },
  );
}
