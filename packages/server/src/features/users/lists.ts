import { users as contract, type DataOf, type StationList } from '@yunxun/contract';
import type { Acting } from '../../platform/acting.ts';
import { requireWholeAccount } from '../../platform/acting.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Configuration } from '../configuration/index.ts';
import { record } from '../logs/index.ts';
import { type Kicks, namesOf } from './kick.ts';
import { blockedByNetwork, changesOf, type Entry, type EntryChange, scopeOf } from './list-change.ts';
import { blockedMarks, countListed, lockLists, marksOf, writeMarks } from './store.ts';

type Listed = DataOf<typeof contract.block>;
type Elsewhere = contract.Elsewhere;

export interface ListsDeps {
  clock: Clock;
  kicks: Pick<Kicks, 'start' | 'present' | 'networksOf'>;
  blocking: Configuration['blocking'];
}

const paths = {
  blocked: contract.block.path,
  allowed: contract.allow.path,
  none: contract.unblock.path,
} as const;

export interface ListInput {
  macs: readonly string[];
  gwids?: readonly string[] | undefined;
  elsewhere?: Elsewhere | undefined;
}

/** Manages lists: allowed applies to all networks, blocked to some or all. */
export function createLists({ clock, kicks, blocking }: ListsDeps) {
  async function listChange(tx: Tx, accountId: string, changes: readonly EntryChange[], elsewhere?: Elsewhere) {
    const scope = scopeOf(changes);
    if (scope?.length === 0) return null;
    const networks = await kicks.networksOf(
      tx,
      accountId,
      changes.map(({ mac }) => mac),
    );
    const now = scope === null ? networks : networks.filter((gwid) => scope.includes(gwid));
    return { scope, now, elsewhere: elsewhere ?? 'window' } as const;
  }

  async function put(
    tx: Tx,
    acting: Acting,
    { macs, gwids, elsewhere }: ListInput,
    { list, action }: { list: StationList | null; action: string },
  ): Promise<Listed> {
    // beyond a delegation
    if (!gwids) requireWholeAccount(acting, 'user.write');
    const { accountId } = acting;
    await lockLists(tx, accountId);
    const changes = changesOf(macs, await marksOf(tx, accountId, macs), { list, gwids: gwids ?? null });
    const changed = changes.map(({ mac }) => mac);
    const skipped = macs.filter((mac) => !changed.includes(mac));
    if (changed.length === 0) return { changed, skipped, job_id: null, later_job_id: null, kick_job_id: null };
    if (list) await refuseMore(tx, accountId, list, changes.filter(({ before }) => before.list !== list).length);
    const before = blockedByNetwork(await blockedMarks(tx, accountId));
    await write(tx, acting, changes);
    const change = await listChange(tx, accountId, changes, elsewhere);
    const { jobId, laterJobId } = change
      ? await blocking.push(tx, acting, { ...change, before })
      : { jobId: null, laterJobId: null };
    const there = list === 'blocked' ? await kicks.present(tx, accountId, changed, change?.scope ?? null) : [];
    const kickJobId =
      there.length > 0 ? await kicks.start(tx, acting, there, { denied: true, scope: change?.scope ?? null }) : null;
    await recordChange(tx, acting, changes, { action, list, gwids, job: jobId ?? laterJobId ?? kickJobId });
    return { changed, skipped, job_id: jobId, later_job_id: laterJobId, kick_job_id: kickJobId };
  }

  async function write(tx: Tx, acting: Acting, changes: readonly EntryChange[]): Promise<void> {
    const at = clock.now();
    const by = acting.actor?.name ?? acting.source;
    for (const { entry, macs } of alike(changes, ({ after }) => after)) {
      const { list, gwids } = entry;
      const stamp = list ? { listed_at: at, listed_by: by } : { listed_at: null, listed_by: null };
      const change = { list, list_gwids: gwids && [...gwids], ...stamp };
      await writeMarks(tx, acting.accountId, macs, change, { at, by });
    }
  }

  return {
    block: (tx: Tx, acting: Acting, input: ListInput) =>
      put(tx, acting, input, { list: 'blocked', action: 'user.block' }),
    allow: (tx: Tx, acting: Acting, input: Omit<ListInput, 'gwids'>) =>
      put(tx, acting, input, { list: 'allowed', action: 'user.allow' }),
    unblock: (tx: Tx, acting: Acting, input: ListInput) =>
      put(tx, acting, input, { list: null, action: 'user.unblock' }),

    async preview(
      tx: Tx,
      acting: Acting,
      { macs, gwids, elsewhere, list }: ListInput & { list: 'blocked' | null },
    ): Promise<DataOf<typeof contract.blockPreview>> {
      if (!gwids) requireWholeAccount(acting, 'user.write');
      const { accountId } = acting;
      const changes = changesOf(macs, await marksOf(tx, accountId, macs), { list, gwids: gwids ?? null });
      const change = await listChange(tx, accountId, changes, elsewhere);
      if (!change) {
        const nothing = { networks: [], devices: 0, terminals: 0, drops: [] };
        return { changed: changes.length, now: nothing, later: { networks: 0, devices: 0 } };
      }
      const blocked = new Map((await blockedMarks(tx, accountId)).map(({ mac, list_gwids }) => [mac, list_gwids]));
      for (const { mac, after } of changes)
        if (after.list === 'blocked') blocked.set(mac, after.gwids && [...after.gwids]);
        else blocked.delete(mac);
      const marks = [...blocked].map(([mac, list_gwids]) => ({ mac, list_gwids }));
      const after = blockedByNetwork(marks.toSorted((a, b) => (a.mac < b.mac ? -1 : 1)));
      return { changed: changes.length, ...(await blocking.preview(tx, accountId, change, after)) };
    },
  };
}

/** Adds an inverse if one call suffices. */
async function recordChange(
  tx: Tx,
  acting: Acting,
  changes: readonly EntryChange[],
  made: { action: string; list: StationList | null; gwids: readonly string[] | undefined; job: string | null },
): Promise<void> {
  const { action, list, gwids, job } = made;
  const macs = changes.map(({ mac }) => mac);
  const [first, ...others] = alike(changes, ({ before }) => before);
  const was = others.length === 0 ? first!.entry : null;
  const input = was && inverseOf(was, { list, gwids: gwids ?? null });
  const name = await namesOf(tx, acting.accountId, macs);
  await record(tx, acting, {
    action,
    object: {
      type: 'station',
      id: macs.length === 1 ? macs[0]! : (job ?? 'list'),
      name: macs.map(name).slice(0, 5).join(', '),
    },
    ...(gwids?.length === 1 ? { gwid: gwids[0]! } : {}),
    before: { list: was?.list ?? null, macs, ...(was?.gwids ? { in_networks: was.gwids.length } : {}) },
    after: { list, macs, ...(gwids ? { in_networks: gwids.length } : {}) },
    ...(input ? { inverse: { path: paths[input.list ?? 'none'], input: { macs, ...input.networks } } } : {}),
    ...(job ? { jobId: job } : {}),
  });
}

function inverseOf(was: Entry, made: Entry): { list: StationList | null; networks: object } | null {
  if (was.list !== 'blocked' || made.list !== 'blocked')
    return { list: was.list, networks: was.list === 'blocked' && was.gwids ? { gwids: was.gwids } : {} };
  // removes the added networks
  const added = made.gwids?.filter((gwid) => !was.gwids?.includes(gwid));
  return added && added.length > 0 ? { list: null, networks: { gwids: added } } : null;
}

function alike(
  changes: readonly EntryChange[],
  entryIn: (change: EntryChange) => Entry,
): { entry: Entry; macs: string[] }[] {
  const groups = new Map<string, { entry: Entry; macs: string[] }>();
  for (const change of changes) {
    const entry = entryIn(change);
    const key = `${entry.list} ${entry.gwids}`;
    const group = groups.get(key) ?? { entry, macs: [] };
    group.macs.push(change.mac);
    groups.set(key, group);
  }
  return [...groups.values()];
}

async function refuseMore(tx: Tx, accountId: string, list: StationList, more: number): Promise<void> {
  const used = await countListed(tx, accountId, list);
  const limit = contract.userLimits[list];
  if (used + more > limit) throw new Failure('limitReached', { data: { limit, used }, params: { limit, used } });
}
