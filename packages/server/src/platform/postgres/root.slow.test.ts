import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { locationName } from './place.ts';
import { inspectProcess } from './processes.ts';
import { give, isRoot, links, makeCheckout, makeSandbox, ordinary, query, startProgram } from './testing/sandbox.ts';

const title = isRoot ? 'started by root' : 'started by root (skipped: this run is not root’s)';

describe.skipIf(!isRoot)(title, () => {
  let open: string;
  let closed: string;
  let systemDir: string;
  let program: string;
  let hidden: Awaited<ReturnType<typeof makeCheckout>>;
  let folders = 0;
  const newFolder = (under = open) => join(under, `data${++folders}`);

  beforeAll(async () => {
    const sandboxes = [makeSandbox(), makeSandbox('/root')];
    [open, closed] = sandboxes.map(({ dir }) => dir) as [string, string];
    systemDir = join(open, 'system');
    chmodSync(closed, 0o700);
    ({ program } = await makeCheckout(join(open, 'checkout')));
    hidden = await makeCheckout(join(closed, 'checkout'));
    for (const link of links(hidden.packageDir)) rmSync(link);
    return () => {
      for (const { remove } of sandboxes) remove();
    };
  });

  async function madeElsewhere(): Promise<{ dataDir: string; place: string }> {
    const dataDir = newFolder(closed);
    const running = await startProgram(program, { dataDir, systemDir });
    await query(running.ready.owner, `create table kept as select 'acknowledged' as word`);
    await running.end('SIGTERM');
    return { dataDir, place: dirname(running.ready.clusterDir) };
  }

  test('the server runs as another user, from the data folder where that user can go', async () => {
    const dataDir = newFolder();
    const { ready } = await startProgram(program, { dataDir, systemDir });
    expect(ready.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'));
    const status = readFileSync(`/proc/${ready.pid}/status`, 'utf8');
    const owner = statSync(ready.clusterDir);
    expect(owner.uid).not.toBe(0);
    expect(status).toMatch(new RegExp(`^Uid:\\t${owner.uid}\\t${owner.uid}\\t${owner.uid}\\t`, 'm'));
    expect(status).toMatch(new RegExp(`^Gid:\\t${owner.gid}\\t`, 'm'));
    expect(status).toMatch(/^Groups:\s*$/m);
    expect(statSync(join(dataDir, 'postgres', 'owner.password'))).toMatchObject({ uid: 0 });
  });

  test('a checkout and data below /root: copies of the programs, a cluster elsewhere, and a file that says where', async () => {
    const dataDir = newFolder(closed);
    const first = await startProgram(hidden.program, { dataDir, systemDir });
    expect(dirname(dirname(first.ready.clusterDir))).toBe(systemDir);
    const [place, , ...text] = readFileSync(join(dataDir, locationName), 'utf8').split('\n');
    expect(place).toBe(dirname(first.ready.clusterDir));
    expect(text.join('\n')).toMatch(/back up and move both.*备份/s);
    expect(readFileSync(join(place!, 'data-folder'), 'utf8')).toBe(`${dataDir}\n`);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    const [copy] = readdirSync(systemDir).filter((name) => name.startsWith('postgresql-'));
    expect(inspectProcess(first.ready.pid)!.command).toContain(join(systemDir, copy!));
    const made = statSync(join(systemDir, copy!)).mtimeMs;
    await query(first.ready.owner, `create table kept as select 'acknowledged' as word`);
    await first.end('SIGTERM');

    const second = await startProgram(hidden.program, { dataDir, systemDir });
    expect(second.ready.clusterDir).toBe(first.ready.clusterDir);
    expect(await query(second.ready.owner, 'select word from kept')).toEqual([{ word: 'acknowledged' }]);
    expect(statSync(join(systemDir, copy!)).mtimeMs).toBe(made);
  });

  test('a checkout below /root with data elsewhere', async () => {
    const dataDir = newFolder();
    const { ready } = await startProgram(hidden.program, { dataDir, systemDir });
    expect(ready.clusterDir).toBe(join(dataDir, 'postgres', 'cluster'));
  });

  test('data below /root with a checkout elsewhere', async () => {
    const { ready } = await startProgram(program, { dataDir: newFolder(closed), systemDir });
    expect(dirname(dirname(ready.clusterDir))).toBe(systemDir);
  });

  test('a umask that hides everything', async () => {
    const own = join(open, 'umask');
    const order = { systemDir: join(own, 'system'), umask: 0o077 };
    mkdirSync(own);
    execFileSync('chmod', ['-R', 'go-rwx', hidden.packageDir]);
    const inside = await startProgram(hidden.program, { ...order, dataDir: join(own, 'data') });
    expect(inside.ready.clusterDir).toBe(join(own, 'data', 'postgres', 'cluster'));
    const elsewhere = await startProgram(hidden.program, { ...order, dataDir: newFolder(closed) });
    expect(dirname(dirname(elsewhere.ready.clusterDir))).toBe(order.systemDir);
  });

  describe('a database that lives elsewhere', () => {
    test('goes with a data folder that is moved', async () => {
      const { dataDir, place } = await madeElsewhere();
      const moved = newFolder(closed);
      renameSync(dataDir, moved);
      for (let start = 0; start < 2; start++) {
        const running = await startProgram(program, { dataDir: moved, systemDir });
        expect(await query(running.ready.owner, 'select word from kept')).toEqual([{ word: 'acknowledged' }]);
        await running.end('SIGTERM');
      }
      expect(readFileSync(join(place, 'data-folder'), 'utf8')).toBe(`${moved}\n`);
    });

    test('is not shared with a copy of the data folder', async () => {
      const { dataDir } = await madeElsewhere();
      const copy = newFolder(closed);
      cpSync(dataDir, copy, { recursive: true });
      await expect(startProgram(program, { dataDir: copy, systemDir })).rejects.toThrow(
        /belongs to the data folder .* looks like a copy/,
      );
    });

    test('stays where it is when the data folder is emptied, which begins anew', async () => {
      const { dataDir, place } = await madeElsewhere();
      rmSync(dataDir, { recursive: true });
      mkdirSync(dataDir);
      chmodSync(dataDir, 0o700);
      const running = await startProgram(program, { dataDir, systemDir });
      expect(dirname(running.ready.clusterDir)).toBe(`${place}-2`);
      expect(await query(running.ready.owner, `select to_regclass('kept') as kept`)).toEqual([{ kept: null }]);
      expect(existsSync(join(place, 'cluster', 'PG_VERSION'))).toBe(true);
    });

    test('is missed with a sentence, and not replaced by an empty one', async () => {
      const { dataDir, place } = await madeElsewhere();
      rmSync(place, { recursive: true });
      await expect(startProgram(program, { dataDir, systemDir })).rejects.toThrow(/but it is not there/);
      expect(existsSync(place)).toBe(false);
    });
  });

  describe('an existing cluster', () => {
    test('keeps its owner when root starts what an ordinary user made', async () => {
      const dataDir = newFolder();
      mkdirSync(dataDir);
      give(dataDir, ordinary);
      const first = await startProgram(program, { dataDir, systemDir }, ordinary);
      await first.end('SIGTERM');
      const second = await startProgram(program, { dataDir, systemDir });
      expect(second.ready.clusterDir).toBe(first.ready.clusterDir);
      expect(statSync(`/proc/${second.ready.pid}`).uid).toBe(ordinary.uid);
      await second.end('SIGTERM');
      await startProgram(program, { dataDir, systemDir }, ordinary);
    });

    test('of root is refused for an ordinary user, with the reason', async () => {
      const dataDir = newFolder();
      const running = await startProgram(program, { dataDir, systemDir });
      await running.end('SIGTERM');
      await expect(startProgram(program, { dataDir, systemDir }, ordinary)).rejects.toThrow(
        /data folder .* cannot be used by this user.*folder's owner/,
      );
      chownSync(dataDir, ordinary.uid!, ordinary.gid!);
      await expect(startProgram(program, { dataDir, systemDir }, ordinary)).rejects.toThrow(
        /belongs to the user \w+, so Yunxun must be started by that user or by root/,
      );
    });

    test('that was restored as root’s says how to give it back', async () => {
      const dataDir = newFolder();
      const running = await startProgram(program, { dataDir, systemDir });
      await running.end('SIGTERM');
      chownSync(running.ready.clusterDir, 0, 0);
      await expect(startProgram(program, { dataDir, systemDir })).rejects.toThrow(/belongs to root.*chown -R \w+ /);
    });

    test('that its user can no longer reach says what to change', async () => {
      const dataDir = newFolder();
      const running = await startProgram(program, { dataDir, systemDir });
      await running.end('SIGTERM');
      chmodSync(dataDir, 0o700);
      await expect(startProgram(program, { dataDir, systemDir })).rejects.toThrow(/can no longer enter .*chmod o\+x/);
    });
  });

  test('a user id without a name is refused with a sentence', async () => {
    const dataDir = newFolder();
    mkdirSync(dataDir);
    const nameless = { uid: 54_321, gid: 54_321 };
    give(dataDir, nameless);
    await expect(startProgram(program, { dataDir, systemDir }, nameless)).rejects.toThrow(
      /user id 54321 has no entry in \/etc\/passwd.*YUNXUN_DATABASE_URL/,
    );
  });
});
