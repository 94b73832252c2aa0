import { startFleet } from '@yunxun/simulator';
import { expectDone, post, register } from './lib/client.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { kib, median, ms } from './lib/stats.ts';
import { plain, slow, startBrowser, type Visit } from './pages/browser.ts';
import { gzipBytes } from './pages/bytes.ts';
import { installLighthouse, lighthouse } from './pages/lighthouse.ts';
import { type Figure, record } from './results.ts';

/**
 * `npx tsx bench/pages.ts`: bytes, paints and interactions of first visits in Chromium, unthrottled and at a quarter of
 * the CPU with 10 Mbit/s and 40 ms; then Lighthouse.
 */

const runs = 3;
const budgets = { css: 14, chunk: 80, lcp: 800, lcpSlow: 1600, inp: 150, lighthouse: 98 };

interface Screen {
  name: string;
  path: string;
  signedIn: boolean;
  js: number;
}

installLighthouse();
const dataDir = makeFolder();
const [httpPort = 0, devicePort = 0] = await freePorts(2);
const server = await startServer({ dataDir, httpPort, devicePort });
const browser = await startBrowser();
const figures: Figure[] = [];
try {
  const { token, gwid } = await inhabit();
  const screens: Screen[] = [
    { name: 'sign-in', path: '/login', signedIn: false, js: 155 },
    { name: 'register', path: '/register', signedIn: false, js: 155 },
    { name: 'overview', path: '/', signedIn: true, js: 180 },
    { name: 'networks', path: '/networks', signedIn: true, js: 190 },
    { name: 'network details', path: `/network/${gwid}`, signedIn: true, js: 190 },
    { name: 'access points', path: `/network/aps/${gwid}`, signedIn: true, js: 190 },
    { name: 'waiting devices', path: '/waiting_devices', signedIn: true, js: 190 },
    { name: 'operation log', path: '/logs/action', signedIn: true, js: 190 },
  ];
  for (const screen of screens) figures.push(...(await measure(screen, screen.signedIn ? token : null)));
  for (const screen of [screens[0], screens[2]]) {
    if (!screen) continue;
    const scores = await lighthouse(`${server.url}${screen.path}`, screen.signedIn ? token : null);
    figures.push({
      what: `${screen.name}: Lighthouse desktop`,
      measured: `performance ${scores.performance}, accessibility ${scores.accessibility}, best practices ${scores['best-practices']}`,
      budget: `≥ ${budgets.lighthouse}, 100, 100`,
      holds:
        scores.performance >= budgets.lighthouse && scores.accessibility === 100 && scores['best-practices'] === 100,
    });
    console.log(figures.at(-1)?.what, figures.at(-1)?.measured);
  }
  record('pages', figures, [
    `First visits with an empty cache, the median of ${runs}; bytes are bodies compressed with gzip. Slow: processor × 4, 10 Mbit/s, 40 ms. TBT is the time over 50 ms of every long task until the page is at rest; INP the longest of a few interactions (typing into the first field, opening or sorting).`,
  ]);
} finally {
  await browser.stop();
  await server.stop();
  removeFolder(dataDir);
}

async function inhabit(): Promise<{ token: string; gwid: string }> {
  const owner = await register(server.url, dataDir);
  const bindingCode = owner.bindingCode;
  const fleet = await startFleet({
    consoleUrl: server.url,
    bindingCode,
    seed: 'pages',
    aps: 12,
    gateways: 2,
    switches: 2,
  });
  try {
    await fleet.online();
    const { data } = await expectDone(
      post<{ list: { gwid: string }[] }>(server.url, '/api/v3/network/list', { limit: 10 }, owner.token),
    );
    const gwid = data.list[0]?.gwid;
    if (!gwid) throw new Error('the simulated fleet has no network');
    return { token: owner.token, gwid };
  } finally {
    fleet.stop();
  }
}

async function measure({ name, path, js, signedIn }: Screen, token: string | null): Promise<Figure[]> {
  const url = `${server.url}${path}`;
  const visits: Record<'plain' | 'slow', Visit[]> = { plain: [], slow: [] };
  for (let run = 0; run < runs; run += 1) {
    visits.plain.push(await browser.visit(url, signedIn ? token : null, plain));
    visits.slow.push(await browser.visit(url, signedIn ? token : null, slow));
  }
  const assets = [...new Set(visits.plain[0]?.assets ?? [])];
  const sizes = await Promise.all(assets.map(async (asset) => ({ asset, bytes: await gzipBytes(asset) })));
  const sum = (ending: string) =>
    sizes.reduce((total, { asset, bytes }) => total + (new URL(asset).pathname.endsWith(ending) ? bytes : 0), 0);
  const [scripts, styles] = [sum('.js'), sum('.css')];
  const largest = Math.max(...sizes.map(({ bytes }) => bytes));
  const of = (how: 'plain' | 'slow', what: 'lcp' | 'useful' | 'tbt' | 'inp') =>
    median(visits[how].map((visit) => visit[what]));
  const rows: Figure[] = [
    {
      what: `${name}: JS / CSS / largest file`,
      measured: `${kib(scripts)} / ${kib(styles)} / ${kib(largest)}`,
      budget: `≤ ${js} / ${budgets.css} / ${budgets.chunk} KiB`,
      holds: scripts <= js * 1024 && styles <= budgets.css * 1024 && largest <= budgets.chunk * 1024,
    },
    {
      what: `${name}: LCP plain / slow`,
      measured: `${ms(of('plain', 'lcp'))} / ${ms(of('slow', 'lcp'))}`,
      budget: `≤ ${budgets.lcp} / ${budgets.lcpSlow} ms`,
      holds: of('plain', 'lcp') <= budgets.lcp && of('slow', 'lcp') <= budgets.lcpSlow,
    },
    {
      what: `${name}: everything filled, plain / slow`,
      measured: `${ms(of('plain', 'useful'))} / ${ms(of('slow', 'useful'))}`,
    },
    {
      what: `${name}: INP plain / slow`,
      measured: `${ms(of('plain', 'inp'))} / ${ms(of('slow', 'inp'))}`,
      budget: `≤ ${budgets.inp} ms plain`,
      holds: of('plain', 'inp') <= budgets.inp,
    },
    { what: `${name}: TBT plain / slow`, measured: `${ms(of('plain', 'tbt'))} / ${ms(of('slow', 'tbt'))}` },
  ];
  for (const row of rows) console.log(row.what, row.measured);
  return rows;
}
