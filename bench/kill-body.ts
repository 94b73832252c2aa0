import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@yunxun/simulator';
import { jobsOf, lostIn, openJobs } from './kill/check.ts';
import { Ledger } from './kill/ledger.ts';
import { type Mode, modes, strike } from './kill/strike.ts';
import { startWriters } from './kill/writers.ts';
import { expectDone, post, register } from './lib/client.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { commandOf, descendantsOf } from './lib/process.ts';
import { startServer } from './lib/server.ts';
import { pause } from './lib/stats.ts';

export interface KillOptions {
  kills: number;
  log?: (line: string) => void;
}

export interface KillReport {
  kills: number;
  problems: string[];
  acknowledged: Readonly<Record<string, number>>;
  /** Cut off by a kill; both outcomes are valid. */
  unknown: number;
  restarts: number[];
  jobs: Readonly<Record<string, number>>;
}

/** Shortest time before a kill, in milliseconds. */
const least = 300;
const max = 3000;
/** Without a job that ends, in milliseconds: a restart whose command a kill cut off is given up after five minutes. */
const settleWithin = 400_000;

/**
 * Kills a server during writes over HTTP. After each restart, checks acknowledged writes and the log's hash chain; at
 * the end every job must have finished.
 */
export async function runKills({ kills, log = () => undefined }: KillOptions): Promise<KillReport> {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const start = () => startServer({ dataDir, httpPort, devicePort });
  const ledger = new Ledger();
  const restarts: number[] = [];
  const problems: string[] = [];
  let server = await start();
  let fleet: Fleet | undefined;
  let writers: { stop(): Promise<void> } | undefined;
  try {
    const owner = await register(server.url, dataDir);
    fleet = await startFleet({
      consoleUrl: server.url,
      bindingCode: owner.bindingCode,
      seed: 'kill',
      aps: 4,
      gateways: 1,
      switches: 1,
      speedUp: 30,
    });
    await fleet.online();
    const serials = fleet.devices.map((device) => device.serial);
    // they come from another address than the owner's
    await expectDone(post(server.url, '/api/v3/device/confirm', { serials }, owner.token));
    const fixture = { url: server.url, dataDir, owner, serials };
    writers = await startWriters(fixture, ledger);
    for (let at = 0; at < kills; at += 1) {
      await pause(randomInt(least, max));
      const mode = modes[at % modes.length] as Mode;
      const began = performance.now();
      server = await strike(server, mode, start);
      restarts.push(performance.now() - began);
      const lost = await lostIn(fixture, ledger);
      problems.push(...lost.map((what) => `after kill ${at + 1} (${mode}): ${what}`));
      log(
        `kill ${at + 1} of ${kills} (${mode}): back after ${restarts.at(-1)?.toFixed(0)} ms, ${ledger.size} writes acknowledged, ${lost.length} lost`,
      );
    }
    await writers.stop();
    problems.push(...(await lostIn(fixture, ledger, { everything: true })));
    let deadline = Date.now() + settleWithin;
    let open = await openJobs(fixture);
    while (open.length > 0 && Date.now() < deadline) {
      await pause(500);
      const now = await openJobs(fixture);
      if (now.length < open.length) deadline = Date.now() + settleWithin;
      open = now;
    }
    problems.push(
      ...open.map((job) => `job ${job.id} (${job.type}) is ${job.status}, and none ended in ${settleWithin / 1000} s`),
    );
    const jobs = await jobsOf(fixture);
    return { kills, problems, restarts, jobs, acknowledged: ledger.counts(), unknown: ledger.unknown };
  } finally {
    await writers?.stop();
    fleet?.stop();
    const family = descendantsOf(server.pid);
    await server.stop();
    const left = family.filter((pid) => commandOf(pid).includes('postgres'));
    if (left.length > 0) problems.push(`${left.length} processes of the database outlived the program's stop`);
    removeFolder(folder, [dataDir]);
  }
}
