import { randomInt, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type FakeProvider, startFakeProvider } from '../packages/server/test/fake-provider.ts';
import { strike } from './kill/strike.ts';
import { expectDone, type Owner, post, register } from './lib/client.ts';
import { type BenchDatabase, startDatabase } from './lib/database.ts';
import { serialOf } from './lib/device.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { pause } from './lib/stats.ts';

export interface AlarmKillReport {
  kills: number;
  alarms: number;
  addresses: number;
  /** Messages that came again under their id: the process died before it wrote the answer. */
  again: number;
  /** Messages that the address had at each kill, and those it should get. */
  at: { had: number; due: number }[];
  problems: string[];
}

/** Alarms of a round, and addresses for each; few: a message lists 50 at most. */
const perRound = 5;
const addresses = 8;
/** Milliseconds after the decision begins. */
const killWithin = 1200;
/** Milliseconds; a message whose process died waits 30 s. */
const settleWithin = 300_000;

/**
 * Kills the program between an alarm's decision and its sending. Every address must get every alarm under one id, by
 * which it recognises a repeat.
 */
export async function runAlarmKills({
  kills,
  log = () => undefined,
}: {
  kills: number;
  log?: (line: string) => void;
}): Promise<AlarmKillReport> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const database = await startDatabase(folder);
  const hook = await startFakeProvider();
  const environment = { YUNXUN_WEBHOOK_PRIVATE: 'yes' };
  const start = () => startServer({ dataDir, httpPort, devicePort, databaseUrl: database.url, environment });
  const report: AlarmKillReport = { kills: 0, alarms: 0, addresses, again: 0, at: [], problems: [] };
  let server = await start();
  try {
    const owner = await register(server.url, dataDir);
    const gwid = await subscribe(server.url, owner, hook);
    while (report.kills < kills) {
      await failUpgrades(database, owner, gwid, report.kills);
      report.alarms += perRound;
      await evaluateNow(database);
      await pause(randomInt(killWithin));
      report.at.push({ had: received(hook).size, due: report.alarms * addresses });
      server = await strike(server, 'program', start);
      report.kills += 1;
      log(`kill ${report.kills} of ${kills}, ${report.at.at(-1)!.had} of ${report.at.at(-1)!.due} were sent`);
    }
    await evaluateNow(database);
    const deadline = Date.now() + settleWithin;
    while (received(hook).size < report.alarms * addresses && Date.now() < deadline) await pause(500);
    check(hook, report);
    return report;
  } finally {
    await server.stop();
    await hook.stop();
    await database.stop();
    removeFolder(folder, [join(folder, 'database'), dataDir]);
  }
}

/** @returns a network */
async function subscribe(url: string, { token }: Owner, hook: FakeProvider): Promise<string> {
  const call = async <T>(path: string, body: unknown) =>
    (await expectDone(post<T>(url, `/api/v3/${path}`, body, token))).data;
  for (let at = 0; at < addresses; at += 1)
    await call('alarm_subscription/save', {
      name: `Address-${at}`,
      enabled: true,
      locale: 'en',
      levels: ['FATAL', 'MIDDLE', 'GENERAL'],
      kinds: [],
      scope: { type: 'all', ids: [] },
      members: [],
      member_channels: [],
      schedule: [],
      quiet: null,
      digest_minutes: 0,
      repeat_hours: 0,
      recovery: true,
      endpoints: [{ type: 'webhook', url: `${hook.url}/${at}` }],
    });
  return (await call<{ gwid: string }>('network/create', { remark: 'Kill' })).gwid;
}

async function failUpgrades(
  { owner: client }: BenchDatabase,
  { accountId }: Owner,
  gwid: string,
  round: number,
): Promise<void> {
  const serials = Array.from({ length: perRound }, (_, at) => serialOf(round * perRound + at));
  await client.query(
    `with directory as (
       insert into serial_directory (serial, account_id, enrolled_at) select s, $2, now() from unnest($1::text[]) s)
     insert into device (confirmed, account_id, serial, gwid, kind, remark, model, bound_at)
     select true, $2, s, $3, 'ap', s, 'Bench AP', now() from unnest($1::text[]) s`,
    [serials, accountId, gwid],
  );
  await client.query(
    `insert into upgrade_log (account_id, id, at, serial, name, gwid, action, trigger, result)
     select $2, gen_random_uuid(), now(), s, s, $3, 'upgrade', 'user', 'failed' from unnest($1::text[]) s`,
    [serials, accountId, gwid],
  );
}

async function evaluateNow({ owner: client }: BenchDatabase): Promise<void> {
  await client.query(
    "select graphile_worker.add_job('alarms-evaluate', job_key => $1, queue_name => 'alarms-evaluate')",
    [randomUUID()],
  );
}

interface Payload {
  id: string;
  alarms: { id: string; event: string; device: { serial: string } | null }[];
}

/** Returns the ids under which each address got each device's alarm. */
function received(hook: FakeProvider): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, body } of hook.requests) {
    const { id, alarms } = JSON.parse(body) as Payload;
    for (const { event, device } of alarms) {
      if (event !== 'opened') continue;
      const key = `${path} ${device?.serial}`;
      found.set(key, (found.get(key) ?? new Set()).add(id));
    }
  }
  return found;
}

function check(hook: FakeProvider, report: AlarmKillReport): void {
  const found = received(hook);
  for (let at = 0; at < addresses; at += 1) {
    for (let device = 0; device < report.alarms; device += 1) {
      const key = `/${at} ${serialOf(device)}`;
      const ids = found.get(key)?.size ?? 0;
      if (ids === 0) report.problems.push(`${key} was lost`);
      if (ids > 1) report.problems.push(`${key} was sent under ${ids} ids`);
    }
  }
  const times = hook.requests.map(({ headers }) => String(headers['webhook-id']));
  report.again = times.length - new Set(times).size;
}
