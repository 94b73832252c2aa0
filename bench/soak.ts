import { expectDone, type Owner, post, register } from './lib/client.ts';
import { ask, startPart } from './lib/parts.ts';
import { cpuOf, cpuOfFamily, openFilesOf, residentOf } from './lib/process.ts';
import { megabytes, ms, pause, quantile, slope } from './lib/stats.ts';
import { metric, startWholeProgram } from './lib/whole-program.ts';
import { atMost, type Figure, record } from './results.ts';

/**
 * `npx tsx bench/soak.ts [minutes] [devices] [reports/s]`: memory over an hour of sessions, reports and reads. The
 * accelerated clock passes partitions, rollups and daily closes.
 */

const [minutes = 60, devices = 1000, rate = 500] = process.argv.slice(2).map(Number);
const accounts = 10;
const events = 20;
const pagesASecond = 5;
const every = 10_000;
const speed = Math.max(1, (60 * rate) / devices);
/** MB/h in the second half; additional open files from the middle on. */
const budgets = { slope: 10, files: 20 };

const pages = [
  '/api/v3/user_stat/complex',
  '/api/v3/user_stat/ap_complex',
  '/api/v3/overview/attention',
  '/api/v3/overview/strip',
  '/api/v3/overview/tiles',
  '/api/v3/network/list',
  '/api/v3/ap/list',
  '/api/v3/user_online/list',
  '/api/v3/wireless/score',
];

interface Sample {
  at: number;
  resident: number;
  heap: number;
  mainHeap: number;
  threadHeap: number;
  buffers: number;
  files: number;
}

const partsOf: Record<string, (sample: Sample) => number> = {
  "main thread's heap": ({ mainHeap }) => mainHeap,
  "ingest thread's heap": ({ threadHeap }) => threadHeap,
  buffers: ({ buffers }) => buffers,
  'the rest': ({ resident, mainHeap, threadHeap, buffers }) => resident - mainHeap - threadHeap - buffers,
};

const perHour = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB/h`;

const program = await startWholeProgram('quick');
const reporters = startPart('commands/reporters.ts');
try {
  const { url, dataDir, host, pid, database } = program;
  const owners = await Promise.all(Array.from({ length: accounts }, () => register(url, dataDir)));
  const bindingCodes = owners.map(({ bindingCode }) => bindingCode);
  await ask(reporters, { setup: { url, devices, bindingCodes } });
  host.send({ speed });
  reporters.send({ rate, events, speed });
  const cpu = { program: cpuOf(pid), database: cpuOfFamily(database.pid) };
  const began = performance.now();
  const reading = read(owners);
  const samples: Sample[] = [];
  while (performance.now() - began < minutes * 60_000) {
    await pause(every);
    samples.push({
      at: (performance.now() - began) / 3_600_000,
      resident: residentOf(pid),
      heap: await metric(url, 'nodejs_heap_size_used_bytes'),
      mainHeap: await metric(url, 'nodejs_heap_size_total_bytes'),
      threadHeap: await labelled(url, 'yunxun_telemetry_memory_bytes', 'heapTotal'),
      buffers:
        (await metric(url, 'nodejs_external_memory_bytes')) +
        (await labelled(url, 'yunxun_telemetry_memory_bytes', 'external')),
      files: openFilesOf(pid),
    });
    const { resident, files } = samples.at(-1) as Sample;
    if (samples.length % 6 === 0) console.log(`${samples.length / 6} min: ${megabytes(resident)}, ${files} files`);
  }
  const seconds = (performance.now() - began) / 1000;
  const { latencies, busy } = await reading.end();
  const { sent, held } = await ask<{ sent: number; held: number }>(reporters, 'count');
  const committed = await metric(url, 'yunxun_telemetry_batch_messages_sum');
  const shed = await metric(url, 'yunxun_state_messages_shed_total');
  const sessions = await metric(url, 'yunxun_device_sessions');
  const cores = (used: number) => (used / 1000 / seconds).toFixed(2);
  record(
    'soak',
    [
      ...memory(samples),
      {
        what: 'sessions at the end',
        measured: `${sessions} of ${devices}`,
        budget: 'all of them',
        holds: sessions === devices,
      },
      {
        what: 'reports sent (kept back by the devices); messages committed; reports shed',
        measured: `${sent} (${held}), ${(sent / seconds).toFixed(0)}/s; ${committed}; ${shed}`,
        budget: 'none shed',
        holds: shed === 0,
      },
      {
        what: 'CPU of program + database',
        measured: `${cores(cpuOf(pid) - cpu.program)} + ${cores(cpuOfFamily(database.pid) - cpu.database)} cores`,
      },
      {
        what: `${latencies.length} pages read, p50 / p99; answered "not now" (503)`,
        measured: `${ms(quantile(latencies, 0.5))} / ${ms(quantile(latencies, 0.99))}; ${busy}`,
      },
    ],
    [
      `${minutes} minutes: ${devices} sessions in ${accounts} accounts, ${rate} reports of 20 kB a second, ${events} terminals a second that come or leave, ${pagesASecond} calls of pages a second. The program's clock runs ${speed} times as fast as the day. Memory is resident memory of the whole process, its ingest thread included, every ${every / 1000} s; its growth is the slope of the second half by least squares. Memory that the program gives back late counts as growth too.`,
    ],
  );
} finally {
  reporters.kill('SIGTERM');
  await program.stop();
}

function memory(samples: readonly Sample[]): Figure[] {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [middle, end] = [half[0], half.at(-1)];
  if (!middle || !end) throw new Error('too short to say anything');
  const growthOf = (read: (sample: Sample) => number) =>
    slope(half.map((sample) => [sample.at, read(sample)] as const));
  const growth = (what: 'resident' | 'heap') => growthOf((sample) => sample[what]);
  return [
    atMost('resident memory, growth in the second half', growth('resident'), budgets.slope * 1e6, perHour),
    { what: 'used heap of the main thread, growth in the second half', measured: perHour(growth('heap')) },
    {
      what: 'resident memory after a minute / in the middle / at the end / at most',
      measured: [samples[5] ?? middle, middle, end]
        .map(({ resident }) => megabytes(resident))
        .concat(megabytes(Math.max(...samples.map(({ resident }) => resident))))
        .join(' / '),
    },
    ...Object.entries(partsOf).map(([name, read]) => ({
      what: `of it ${name}: in the middle / at the end; growth in the second half`,
      measured: `${megabytes(read(middle))} / ${megabytes(read(end))}; ${perHour(growthOf(read))}`,
    })),
    {
      what: 'open files in the middle / at the end',
      measured: `${middle.files} / ${end.files}`,
      budget: `≤ ${budgets.files} more`,
      holds: end.files - middle.files <= budgets.files,
    },
  ];
}

async function labelled(url: string, name: string, kind: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name}\\{kind="${kind}"\\} ([\\d.e+-]+)`, 'm').exec(text)?.[1] ?? 0);
}

function read(owners: readonly Owner[]) {
  let over = false;
  const latencies: number[] = [];
  let busy = 0;
  const all = (async () => {
    for (let turn = 0; !over; turn += 1) {
      const owner = owners[turn % owners.length] as Owner;
      const path = pages[turn % pages.length] as string;
      const began = performance.now();
      const answer = post(program.url, path, {}, owner.token);
      const putOff = (await answer).status === 503;
      if (putOff) busy += 1;
      else await expectDone(answer);
      const took = performance.now() - began;
      if (!putOff) latencies.push(took);
      await pause(Math.max(0, 1000 / pagesASecond - took));
    }
  })();
  return {
    async end() {
      over = true;
      await all;
      return { latencies, busy };
    },
  };
}
