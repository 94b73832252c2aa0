import { users as contract, type DataOf, type StationList } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Configuration } from '../configuration/service.ts';
import { refuseNarrowed } from '../identity/rights.ts';
import { record } from '../logs/audit.ts';
import { type Kicks, namesOf } from './kick.ts';
import { countListed, lockLists, marksOf, writeMarks } from './store.ts';

type Listed = DataOf<typeof contract.block>;

export interface ListsDeps {
  clock: Clock;
  kicks: Pick<Kicks, 'start' | 'present'>;
  blocking: Configuration['blocking'];
}

const paths = {
  blocked: contract.block.path,
  allowed: contract.allow.path,
  none: contract.unblock.path,
} as const;

/** The lists of blocked and allowed terminals. They hold in every network of the account. */
export function createLists({ clock, kicks, blocking }: ListsDeps) {
  /** Puts terminals on a list, or takes them off theirs. */
  async function put(
    tx: Tx,
    acting: Acting,
    macs: readonly string[],
    list: StationList | null,
    { action }: { action: string },
  ): Promise<Listed> {
    // the lists hold in all networks
    refuseNarrowed(acting, 'user.write');
    const { accountId } = acting;
    await lockLists(tx, accountId);
    const marks = await marksOf(tx, accountId, macs);
    const was = (mac: string) => marks.get(mac)?.list ?? null;
    // what is allowed is not blocked by the way, in a long selection say: it has to be taken off its list first
    const changed = macs.filter((mac) => was(mac) !== list && !(list === 'blocked' && was(mac) === 'allowed'));
    const skipped = macs.filter((mac) => !changed.includes(mac));
    if (changed.length === 0) return { changed, skipped, job_id: null, kick_job_id: null };
    if (list) await refuseMore(tx, accountId, list, changed.length);
    const at = clock.now();
    const by = acting.actor?.name ?? acting.source;
    const stamp = list ? { listed_at: at, listed_by: by } : { listed_at: null, listed_by: null };
    await writeMarks(tx, accountId, changed, { list, ...stamp }, { at, by });
    const denies = list === 'blocked' || changed.some((mac) => was(mac) === 'blocked');
    const jobId = denies ? await blocking.push(tx, acting) : null;
    const there = list === 'blocked' ? await kicks.present(tx, accountId, changed) : [];
    const kickJobId = there.length > 0 ? await kicks.start(tx, acting, there) : null;
    const [only] = changed;
    const before = new Set(changed.map(was));
    const [back] = before;
    const name = await namesOf(tx, accountId, changed);
    const job = jobId ?? kickJobId;
    await record(tx, acting, {
      action,
      object: {
        type: 'station',
        id: changed.length === 1 && only ? only : (job ?? 'list'),
        name: changed.map(name).slice(0, 5).join(', '),
      },
      before: { list: before.size === 1 ? (back ?? null) : null, macs: changed },
      after: { list, macs: changed },
      ...(before.size === 1 ? { inverse: { path: paths[back ?? 'none'], input: { macs: changed } } } : {}),
      ...(job ? { jobId: job } : {}),
    });
    return { changed, skipped, job_id: jobId, kick_job_id: kickJobId };
  }

  return {
    block: (tx: Tx, acting: Acting, macs: readonly string[]) =>
      put(tx, acting, macs, 'blocked', { action: 'user.block' }),
    allow: (tx: Tx, acting: Acting, macs: readonly string[]) =>
      put(tx, acting, macs, 'allowed', { action: 'user.allow' }),
    unblock: (tx: Tx, acting: Acting, macs: readonly string[]) =>
      put(tx, acting, macs, null, { action: 'user.unblock' }),
  };
}

async function refuseMore(tx: Tx, accountId: string, list: StationList, more: number): Promise<void> {
  const used = await countListed(tx, accountId, list);
  const limit = contract.userLimits[list];
  if (used + more > limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
}
