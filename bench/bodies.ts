import { join } from 'node:path';
import { type AnyEndpoint, api, usualBodyBytes } from '@yunxun/contract';
import { worstValues } from '../packages/server/test/worst-bodies.ts';
import { postText, register } from './lib/client.ts';
import { startDatabase } from './lib/database.ts';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { startServer } from './lib/server.ts';
import { ms } from './lib/stats.ts';
import { atMost, type Figure, record } from './results.ts';

/**
 * `npx tsx bench/bodies.ts`: longest hold of the event loop by the largest body that each endpoint accepts, as an owner
 * who administers the installation.
 */

const budget = 50;
/** Other work only lengthens a hold: the shortest counts. */
const tries = process.env.BENCH_DRY ? 1 : 3;
const shown = 8;
const margin = 128;

const endpoints = Object.values(api)
  .flatMap((group) => Object.values(group).filter((member): member is AnyEndpoint => 'path' in member))
  .filter(({ method }) => method === 'POST');
const values = new Map<number, Record<string, string>>();

interface Field {
  contentEncoding?: string;
  hint?: string;
  maxLength?: number;
}

/** Gives every field a share of the body; then the first field all of it. */
function bodiesOf({ body, bodyBytes = usualBodyBytes }: AnyEndpoint): Record<string, string> {
  const fields = Object.keys((body as { properties?: object }).properties ?? {});
  const shapes = (bytes: number) => {
    const known = values.get(bytes) ?? worstValues(bytes);
    values.set(bytes, known);
    return Object.entries(known);
  };
  const bytes = bodyBytes - margin;
  const first = JSON.stringify(fields[0] ?? 'none');
  const files = Object.entries((body as { properties?: Record<string, Field> }).properties ?? {}).filter(
    ([, { contentEncoding, hint }]) => contentEncoding === 'base64' || hint === 'base64',
  );
  const bodies = Object.fromEntries(shapes(bytes).map(([shape, value]) => [shape, `{${first}:${value}}`]));
  for (const [field, { maxLength = 0 }] of files) {
    bodies['a file that is none'] = `{${JSON.stringify(field)}:"${'A'.repeat(maxLength - (maxLength % 4))}"}`;
  }
  const share = Math.floor(bytes / Math.max(1, fields.length)) - 64;
  if (fields.length < 2 || share <= 64) return bodies;
  for (const [shape, value] of shapes(share)) {
    bodies[`${shape} in every field`] = `{${fields.map((field) => `${JSON.stringify(field)}:${value}`).join()}}`;
  }
  return bodies;
}

interface Hold {
  path: string;
  shape: string;
  kib: number;
  time: number;
}

const folder = makeFolder();
const database = await startDatabase(folder, { throwaway: true });
try {
  const dataDir = makeFolder(folder);
  const [httpPort = 0, devicePort = 0, holdsPort = 0] = await freePorts(3);
  const server = await startServer({
    dataDir,
    databaseUrl: database.url,
    httpPort,
    devicePort,
    preload: join(import.meta.dirname, 'bodies/holds.mjs'),
    environment: { BENCH_HOLDS_PORT: String(holdsPort) },
  });
  const longestHold = async () => Number(await (await fetch(`http://127.0.0.1:${holdsPort}`)).text());
  try {
    const owner = await register(server.url, dataDir);
    await database.owner.query('update person set administers = true');
    const measure = async (path: string, text: string): Promise<number> => {
      let time = Number.POSITIVE_INFINITY;
      for (let at = 0; at < tries; at += 1) {
        await longestHold();
        const { status } = await postText(server.url, path, text, owner.token);
        if (status !== 200 && status !== 422) throw new Error(`${path} answers ${status}`);
        time = Math.min(time, await longestHold());
      }
      return time;
    };
    const empty = await measure('/api/v3/network/list', '{}');
    const holds: Hold[] = [];
    let calls = 0;
    for (const endpoint of endpoints) {
      let longest: Hold | null = null;
      for (const [shape, text] of Object.entries(bodiesOf(endpoint))) {
        const time = await measure(endpoint.path, text);
        calls += 1;
        if (longest === null || time > longest.time)
          longest = { path: endpoint.path, shape, kib: Math.round(text.length / 1024), time };
      }
      if (longest) holds.push(longest);
    }
    const sorted = holds.toSorted((a, b) => b.time - a.time);
    const usual = sorted.filter(({ kib }) => kib * 1024 <= usualBodyBytes);
    const figures: Figure[] = [
      ...sorted
        .slice(0, shown)
        .map(({ path, shape, kib, time }) => atMost(`${path}, ${kib} KiB of ${shape}`, time, budget, ms)),
      atMost(`longest of the ${usual.length} endpoints with the usual size`, usual[0]?.time ?? 0, budget, ms),
      { what: 'endpoints over the budget', measured: String(sorted.filter(({ time }) => time > budget).length) },
      { what: 'for comparison: network/list with an empty body', measured: ms(empty) },
    ];
    record('bodies', figures, [
      `Longest delay of the event loop between a call and its answer, by \`monitorEventLoopDelay\` with 1 ms in the console's process; the shortest of ${tries} tries, over ${calls} bodies for ${endpoints.length} endpoints. The ${shown} longest are shown. Bodies beyond the declared size are not read and not measured.`,
    ]);
  } finally {
    await server.stop();
  }
} finally {
  await database.stop();
  removeFolder(folder, [join(folder, 'database')]);
}
