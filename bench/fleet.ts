import { openList } from './fleet/page.ts';
import { seedFleet } from './fleet/seed.ts';
import { expectDone, post, register } from './lib/client.ts';
import { withConsole } from './lib/console.ts';
import { megabytes, ms, quantile } from './lib/stats.ts';
import { atMost, type Figure, record } from './results.ts';

/** `npx tsx bench/fleet.ts [access points]`: the list of 20,000 in Chromium against the built program. */

const count = Number(process.argv[2] ?? 20_000);
const dry = Boolean(process.env.BENCH_DRY);
const rounds = dry ? 2 : 20;
const budgets = { first: 300, filter: 300, memory: 200e6, rows: 50 };

const filters: readonly [name: string, ...choices: string[]][] = [
  ['Status', 'Online', 'Offline'],
  ['Configuration', 'In sync', 'Failed'],
  ['Group', 'Floor-7', 'In no group'],
  ['Air', 'Busy (70% or more, last hour)'],
  ['Bands', 'Single band', 'Dual band'],
  ['Template', 'Rooms', 'House'],
  ['Tags', 'hotel', 'lobby'],
  ['Model', 'EAP102'],
  ['Firmware', 'TIP-v4.2'],
];

await withConsole({ throwaway: true }, async ({ database, server, dataDir }) => {
  const owner = await register(server.url, dataDir);
  const began = performance.now();
  const seeded = await seedFleet(server.url, owner, database.owner, count);
  console.log(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const { data } = await expectDone(post<{ total: number }>(server.url, '/api/v3/ap/list', { limit: 10 }, owner.token));
  if (data.total !== count) throw new Error(`${data.total} access points are listed`);
  record('fleet', await look(server.url, owner.token), [
    `${count} access points in ${seeded.networks} networks of one account, with settings, ${seeded.templates} templates, ${seeded.groups} groups, latest reports of about 20 KB and the reports of two hours. Chromium at 1440 × 900, fifty rows a page, ${rounds} rounds; a round begins with the page loaded anew, so nothing is known from the round before. Times are of the page's own clock, from the press until the frame with the new rows is drawn. A search waits 300 ms for another letter; its times include that.`,
  ]);
});

async function look(url: string, token: string): Promise<Figure[]> {
  const page = await openList(url, token);
  try {
    const times = { first: [] as number[], search: [] as number[], order: [] as number[], next: [] as number[] };
    const byFilter = new Map<string, number[]>();
    let most = { rows: 0, all: 0 };
    const grown = async () => {
      const { rows, all } = await page.nodes();
      most = { rows: Math.max(most.rows, rows), all: Math.max(most.all, all) };
    };
    for (let round = 0; round < rounds; round += 1) {
      times.first.push(await page.open());
      await grown();
      for (const [name, ...choices] of filters) {
        for (const to of choices) byFilter.set(name, [...(byFilter.get(name) ?? []), await page.filter(name, to)]);
        await grown();
      }
      for (const word of ['AP-1234', 'OAP103', '9c00000', 'nothing like it'])
        times.search.push(await page.search(word));
      for (const title of ['Status', 'Terminals', 'Name']) times.order.push(await page.press({ title }));
      for (let turn = 0; turn < 5; turn += 1) times.next.push(await page.press('next'));
      await grown();
    }
    await page.selectAll();
    await grown();
    const { heap, process: whole } = await page.memory();
    const all = [...byFilter.values()].flat();
    const both = (values: readonly number[]) => `${ms(quantile(values, 0.5))} / ${ms(quantile(values, 0.95))}`;
    return [
      held('first rows, p50 / p95', times.first, budgets.first),
      held('a filter, p50 / p95 over all of them', all, budgets.filter),
      ...[...byFilter].map(([name, values]) => ({ what: `filter “${name}”, p50 / p95`, measured: both(values) })),
      { what: 'search, p50 / p95', measured: both(times.search) },
      { what: 'another order, p50 / p95', measured: both(times.order) },
      { what: 'the next page, p50 / p95', measured: both(times.next) },
      atMost('rows in the document, at most', most.rows, budgets.rows, String),
      { what: 'elements in the document, at most', measured: String(most.all) },
      atMost('memory of the page’s process at the end', whole, budgets.memory, megabytes),
      { what: 'of it the heap of its scripts', measured: megabytes(heap) },
    ];
    function held(what: string, values: readonly number[], budget: number): Figure {
      return { what, measured: both(values), budget: `p95 < ${budget} ms`, holds: quantile(values, 0.95) < budget };
    }
  } finally {
    await page.stop();
  }
}
