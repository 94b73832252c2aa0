import { type ChildProcess, execFileSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { expectDone, type Owner, post, register } from '../lib/client.ts';
import { type BenchDatabase, startDatabase } from '../lib/database.ts';
import { makeFolder, removeFolder } from '../lib/folder.ts';
import { freePorts } from '../lib/free-ports.ts';
import { startNats } from '../lib/nats.ts';
import { ask, startPart } from '../lib/parts.ts';
import { residentOf } from '../lib/process.ts';
import { type RunningServer, startServer } from '../lib/server.ts';
import { inParallel, pause } from '../lib/stats.ts';
import type { Ready, Setup } from './devices.ts';
import type { Opened } from './pages.ts';

export interface Account extends Owner {
  gwid: string;
  /** Access points, then gateways. */
  serials: string[];
}

/** Devices and pages, in processes of their own. */
export interface Side {
  devices: ChildProcess;
  pages: ChildProcess;
}

export type Memory = Record<'resident' | 'heap' | 'buffers', number>;

export interface Scene {
  server: RunningServer;
  busUrl: string;
  database: BenchDatabase;
  accounts: Account[];
  crowd: Side;
  /** Of what is timed: the crowd's processes, which are busy, would add to it. */
  probe: Side & Account & Pick<Ready, 'echoPort' | 'sitePort'>;
  call<T>(owner: Owner, path: string, body: object): Promise<T>;
  /** Opens sessions, and their pages. */
  open(side: Side, targets: readonly (readonly [owner: Owner, serial: string])[]): Promise<Opened[]>;
  /** Ends all sessions of an account. */
  end(owner: Owner): Promise<void>;
  /** Bytes of the program after `wait` milliseconds and a collection of its garbage. */
  memory(wait: number): Promise<Memory>;
  stop(): Promise<void>;
}

export const asked = { purpose: 'Bench', cols: 80, rows: 24 };
const width = 4;

export interface SceneOptions {
  accounts: number;
  aps: number;
  gateways: number;
}

/** The program has the first core for itself, the second one all else. */
export async function startScene({ accounts: count, aps, gateways }: SceneOptions): Promise<Scene> {
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    // what it starts follows
    toCore(1, process.pid);
    const folder = makeFolder();
    stops.push(() => removeFolder(folder, [join(folder, 'database')]));
    const database = await startDatabase(folder);
    stops.push(database.stop);
    const nats = await startNats();
    stops.push(nats.stop);
    const [httpPort = 0, devicePort = 0, remotePort = 0, settlePort = 0] = await freePorts(4);
    const server = await startServer({
      dataDir: makeFolder(folder),
      databaseUrl: database.url,
      busUrl: nats.url,
      httpPort,
      devicePort,
      preload: join(import.meta.dirname, 'settle.mjs'),
      environment: {
        YUNXUN_REMOTE_PORT: String(remotePort),
        YUNXUN_REMOTE_HOST: 'remote.test',
        BENCH_SETTLE_PORT: String(settlePort),
      },
    });
    stops.push(server.stop);
    toCore(0, server.pid);

    const call: Scene['call'] = async <T>(owner: Owner, path: string, body: object) =>
      (await expectDone(post<T>(server.url, `/api/v3/${path}`, body, owner.token))).data;
    const owners = await inParallel(Array.from({ length: count + 1 }), width, async () => {
      const owner = await register(server.url, server.dataDir);
      const { gwid } = await call<{ gwid: string }>(owner, 'network/create', { remark: 'Site' });
      await call(owner, 'remote/settings/save', { enabled: true, version: 1 });
      return { ...owner, gwid };
    });
    const sideOf = (priority: number): Side => {
      const side = { devices: startPart('remote/devices.ts'), pages: startPart('remote/pages.ts') };
      for (const part of Object.values(side)) {
        stops.push(() => part.kill('SIGTERM'));
        setPriority(part.pid!, priority);
      }
      return side;
    };
    const furnish = async (side: Side, some: typeof owners, each: { aps: number; gateways: number }, first: number) => {
      const places = some.map(({ bindingCode, gwid }) => ({ bindingCode, gwid, ...each }));
      const setup: Setup = { url: server.url, places, first };
      const ready = await ask<Ready>(side.devices, { setup });
      const made = some.map((owner, at) => ({ ...owner, serials: ready.serials[at]! }));
      for (const { serials, ...owner } of made) {
        await call(owner, 'device/confirm', { serials });
        await untilOnline(database, serials);
      }
      return { made, ready };
    };
    const [last, ...most] = owners;
    const crowd = sideOf(10);
    const { made: accounts } = await furnish(crowd, most, { aps, gateways }, 0);
    const beside = sideOf(0);
    const { made, ready } = await furnish(beside, [last!], { aps: 2, gateways: 1 }, 0x10000);
    const { echoPort, sitePort } = ready;

    return {
      server,
      busUrl: nats.url,
      database,
      accounts,
      crowd,
      probe: { ...beside, ...made[0]!, echoPort, sitePort },
      call,
      stop,
      async open(side, targets) {
        const opened = await inParallel(targets, width, async ([owner, serial]) => {
          const { id } = await call<{ id: string }>(owner, 'remote/open', { ...asked, serial, kind: 'shell' });
          return { id, token: owner.token };
        });
        await ask(side.pages, { open: { url: server.url, sessions: opened } });
        return opened;
      },
      async end(owner) {
        for (const enabled of [false, true]) {
          const { version } = await call<{ version: number }>(owner, 'remote/settings', {});
          await call(owner, 'remote/settings/save', { enabled, version });
        }
      },
      async memory(wait) {
        await pause(wait);
        const answer = await fetch(`http://127.0.0.1:${settlePort}`);
        const { heapUsed: heap, external: buffers } = (await answer.json()) as NodeJS.MemoryUsage;
        return { heap, buffers, resident: residentOf(server.pid) };
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function toCore(core: number, pid: number): void {
  execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
}

async function untilOnline({ owner }: BenchDatabase, serials: readonly string[]): Promise<void> {
  const wanted = 'select count(*)::int as n from device_link where connected_since is not null and serial = any($1)';
  for (;;) {
    const { rows } = await owner.query<{ n: number }>(wanted, [serials]);
    if (rows[0]?.n === serials.length) return;
    await pause(50);
  }
}
