import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { notify, notifyError } from '../../ui/toast.tsx';
import { nameOf, type UserRow } from './words.ts';

/** Reads everything about terminals again. */
export const again = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/v3/user_online/'),
  });

/** Disconnects terminals and shows the job: whether they went is the access points' word. */
export async function kickNow(macs: readonly string[]): Promise<void> {
  const { job_id } = await call('/api/v3/user_online/kick', { macs: [...macs] });
  await queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] });
  openJobs(job_id);
}

/** A call names at most this many terminals, and the list of blocked ones holds as many (`userLimits` of the contract). */
export const mostAtOnce = 200;
/** What is asked of a terminal before it is blocked; of one that somebody typed, hardly more than its MAC is known. */
export type Blockable = Pick<UserRow, 'mac' | 'remark' | 'hostname' | 'list' | 'vip' | 'random_mac'>;

/** So many terminals are named one by one. */
const mostNamed = 5;
const named = (rows: readonly Blockable[]) => (rows.length <= mostNamed ? rows.map(nameOf) : []);

/** Those of many that one call takes, and the line that says how many are left for later. */
export function firstOf<Row>(rows: readonly Row[], most = mostAtOnce): { taken: readonly Row[]; said: string[] } {
  const taken = rows.slice(0, most);
  return { taken, said: taken.length < rows.length ? [t('users.part', { n: taken.length, all: rows.length })] : [] };
}

/** Asks first, and says what follows. Who is on a cable, or gone, is left out and said. */
export function kick(chosen: readonly UserRow[], done: () => void = () => {}): void {
  const able = chosen.filter((row) => row.online && row.band !== 0);
  if (able.length === 0) {
    notify('info', t(chosen.some((row) => row.online) ? 'users.kick_wired' : 'users.kick_offline'));
    return;
  }
  const { taken: rows, said } = firstOf(able);
  const out = chosen.length - able.length;
  ask({
    title: t('users.kick_title', { n: rows.length }),
    body: t('users.kick_body'),
    losses: [...said, ...named(rows), ...(out > 0 ? [t('users.kick_out', { n: out })] : [])],
    confirm: t('users.kick'),
    danger: true,
    act: async () => {
      await kickNow(rows.map(({ mac }) => mac));
      done();
    },
  });
}

/** What a new deny list means: the access points that take it, and the terminals that may notice. */
async function reach(): Promise<{ blocked: number; unmanaged: number; losses: string[] }> {
  const count = async (band?: '0') =>
    (await call('/api/v3/user_online/list', { page: 1, limit: 10, tab: 'online', ...(band ? { band } : {}) })).total;
  const [{ blocked, managed, unmanaged }, there, wired] = await Promise.all([
    call('/api/v3/user_online/applied', {}),
    count(),
    count('0'),
  ]);
  const losses = [t('users.block_managed', { n: managed })];
  if (managed > 0 && there > wired) losses.push(t('users.block_online', { n: there - wired }));
  return { blocked, unmanaged, losses };
}

/** Blocks terminals: the dialog says where that has an effect and where it has none. */
export async function block(chosen: readonly Blockable[], done: () => void = () => {}): Promise<void> {
  const { blocked, unmanaged, losses } = await reach();
  // who is on a list already takes no room in it; where there is none, the server says so
  const open = chosen.filter(({ list }) => list === null);
  const room = mostAtOnce - blocked;
  const { taken: rows } = firstOf(open.length > 0 ? open : chosen, room > 0 ? room : mostAtOnce);
  const count = (is: (row: Blockable) => boolean) => rows.filter(is).length;
  const [random, vip] = [count((row) => row.random_mac), count((row) => row.vip)];
  ask({
    title: t('users.block_title', { n: rows.length }),
    body: t('users.block_body'),
    losses: [
      ...(rows.length < chosen.length
        ? [t('users.block_part', { n: rows.length, all: chosen.length, most: mostAtOnce, used: blocked })]
        : []),
      ...named(rows),
      ...(vip > 0 ? [t('users.block_vip', { n: vip })] : []),
      ...losses,
      ...(unmanaged > 0 ? [t('users.block_unmanaged', { n: unmanaged })] : []),
      ...(random > 0 ? [t('users.block_random', { n: random })] : []),
    ],
    confirm: t('users.block'),
    danger: true,
    act: async () => {
      await blockNow(rows.map(({ mac }) => mac));
      done();
    },
  });
}

/** Puts MACs on the list of blocked ones, seen or not, and shows the job that brings it to the access points. */
async function blockNow(macs: readonly string[]): Promise<void> {
  const answer = await call('/api/v3/user_online/block', { macs: [...macs] });
  const undo = () => void unblockNow(answer.changed).catch(notifyError);
  await listed(answer, t('users.blocked', { n: answer.changed.length }), undo);
  const job = answer.job_id ?? answer.kick_job_id;
  if (job) openJobs(job);
}

interface Listed {
  changed: readonly string[];
  skipped: readonly string[];
  job_id: string | null;
}

async function listed(answer: Listed, said: string, undo?: () => void): Promise<void> {
  if (answer.changed.length > 0) notify('ok', said, undo);
  if (answer.skipped.length > 0) notify('info', t('users.skipped', { n: answer.skipped.length }));
  await Promise.all([again(), queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] })]);
}

/** Takes terminals off their list. Where one is blocked, access points get a new configuration: that is asked first. */
export async function unblock(chosen: readonly Blockable[], done: () => void = () => {}): Promise<void> {
  const { taken: rows, said } = firstOf(chosen);
  const act = async () => {
    await unblockNow(rows.map(({ mac }) => mac));
    done();
  };
  const pushed = rows.some(({ list }) => list === 'blocked');
  if (!pushed && said.length === 0) return act();
  const losses = pushed ? (await reach()).losses : [];
  ask({
    title: t(pushed ? 'users.unblock_title' : 'users.unlist_title', { n: rows.length }),
    body: pushed ? t('users.unblock_body') : null,
    losses: [...said, ...named(rows), ...losses],
    confirm: t('users.unblock'),
    act,
  });
}

async function unblockNow(macs: readonly string[]): Promise<void> {
  const answer = await call('/api/v3/user_online/unblock', { macs: [...macs] });
  await listed(answer, t('users.unblocked', { n: answer.changed.length }));
  if (answer.job_id) openJobs(answer.job_id);
}

/** Puts MACs on the list of those that are never blocked; who was blocked is let in again. */
export async function allow(macs: readonly string[]): Promise<void> {
  const answer = await call('/api/v3/user_online/allow', { macs: [...macs] });
  await listed(answer, t('users.allowed', { n: answer.changed.length }));
  if (answer.job_id) openJobs(answer.job_id);
}

/** Says something else of a terminal; the toast offers to take it back. */
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
