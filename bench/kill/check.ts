import { expectDone, post } from '../lib/client.ts';
import { inParallel } from '../lib/stats.ts';
import type { Ledger } from './ledger.ts';
import type { KillFixture } from './writers.ts';

export interface JobRow {
  id: string;
  type: string;
  status: string;
}

const accountsTried = 10;
const pageSize = 200;
/** Stable: renames must skip nothing. */
const inOrder = { sort: 'bind_time' };

export async function lostIn(fixture: KillFixture, ledger: Ledger, { everything = false } = {}): Promise<string[]> {
  const { url, owner } = fixture;
  const problems: string[] = [];
  // before and after, because writers keep running
  const before = ledger.of('network');
  const networks = new Map(
    (await all<{ gwid: string; remark: string }>(fixture, '/api/v3/network/list', inOrder)).map((row) => [
      row.gwid,
      row.remark,
    ]),
  );
  const after = ledger.of('network');
  for (const [gwid, allowed] of before) {
    const remark = networks.get(gwid);
    if (remark === undefined) problems.push(`network ${gwid} is gone`);
    else if (![...allowed, ...(after.get(gwid) ?? [])].includes(remark))
      problems.push(`network ${gwid} is called ${remark}, not ${allowed.join(' or ')}`);
  }
  for (const [gwid, allowed] of ledger.of('wifi')) {
    const { data } = await expectDone(
      post<{ ssids: { name: string }[] }>(url, '/api/v3/network/wireless/get', { gwid }, owner.token),
    );
    const name = data.ssids[0]?.name;
    if (![...allowed, ...(ledger.of('wifi').get(gwid) ?? [])].includes(name))
      problems.push(`the Wi-Fi of ${gwid} is ${name}, not ${allowed.join(' or ')}`);
  }
  const wanted = [...ledger.of('job').keys()];
  const jobs = new Set((await allJobs(fixture)).map((job) => job.id));
  problems.push(...wanted.filter((id) => !jobs.has(id)).map((id) => `job ${id} is gone`));
  const accounts = [...ledger.of('account').keys()];
  const tried = everything ? accounts : accounts.slice(-accountsTried);
  await inParallel(tried, 2, async (account) => {
    const [email = '', password = ''] = account.split(' ');
    const { code, message } = await post(url, '/api/v3/login', { email, password });
    if (code !== 2000) problems.push(`${email} cannot sign in: ${message}`);
  });
  problems.push(...(await checkLog(fixture, ledger)));
  return problems;
}

async function checkLog({ url, owner }: KillFixture, ledger: Ledger): Promise<string[]> {
  const created = ledger.of('network').size;
  const { data: chain } = await expectDone(
    post<{ intact: boolean; broken_at: number | null }>(url, '/api/v3/log/action/verify', {}, owner.token),
  );
  const { data: rows } = await expectDone(
    post<{ total: number }>(url, '/api/v3/log/action/list', { action: 'network.create', limit: 10 }, owner.token),
  );
  return [
    ...(chain.intact ? [] : [`the operation log's chain breaks at ${chain.broken_at}`]),
    ...(rows.total >= created ? [] : [`the operation log has ${rows.total} creations of networks, not ${created}`]),
  ];
}

export async function openJobs(fixture: KillFixture): Promise<JobRow[]> {
  return (await all<JobRow>(fixture, '/api/v3/job/list', { open: true })).filter((job) => job.status !== 'partial');
}

export async function jobsOf(fixture: KillFixture): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await allJobs(fixture)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const allJobs = (fixture: KillFixture) => all<JobRow>(fixture, '/api/v3/job/list');

async function all<T>({ url, owner }: KillFixture, path: string, filter: object = {}): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data } = await expectDone(
      post<{ list: T[] }>(url, path, { page, limit: pageSize, ...filter }, owner.token),
    );
    rows.push(...data.list);
    if (data.list.length < pageSize) return rows;
  }
}
