import { call } from '../../app/client.ts';
import { t } from '../../app/i18n.ts';
import { queryClient } from '../../app/session.ts';
import { ask } from '../../ui/dialog-host.tsx';
import { openJobs } from '../../ui/job-drawer-state.ts';
import { notify } from '../../ui/toast.tsx';
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

/** Asks first, and says what follows. */
export function kick(rows: readonly UserRow[], done: () => void = () => {}): void {
  ask({
    title: t('users.kick_title', { n: rows.length }),
    body: t('users.kick_body'),
    losses: rows.length <= 5 ? rows.map(nameOf) : [],
    confirm: t('users.kick'),
    danger: true,
    act: async () => {
      await kickNow(rows.map(({ mac }) => mac));
      done();
    },
  });
}

/** What a new deny list means: the access points that take it, and the terminals that may notice. */
async function reach(): Promise<{ unmanaged: number; losses: string[] }> {
  const count = async (band?: '0') =>
    (await call('/api/v3/user_online/list', { page: 1, limit: 10, tab: 'online', ...(band ? { band } : {}) })).total;
  const [{ managed, unmanaged }, there, wired] = await Promise.all([
    call('/api/v3/user_online/applied', {}),
    count(),
    count('0'),
  ]);
  const losses = [t('users.block_managed', { n: managed })];
  if (managed > 0 && there > wired) losses.push(t('users.block_online', { n: there - wired }));
  return { unmanaged, losses };
}

/** Blocks terminals: the dialog says where that has an effect and where it has none. */
export async function block(rows: readonly UserRow[], done: () => void = () => {}): Promise<void> {
  const { unmanaged, losses } = await reach();
  const random = rows.filter((row) => row.random_mac).length;
  ask({
    title: t('users.block_title', { n: rows.length }),
    body: t('users.block_body'),
    losses: [
      ...(rows.length <= 5 ? rows.map(nameOf) : []),
      ...losses,
      ...(unmanaged > 0 ? [t('users.block_unmanaged', { n: unmanaged })] : []),
      ...(random > 0 ? [t('users.block_random', { n: random })] : []),
    ],
    confirm: t('users.block'),
    danger: true,
    act: async () => {
      const answer = await call('/api/v3/user_online/block', { macs: rows.map(({ mac }) => mac) });
      await listed(answer, t('users.blocked', { n: answer.changed.length }));
      done();
      const job = answer.job_id ?? answer.kick_job_id;
      if (job) openJobs(job);
    },
  });
}

interface Listed {
  changed: readonly string[];
  skipped: readonly string[];
  job_id: string | null;
}

async function listed(answer: Listed, said: string): Promise<void> {
  if (answer.changed.length > 0) notify('ok', said);
  if (answer.skipped.length > 0) notify('info', t('users.skipped', { n: answer.skipped.length }));
  await Promise.all([again(), queryClient.invalidateQueries({ queryKey: ['/api/v3/job/list'] })]);
}

/** Takes terminals off their list. Where one is blocked, access points get a new configuration: that is asked first. */
export async function unblock(rows: readonly UserRow[], done: () => void = () => {}): Promise<void> {
  const act = async () => {
    const answer = await call('/api/v3/user_online/unblock', { macs: rows.map(({ mac }) => mac) });
    await listed(answer, t('users.unblocked', { n: answer.changed.length }));
    done();
    if (answer.job_id) openJobs(answer.job_id);
  };
  if (!rows.some(({ list }) => list === 'blocked')) return act();
  const { losses } = await reach();
  ask({
    title: t('users.unblock_title', { n: rows.length }),
    body: t('users.unblock_body'),
    losses: [...(rows.length <= 5 ? rows.map(nameOf) : []), ...losses],
    confirm: t('users.unblock'),
    act,
  });
}

/** Puts terminals on the list of those that are never blocked. */
export async function allow(rows: readonly UserRow[]): Promise<void> {
  const answer = await call('/api/v3/user_online/allow', { macs: rows.map(({ mac }) => mac) });
  await listed(answer, t('users.allowed', { n: answer.changed.length }));
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
