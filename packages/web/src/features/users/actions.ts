import { createElement, lazy, type ReactNode, Suspense } from 'react';
import { call } from '../../app/client.ts';
import { loadTexts, t } from '../../app/i18n.ts';
import { queryClient, userKey } from '../../app/session.ts';
import type { User } from '../../app/user.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify, notifyError } from '../../ui/toast.tsx';
import type { BlockChoice } from './block-plan.tsx';
import { nameOf, type UserRow } from './labels.ts';

// with the texts of the wireless settings, which name the restarts
const BlockPlan = lazy(async () => {
  const [module] = await Promise.all([import('./block-plan.tsx'), loadTexts('wireless')]);
  return { default: module.BlockPlan };
});

export const again = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/user_online/'),
  });

export async function kickNow(macs: readonly string[]): Promise<void> {
  const { job_id } = await call('/api/v3/user_online/kick', { macs: [...macs] });
  await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
  openJobs(job_id);
}

/** Maximum clients per call, and on the block list (contract: `userLimits`). */
export const maxAtOnce = 200;
export type Blockable = Pick<
  UserRow,
  'mac' | 'remark' | 'hostname' | 'list' | 'vip' | 'random_mac' | 'gwid' | 'network'
>;

const maxNamed = 5;
const named = (rows: readonly Blockable[]) => (rows.length <= maxNamed ? rows.map(nameOf) : []);

export function firstOf<Row>(rows: readonly Row[], max = maxAtOnce): { taken: readonly Row[]; reported: string[] } {
  const taken = rows.slice(0, max);
  return {
    taken,
    reported: taken.length < rows.length ? [t('users.part', { n: taken.length, all: rows.length })] : [],
  };
}

export function kick(chosen: readonly UserRow[], done: () => void = () => {}): void {
  const able = chosen.filter((row) => row.online && row.band !== 0 && !row.behind);
  if (able.length === 0) {
    notify('info', t(chosen.some((row) => row.online) ? 'users.kick_wired' : 'users.kick_offline'));
    return;
  }
  const { taken: rows, reported } = firstOf(able);
  const out = chosen.length - able.length;
  ask({
    title: t('users.kick_title', { n: rows.length }),
    body: t('users.kick_body'),
    losses: [...reported, ...named(rows), ...(out > 0 ? [t('users.kick_out', { n: out })] : [])],
    confirm: t('users.kick'),
    danger: true,
    act: async () => {
      await kickNow(rows.map(({ mac }) => mac));
      done();
    },
  });
}

/** None if there are too many for a useful choice. */
function networksOf(rows: readonly Blockable[]): { gwid: string; name: string }[] {
  const known = new Map(rows.flatMap(({ gwid, network }) => (gwid ? [[gwid, network ?? gwid] as const] : [])));
  return known.size > maxNamed ? [] : [...known].map(([gwid, name]) => ({ gwid, name }));
}

/** Null: all. A limited member cannot change what applies to every network. */
const ownNetworks = () => queryClient.getQueryData<User>(userKey)?.gwids ?? null;

function plan(rows: readonly Blockable[], list: 'blocked' | null): { body: ReactNode; choice: () => BlockChoice } {
  const [here, own] = [networksOf(rows), ownNetworks()];
  // unblocking removes the entry from the person's networks
  const gwids = own && list === 'blocked' && here.length > 0 ? here.map(({ gwid }) => gwid) : own;
  let choice: BlockChoice = { elsewhere: 'window', ...(gwids ? { gwids: [...gwids] } : {}) };
  const part = createElement(BlockPlan, {
    macs: rows.map(({ mac }) => mac),
    list,
    here,
    own,
    onChange: (next: BlockChoice) => {
      choice = next;
    },
  });
  const body = createElement(Suspense, { fallback: createElement(Skeleton, { height: 120 }) }, part);
  return { body, choice: () => choice };
}

export async function block(chosen: readonly Blockable[], done: () => void = () => {}): Promise<void> {
  const { blocked, unmanaged } = await call('/api/v3/user_online/applied', {});
  // clients already on a list need no space; the server reports a full list
  const open = chosen.filter(({ list }) => list === null);
  const room = maxAtOnce - blocked;
  const { taken: rows } = firstOf(open.length > 0 ? open : chosen, room > 0 ? room : maxAtOnce);
  const count = (is: (row: Blockable) => boolean) => rows.filter(is).length;
  const [random, vip] = [count((row) => row.random_mac), count((row) => row.vip)];
  const { body, choice } = plan(rows, 'blocked');
  ask({
    title: t('users.block_title', { n: rows.length }),
    body,
    waits: true,
    losses: [
      ...(rows.length < chosen.length
        ? [t('users.block_part', { n: rows.length, all: chosen.length, most: maxAtOnce, used: blocked })]
        : []),
      ...named(rows),
      ...(vip > 0 ? [t('users.block_vip', { n: vip })] : []),
      ...(unmanaged > 0 ? [t('users.block_unmanaged', { n: unmanaged })] : []),
      ...(random > 0 ? [t('users.block_random', { n: random })] : []),
    ],
    confirm: t('users.block'),
    danger: true,
    act: async () => {
      await blockNow(
        rows.map(({ mac }) => mac),
        choice(),
      );
      done();
    },
  });
}

async function blockNow(macs: readonly string[], choice: BlockChoice): Promise<void> {
  const answer = await call('/api/v3/user_online/block', { macs: [...macs], ...choice });
  const undo = () => void unblockNow(answer.changed, choice).catch(notifyError);
  await listed(answer, t('users.blocked', { n: answer.changed.length }), undo);
  openFirst(answer);
}

function openFirst({ job_id, kick_job_id, later_job_id }: Listed): void {
  const job = job_id ?? kick_job_id ?? later_job_id;
  if (job) openJobs(job);
}

interface Listed {
  changed: readonly string[];
  skipped: readonly string[];
  job_id: string | null;
  later_job_id: string | null;
  kick_job_id: string | null;
}

async function listed(answer: Listed, reported: string, undo?: () => void): Promise<void> {
  if (answer.changed.length > 0) notify('ok', reported, undo);
  if (answer.skipped.length > 0) notify('info', t('users.skipped', { n: answer.skipped.length }));
  await Promise.all([again(), queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] })]);
}

/** Asks first: unblocking reconfigures access points. */
export async function unblock(chosen: readonly Blockable[], done: () => void = () => {}): Promise<void> {
  const { taken: rows, reported } = firstOf(chosen);
  const { body, choice } = plan(rows, null);
  const act = async () => {
    await unblockNow(
      rows.map(({ mac }) => mac),
      choice(),
    );
    done();
  };
  const pushed = rows.some(({ list }) => list === 'blocked');
  if (!pushed && reported.length === 0) return act();
  ask({
    title: t(pushed ? 'users.unblock_title' : 'users.unlist_title', { n: rows.length }),
    body: pushed ? body : null,
    losses: [...reported, ...named(rows)],
    confirm: t('users.unblock'),
    act,
  });
}

async function unblockNow(macs: readonly string[], choice: BlockChoice): Promise<void> {
  const answer = await call('/api/v3/user_online/unblock', { macs: [...macs], ...choice });
  await listed(answer, t('users.unblocked', { n: answer.changed.length }));
  openFirst(answer);
}

export async function allow(macs: readonly string[]): Promise<void> {
  const answer = await call('/api/v3/user_online/allow', { macs: [...macs] });
  await listed(answer, t('users.allowed', { n: answer.changed.length }));
  openFirst(answer);
}

export async function update(
  row: Pick<UserRow, 'mac' | 'remark' | 'vip'>,
  change: { remark?: string | null; vip?: boolean },
): Promise<void> {
  const write = async (to: typeof change) => {
    await call('/api/v3/user_online/update', { mac: row.mac, ...to });
    await again();
  };
  await write(change);
  notify('ok', t('users.saved'), () => void write({ remark: row.remark || null, vip: row.vip }));
}
