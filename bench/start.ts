import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeFolder, removeFolder } from './lib/folder.ts';
import { freePorts } from './lib/free-ports.ts';
import { inherited, isReady, root } from './lib/server.ts';
import { median, pause, seconds } from './lib/stats.ts';
import { atMost, type Figure, record } from './results.ts';

/**
 * `npx tsx bench/start.ts`: `npm start` to ready, on a fresh clone and again, as root and as a user (without root, only
 * the current one). A warm npm cache excludes the network.
 */

const budgets = { fresh: 180_000, second: 5000 };
const secondStarts = 3;

interface Case {
  name: string;
  parent: string | undefined;
  user?: { uid: number; gid: number };
}

const isRoot = process.getuid?.() === 0;
const cases: Case[] = isRoot
  ? [
      { name: 'root', parent: undefined },
      { name: 'ordinary user', parent: undefined, user: { uid: 65_534, gid: 65_534 } },
      { name: "below root's home", parent: homedir() },
    ]
  : [{ name: 'ordinary user', parent: undefined }];

const figures: Figure[] = [];
for (const entry of cases) {
  figures.push(...(await measure(entry)));
  record('start', figures, [
    `From \`npm start\` to the first 200 of /readyz. Fresh: a new clone, packages installed from npm's cache, console and programs built, the database made. Second: the median of ${secondStarts}.`,
  ]);
}

async function measure({ name, parent, user }: Case): Promise<Figure[]> {
  const folder = makeFolder(parent);
  const checkout = join(folder, 'yunxun');
  const cache = join(folder, 'npm-cache');
  try {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, checkout]);
    cpSync(npmCache(), cache, { recursive: true });
    mkdirSync(join(folder, 'home'));
    if (user) {
      execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, checkout, cache, join(folder, 'home')]);
      chownSync(folder, user.uid, user.gid);
    }
    const env = {
      ...inherited(),
      HOME: join(folder, 'home'),
      npm_config_cache: cache,
      npm_config_prefer_offline: 'true',
    };
    const fresh = await timeStart(checkout, env, user);
    const again: number[] = [];
    for (let at = 0; at < secondStarts; at += 1) again.push(await timeStart(checkout, env, user));
    return [
      atMost(`${name}: fresh clone`, fresh, budgets.fresh, seconds),
      atMost(`${name}: second start`, median(again), budgets.second, seconds),
    ];
  } finally {
    removeFolder(folder, [join(checkout, 'data')]);
  }
}

function npmCache(): string {
  const folder = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', cwd: root }).trim();
  if (!existsSync(join(folder, '_cacache'))) throw new Error(`npm's cache ${folder} is empty: run npm ci once`);
  return folder;
}

async function timeStart(cwd: string, env: NodeJS.ProcessEnv, user?: { uid: number; gid: number }): Promise<number> {
  const [httpPort = 0, devicePort = 0] = await freePorts(2);
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd,
    env: {
      ...env,
      YUNXUN_HOST: '127.0.0.1',
      YUNXUN_HTTP_PORT: String(httpPort),
      YUNXUN_DEVICE_PORT: String(devicePort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // its own group: the signal reaches npm and program, as Ctrl-C does
    detached: true,
    ...user,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await isReady(`http://127.0.0.1:${httpPort}`))) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`);
    if (performance.now() - began > 600_000) throw new Error(`not ready after ten minutes:\n${output}`);
    await pause(20);
  }
  const took = performance.now() - began;
  process.kill(-(child.pid as number), 'SIGTERM');
  await ended;
  return took;
}
