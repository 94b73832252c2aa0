import type { ChildProcess } from 'node:child_process';
import { register } from './lib/client.ts';
import type { BenchDatabase } from './lib/database.ts';
import { freePorts } from './lib/free-ports.ts';
import { hearAll } from './lib/hear-all.ts';
import { answer, ask, startPart } from './lib/parts.ts';
import { cpuOf, cpuOfFamily, residentOf } from './lib/process.ts';
import { megabytes, ms, pause, quantile } from './lib/stats.ts';
import { startWholeProgram } from './lib/whole-program.ts';
import { type Figure, record } from './results.ts';

/**
 * `npx tsx bench/ingest.ts [devices] [seconds] [rates]`: ingest of reports of about 20 KB over TLS, up to rollups, with
 * separate processes. The accelerated clock makes each device report once a minute, so totals are as rare as in a large
 * installation (needs more than 500 devices). Each rate lasts a minute with one rollup. `rates` (`1000,1700`) run
 * alone, unrecorded.
 */

const devices = Number(process.argv[2] ?? 1000);
const seconds = Number(process.argv[3] ?? 60);
const accounts = 10;
const tried = process.argv[4]?.split(',').map(Number);
const rates = tried ?? [100, 500, 1000, 1700, 2500];
const warm = 4;

const figures: Figure[] = [];
const program = await startWholeProgram('quick');
const { database, dataDir, host, url } = program;
let reporters: ChildProcess | undefined;
try {
  const owners = await Promise.all(Array.from({ length: accounts }, () => register(url, dataDir)));
  reporters = startPart('commands/reporters.ts');
  const setup = { url, devices, bindingCodes: owners.map(({ bindingCode }) => bindingCode) };
  const { frameBytes } = await ask<{ frameBytes: number }>(reporters, { setup });
  await hearAll(url, host, reporters, devices);
  for (const rate of rates) {
    const step = await measure(rate, url, host, reporters, database);
    figures.push(...step.figures);
    if (step.taken < rate * 0.9) break;
  }
  reporters.kill('SIGTERM');
  if (!tried) figures.push(...(await measurePeer(setup)));
  const { rows } = await database.owner.query<{ bytes: number; n: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 as bytes, (select count(*)::int from device_sample) as n
     from pg_inherits where inhparent = 'device_sample'::regclass`,
  );
  const [size] = rows;
  if (size && size.n > 0)
    figures.push({
      what: 'a row of device_sample on disk, with its index',
      measured: `${(size.bytes / size.n).toFixed(0)} B`,
    });
  const notes = [
    `${devices} devices hold their sessions and report ${Math.round(frameBytes / 1000)} kB each, ${seconds} s a rate after ${warm} s of warming up, and after each sent two reports; the generator runs on the same cores. "Told" is from the arrival of a report to the word on the bus that it is committed: what open pages receive. CPU is in cores, of the program (device port, ingest thread, jobs, rollups) and of the database; per message it is both divided by what was taken. Stages are the ingest thread's own clock, in milliseconds a message; the database works in "load", "copy", "write" and "commit".`,
  ];
  if (!tried) record('ingest', figures, notes);
} finally {
  reporters?.kill('SIGTERM');
  await program.stop();
}

async function measure(
  rate: number,
  url: string,
  host: ChildProcess,
  reporters: ChildProcess,
  database: BenchDatabase,
): Promise<{ taken: number; figures: Figure[] }> {
  const { pid } = database;
  reporters.send({ rate });
  host.send({ speed: Math.max(1, (60 * rate) / devices) });
  await pause(warm * 1000);
  host.send('hear');
  const sentBefore = await ask<{ sent: number }>(reporters, 'count');
  const before = await counted(url);
  const writer = await writerOf(database);
  const cpu = { program: cpuOf(host.pid as number), database: cpuOfFamily(pid), writer: cpuOf(writer) };
  const began = performance.now();
  await pause(seconds * 1000);
  const took = (performance.now() - began) / 1000;
  const cores = {
    program: (cpuOf(host.pid as number) - cpu.program) / 1000 / took,
    database: (cpuOfFamily(pid) - cpu.database) / 1000 / took,
    writer: (cpuOf(writer) - cpu.writer) / 1000 / took,
  };
  const after = await counted(url);
  const sentAfter = await ask<{ sent: number }>(reporters, 'count');
  const { latencies } = await ask<{ latencies: number[] }>(host, 'heard');
  const committed = after.messages - before.messages;
  const taken = committed / took;
  const shed = after.shed - before.shed;
  const perMessage = ((cores.program + cores.database) * 1000) / taken;
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  const stages = [...after.stages]
    .map(([stage, spent]) => `${stage} ${(((spent - (before.stages.get(stage) ?? 0)) * 1000) / committed).toFixed(3)}`)
    .join(', ');
  const what = `${rate}/s (sent ${((sentAfter.sent - sentBefore.sent) / took).toFixed(0)}/s)`;
  const half = cores.program + cores.database <= 1;
  const figures: Figure[] = [
    {
      what: `${what}: committed, shed`,
      measured: `${taken.toFixed(0)}/s, ${shed}`,
      ...(rate === 2500 && { budget: '2,500/s, none shed', holds: taken >= rate * 0.98 && shed === 0 }),
    },
    {
      what: `${what}: arrival → told, p50 / p99`,
      measured: `${ms(p50)} / ${ms(p99)}`,
      ...(rate === 100 && { budget: 'p50 ≤ 15 ms', holds: p50 <= 15 }),
      ...(rate === 2500 && { budget: 'p99 < 1 s', holds: p99 < 1000 }),
    },
    {
      what: `${what}: CPU of program + database; per message`,
      measured: `${cores.program.toFixed(2)} + ${cores.database.toFixed(2)} cores (${cores.writer.toFixed(2)} of it the connection of ingest); ${perMessage.toFixed(2)} ms`,
      ...(rate === 1700 && { budget: '≤ 50 % of both cores', holds: half }),
      ...(rate === 2500 && { budget: '≤ 0.5 ms a message', holds: perMessage <= 0.5 }),
    },
    { what: `${what}: stages`, measured: `${stages} ms; ${megabytes(residentOf(host.pid as number))} resident` },
  ];
  for (const figure of figures) console.log(figure.what, figure.measured);
  return { taken, figures };
}

async function measurePeer(setup: object): Promise<Figure[]> {
  const [port = 0] = await freePorts(1);
  const peer = startPart('ingest/peer.ts', { BENCH_DATA: dataDir, BENCH_PORT: String(port), BENCH_URL: database.url });
  await answer(peer);
  reporters = startPart('commands/reporters.ts');
  await ask(reporters, { setup: { ...setup, port } });
  const results: Figure[] = [];
  for (const rate of rates) {
    reporters.send({ rate });
    await pause(warm * 1000);
    const before = await ask<{ taken: number }>(peer, 'count');
    const cpu = cpuOf(peer.pid as number) + cpuOfFamily(database.pid);
    const began = performance.now();
    await pause(seconds * 1000);
    const took = (performance.now() - began) / 1000;
    const spent = cpuOf(peer.pid as number) + cpuOfFamily(database.pid) - cpu;
    const after = await ask<{ taken: number; latencies: number[] }>(peer, 'count');
    const committed = after.taken - before.taken;
    const [p50, p99] = [quantile(after.latencies, 0.5), quantile(after.latencies, 0.99)];
    const measured = `${(committed / took).toFixed(0)}/s; ${ms(p50)} / ${ms(p99)}; ${(spent / committed).toFixed(2)} ms`;
    results.push({ what: `one INSERT of JSON each, ${rate}/s: committed; p50 / p99; CPU per message`, measured });
    console.log(results.at(-1)?.what, measured);
    if (committed / took < rate * 0.9) break;
  }
  peer.send('stop');
  return results;
}

async function writerOf({ owner }: BenchDatabase): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'yunxun_ingest'`,
  );
  return rows[0]?.pid ?? 0;
}

async function counted(url: string): Promise<{ messages: number; shed: number; stages: Map<string, number> }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const read = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  const stages = [...text.matchAll(/^yunxun_telemetry_stage_seconds_total\{stage="(\w+)"\} ([\d.e+-]+)/gm)];
  return {
    messages: read(/^yunxun_telemetry_batch_messages_sum ([\d.e+]+)/m),
    shed: read(/^yunxun_state_messages_shed_total ([\d.e+]+)/m),
    stages: new Map(stages.map(([, stage = '', spent]) => [stage, Number(spent)])),
  };
}
