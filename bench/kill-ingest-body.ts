import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { codes } from '@yunxun/contract';
import { type Guest, makeReporters, type Reporter } from './kill/reporters.ts';
import { type Mode, modes, strike } from './kill/strike.ts';
import { type Answer, expectDone, type Owner, post, register } from './lib/client.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { pause } from './lib/stats.ts';

export interface IngestKillOptions {
  kills: number;
  log?: (line: string) => void;
}

export interface IngestKillReport {
  kills: number;
  problems: string[];
  reports: number;
  guests: number;
  acknowledged: number;
  restarts: number[];
}

const fleet = 4;
/** Shortest time before a kill, in milliseconds. */
const least = 1500;
const max = 4000;
const settleWithin = 120_000;

interface Shown {
  uplink: number;
  wireless: number;
  guests: Set<string>;
}

/**
 * Kills server and database while devices report. Counters are absolute and unique per report: each shown sum must
 * equal one report's and never fall, else bytes were lost or counted twice.
 */
export async function runIngestKills({ kills, log = () => undefined }: IngestKillOptions): Promise<IngestKillReport> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const start = () => startServer({ dataDir, httpPort, devicePort });
  const [problems, restarts]: [string[], number[]] = [[], []];
  let server = await start();
  let reporters: Reporter[] = [];
  try {
    const owner = await register(server.url, dataDir);
    reporters = await makeReporters({ url: server.url, ...owner }, fleet);
    const shown = new Map(
      reporters.map((one): [Reporter, Shown] => [one, { uplink: 0, wireless: 0, guests: new Set() }]),
    );
    for (const reporter of reporters) reporter.start();
    const look = async (when: string) => {
      for (const [reporter, before] of shown) await lookAt(server.url, owner, reporter, before, when, problems);
    };
    while ([...shown.values()].some(({ uplink }) => uplink === 0)) await look('at first');
    for (let at = 0; at < kills; at += 1) {
      const mode = modes[at % modes.length] as Mode;
      await pause(randomInt(least, max));
      await look(`before kill ${at + 1}`);
      const began = performance.now();
      server = await strike(server, mode, start);
      restarts.push(performance.now() - began);
      await look(`after kill ${at + 1} (${mode})`);
      log(
        `kill ${at + 1} of ${kills} (${mode}): back after ${restarts.at(-1)?.toFixed(0)} ms, ${problems.length} problems`,
      );
    }
    for (const reporter of reporters) await reporter.quiet();
    await settled(reporters, shown, look);
    for (const [{ gwid, last }, now] of shown) {
      if (now.uplink !== last.uplink)
        problems.push(`in the end, ${gwid} has ${now.uplink} uplink bytes, not ${last.uplink}`);
      if (now.wireless !== last.wireless)
        problems.push(`in the end, ${gwid} has ${now.wireless} wireless bytes, not ${last.wireless}`);
    }
    const all = reporters.flatMap(({ guests }) => guests);
    return {
      kills,
      problems,
      restarts,
      guests: all.length,
      reports: reporters.reduce((sum, { uplink }) => sum + uplink.size, 0),
      acknowledged: [...shown.values()].reduce((sum, { guests }) => sum + guests.size, 0),
    };
  } finally {
    for (const reporter of reporters) await reporter.stop();
    await server.stop();
    removeFolder(folder, [dataDir]);
  }
}

async function settled(
  reporters: readonly Reporter[],
  shown: ReadonlyMap<Reporter, Shown>,
  look: (when: string) => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + settleWithin;
  const behind = () => reporters.filter((one) => shown.get(one)!.uplink !== one.last.uplink);
  do {
    for (const reporter of behind()) await reporter.sayAgain();
    await pause(500);
    await look('in the end');
  } while (behind().length > 0 && Date.now() < deadline);
}

async function lookAt(
  url: string,
  { token }: Owner,
  { gwid, uplink, wireless, guests }: Reporter,
  before: Shown,
  when: string,
  problems: string[],
): Promise<void> {
  const ask = async <T>(path: string, input: object): Promise<T> =>
    (await expectDone(post<T>(url, `/api/v3/${path}`, input, token))).data;
  const complex = await ask<{ cumulative_flow: { total: number | null } }>('user_stat/complex', { gwid });
  const aps = await ask<{ ap_flow: { week_flow: number | null } }>('user_stat/ap_complex', { gwid });
  // null before the first report
  const now = { uplink: complex.cumulative_flow.total ?? 0, wireless: aps.ap_flow.week_flow ?? 0 };
  for (const [what, reported] of [
    ['uplink', uplink],
    ['wireless', wireless],
  ] as const) {
    if (!reported.has(now[what]) && now[what] !== 0)
      problems.push(`${when}, ${gwid} has ${now[what]} ${what} bytes, which no report said`);
    if (now[what] < before[what])
      problems.push(`${when}, ${gwid} has ${now[what]} ${what} bytes, and had ${before[what]}`);
    before[what] = now[what];
  }
  const looked = guests.filter(({ mac }, at) => (before.guests.has(mac) ? at % 5 === 0 : at >= guests.length - 8));
  for (const guest of looked) {
    const history = { mac: guest.mac, page: 1, limit: 10 };
    lookFor(guest, await post<Sessions>(url, '/api/v3/user_online/history', history, token), when, before, problems);
  }
}

interface Session {
  down: number;
  up: number;
}

interface Sessions {
  list: Session[];
  open: Session[];
}

function lookFor(
  { mac, down, up }: Guest,
  answer: Answer<Sessions>,
  when: string,
  before: Shown,
  problems: string[],
): void {
  if (answer.code !== 2000) {
    if (answer.code !== codes.notFound || before.guests.has(mac))
      problems.push(`${when}, guest ${mac}: ${answer.code} ${answer.message}`);
    return;
  }
  const sessions = [...answer.data.list, ...answer.data.open];
  const complete = sessions.length === 1 && sessions[0]?.down === down && sessions[0].up === up;
  if (complete) before.guests.add(mac);
  else if (sessions.length > 1 || before.guests.has(mac))
    problems.push(`${when}, guest ${mac} has ${JSON.stringify(sessions)}, not one visit of ${down} and ${up} bytes`);
}
