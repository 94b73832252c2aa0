import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../src/platform/log.ts';
import { startPostgres } from '../src/platform/postgres/index.ts';
import { accessPoint, endDevices, enrol, listedAs } from './conformance/device-client.ts';
import { asOwner, openTestDatabase } from './database.ts';
import { type Registered, startTestServer, type TestServer } from './server.ts';

afterEach(endDevices);

const mebibyte = 1024 * 1024;
const stranger = { headers: { 'x-forwarded-for': '203.0.113.9' } };

const report = (minute: number) => ({
  unit: { localtime: 1_790_000_000 + minute * 60, uptime: 1000 + minute * 60, load: [0.5, 0.4, 0.3] },
  interfaces: [{ name: 'up0v0', counters: { rx_bytes: minute * 1000, tx_bytes: 0 } }],
});

const samplesOf = async (server: TestServer, serial: string) =>
  (
    await sql<{ wan_down: number }>`select wan_down from device_sample where serial = ${serial} order by at`.execute(
      server.db.database.system,
    )
  ).rows.map(({ wan_down }) => Number(wan_down));

const ready = async (server: TestServer, init: RequestInit = {}) => {
  const answer = await fetch(`${server.url}/readyz`, init);
  const { parts } = (await answer.json()) as { parts?: Record<string, string> };
  return { status: answer.status, parts };
};

async function online(server: TestServer, owner: Registered) {
  const { serial, ...identity } = await enrol(server, owner);
  const device = accessPoint({ serial, ...identity });
  await device.connect();
  await listedAs(server, owner, serial, { status: 'online' });
  device.state(report(1));
  await expect.poll(() => samplesOf(server, serial)).not.toEqual([]);
  return { device, serial, before: (await samplesOf(server, serial)).length };
}

const refusedReports = async (server: TestServer) =>
  Number(/^yunxun_telemetry_refused_full_total (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1]);

const mountable = process.getuid?.() === 0;

describe.skipIf(!mountable && !process.env.CI)('a disk that fills up', () => {
  async function installation(size: number, reserve: number) {
    const dir = mkdtempSync(join(tmpdir(), 'yunxun-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'yunxun-test', dir]);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', dir]);
      rmSync(dir, { recursive: true });
    });
    // root's database runs as another user
    chmodSync(dir, 0o711);
    const dataDir = join(dir, 'data');
    const postgres = await startPostgres({
      dataDir,
      systemDir: join(dir, 'system'),
      throwaway: true,
      log: silentLog(),
    });
    onTestFinished(() => postgres.stop());
    const server = await startTestServer({
      db: await openTestDatabase(postgres.owner),
      config: { dataDir, diskReserveBytes: reserve * mebibyte },
      databaseDir: postgres.clusterDir,
    });
    onTestFinished(() => server.stop());
    const filler = join(dir, 'filler');
    const free = () => {
      const { bavail, bsize } = statfsSync(dir);
      return Math.floor((bavail * bsize) / mebibyte);
    };
    return {
      server,
      postgres,
      free,
      fillUpTo: (left: number) => execFileSync('fallocate', ['-l', `${free() - left}M`, filler]),
      clear: () => rmSync(filler),
    };
  }

  it('takes no reports before PostgreSQL has no room, says so, and goes on by itself', async () => {
    const { server, postgres, free, fillUpTo, clear } = await installation(512, 96);
    const { pid } = postgres;
    const owner = await server.register();
    const { device, serial, before } = await online(server, owner);
    const stream = await fetch(`${server.url}/api/v3/live`, { headers: { authorization: `Bearer ${owner.token}` } });
    const facts = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    const nextStorageFact = async () => {
      for (let text = ''; !text.includes('"type":"storage"'); ) text += (await facts.read()).value ?? '';
    };
    expect(await ready(server)).toMatchObject({ status: 200, parts: { disk: 'ready' } });

    fillUpTo(64);
    await nextStorageFact();
    const full = await ready(server);
    expect(full).toMatchObject({ status: 503, parts: { disk: expect.stringContaining('YUNXUN_DISK_RESERVE') } });
    expect(await ready(server, stranger)).toEqual({ status: 503, parts: undefined });
    const user = () => server.get<{ storage_full?: true }>('/api/v3/user', owner);
    expect((await user()).data.storage_full).toBe(true);
    for (let minute = 2; minute <= 200; minute += 1) device.state(report(minute));
    await expect.poll(() => refusedReports(server)).toBeGreaterThanOrEqual(199);
    expect(await samplesOf(server, serial)).toHaveLength(before);
    expect((await server.call('/api/v3/network/create', { remark: 'Lobby' }, owner)).code).toBe(2000);
    expect((await server.call('/api/v3/firmware/image/part', {}, owner)).code).toBe(4119);
    expect(free()).toBeGreaterThan(32);
    expect(postgres.pid).toBe(pid);

    clear();
    await nextStorageFact();
    expect((await user()).data.storage_full).toBeUndefined();
    expect((await ready(server)).status).toBe(200);
    device.state(report(201));
    await expect.poll(async () => (await samplesOf(server, serial)).at(-1)).toBe(200_000);
    await facts.cancel();
  });
});

describe('a database whose own disk is full', () => {
  it('is left alone by reports until a write finds room again', async () => {
    const server = await startTestServer();
    onTestFinished(() => server.stop());
    const owner = await server.register();
    const { device, serial, before } = await online(server, owner);
    await asOwner(server.db.owner, async (client) => {
      await client.query(`create function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`);
      await client.query(
        'create trigger no_room before insert on device_sample for each row execute function no_room()',
      );
    });
    device.state(report(2));
    await expect
      .poll(() => ready(server))
      .toMatchObject({ status: 503, parts: { disk: expect.stringContaining('database') } });
    device.state(report(3));
    await expect.poll(() => refusedReports(server)).toBe(1);
    await asOwner(server.db.owner, (client) => client.query('drop trigger no_room on device_sample'));
    await expect.poll(async () => (await ready(server)).status).toBe(200);
    await expect.poll(() => samplesOf(server, serial)).toHaveLength(before + 1);
  });
});
