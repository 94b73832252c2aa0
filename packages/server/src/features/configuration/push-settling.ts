import { againOnDeadlock } from '../../platform/database/deadlock.ts';
import type { Database, Tx } from '../../platform/database/index.ts';
import { gathered } from '../../platform/gathered.ts';
import type { Jobs } from '../jobs/service.ts';
import type { VersionChange } from './desk.ts';
import type { Planner } from './planner.ts';
import { jobOfHolder } from './push-items.ts';
import type { ConfigState } from './transitions.ts';
import type { DeviceKey } from './version-store.ts';

/** What a device's word, or its silence, makes of its state, and of what is known of the version it is about. */
interface Word {
  key: DeviceKey;
  /** May be asked again, when a transaction has to be repeated. */
  change(state: ConfigState): ConfigState;
  version: VersionChange | ((state: ConfigState) => VersionChange | null);
}

/** Changes the state of a push, and what is known of its version. When the push is over, others have their turn. */
export interface Settling {
  (key: DeviceKey, change: Word['change'], version: Word['version']): Promise<void>;
  /** Does something that may settle pushes: what is settled waits a moment for others of these. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export interface SettlingDeps {
  database: Database;
  planner: Planner;
  jobs: Pick<Jobs, 'wakeAll'>;
}

/** Words are written together: so many at the most, waiting so many milliseconds for each other. */
const words = { most: 100, waitMs: 150 };

/** Writes down what devices say of their pushes, those of the same moment together. */
export function createSettling({ database, planner, jobs }: SettlingDeps): Settling {
  let underWay = 0;

  const give = gathered<Word, undefined>(
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
      const desk = await planner.desk(
        tx,
        accountId,
        own.map(({ key }) => key.serial),
      );
      const ended: { serial: string; but: string | undefined }[] = [];
      for (const { key, change, version } of own) {
        const { serial } = key;
        const { state, known } = desk.standing(serial);
        if (!desk.device(serial) || !known) continue;
        const next = change(state);
        const said = typeof version === 'function' ? version(state) : version;
        desk.put(serial, next);
        const uuid = state.sent_uuid ?? state.desired_uuid;
        if (said && uuid !== null) desk.change(serial, uuid, said);
        // one that is still to come is sent again by its own item: waking others for it would go round in circles
        const moved = next.active_uuid !== state.active_uuid || next.rejected_uuid !== state.rejected_uuid;
        const over = moved || next.state === 'failed' || next.desired_sha !== state.sent_sha;
        // the job whose item held the push goes on by itself
        if (state.sent_uuid !== null && next.sent_uuid === null && over)
          ended.push({ serial, but: jobOfHolder(state.holder) });
      }
      await desk.close();
      return ended;
    };
    const over = await againOnDeadlock(() => database.withSystem(settled));
    if (over.length > 0) await jobs.wakeAll(accountId, over);
  }

  return Object.assign(
    async (key: DeviceKey, change: Word['change'], version: Word['version']): Promise<void> => {
      await give({ key, change, version });
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
