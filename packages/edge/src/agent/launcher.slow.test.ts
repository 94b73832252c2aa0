import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launcherScript } from './launcher.ts';
import { placesOf } from './places.ts';
import { Versions } from './versions.ts';

let root: string;
let versions: Versions;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yunxun-launch-'));
  versions = new Versions(placesOf({ YUNXUN_EDGE_ROOT: root }).program);
  writeFileSync(join(root, 'launch'), launcherScript, { mode: 0o755 });
  versions.keep('0.1.0', "console.log('old', ...process.argv.slice(2));");
  versions.install('0.1.0');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function launch(...args: string[]): { code: number | null; out: string } {
  return launchWith({}, ...args);
}

function launchWith(more: Record<string, string>, ...args: string[]): { code: number | null; out: string } {
  const PATH = `${join(root, 'bin')}:${process.env.PATH}`;
  const env = { PATH, YUNXUN_EDGE_ROOT: root, YUNXUN_EDGE_NODE: process.execPath, SECRET: 'x', ...more };
  const { status, stdout } = spawnSync('sh', [join(root, 'launch'), ...args], { env, encoding: 'utf8' });
  return { code: status, out: stdout.trim() };
}

describe('launcher', () => {
  it('is a script that its shell finds good', () => {
    expect(spawnSync('sh', ['-n', join(root, 'launch')]).status).toBe(0);
  });

  it('runs the current version with what it was asked', () => {
    expect(launch()).toEqual({ code: 0, out: 'old run' });
    expect(launch('version').out).toBe('old version');
  });

  it('says that an older version is ready, which does not say so itself, and leaves it to a newer one', () => {
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin/systemd-notify'), '#!/bin/sh\necho "told $NOTIFY_SOCKET $*"\n', { mode: 0o755 });
    const systemd = { NOTIFY_SOCKET: '/run/systemd/notify' };
    expect(launchWith(systemd, 'run').out).toBe('told /run/systemd/notify --ready\nold run');
    expect([launchWith(systemd, 'version').out, launch('run').out]).toEqual(['old version', 'old run']);
    versions.keep('0.2.0', "console.log('new', typeof process.env.NOTIFY_SOCKET);");
    versions.install('0.2.0');
    expect(launchWith(systemd, 'run').out).toBe('new string');
  });

  it('returns to the version before when the new one ends three times', () => {
    versions.keep('0.2.0', "console.log('broken'); process.exit(3);");
    versions.try('0.2.0');
    expect([launch(), launch(), launch()].map(({ code }) => code)).toEqual([3, 3, 3]);
    expect(launch().out).toBe('old run');
    expect([versions.current, versions.onTrial]).toEqual(['0.1.0', false]);
    expect(versions.takeReturned()).toBe('0.2.0');
    expect(versions.takeReturned()).toBeNull();
  });

  it('returns to the last version that was proven, however many were tried after it', () => {
    versions.keep('0.2.0', "console.log('broken'); process.exit(3);");
    versions.keep('0.3.0', "console.log('broken too'); process.exit(3);");
    for (const tried of ['0.2.0', '0.2.0', '0.3.0']) versions.try(tried);
    for (let start = 0; start < 3; start += 1) expect(launch().out).toBe('broken too');
    expect(launch().out).toBe('old run');
  });

  it('ends a new version that hangs and returns to the one before', () => {
    const mark = join(root, 'hangs');
    versions.keep(
      '0.2.0',
      `process.on('SIGTERM', () => {});
       setInterval(() => {}, 1000);
       console.log('hangs');
       (await import('node:fs')).writeFileSync(${JSON.stringify(mark)}, '');`,
    );
    versions.try('0.2.0', 1);
    // delays the launcher's one-second timer until the version hangs: Node.js may start slowly
    mkdirSync(join(root, 'bin'));
    const sleep = `#!/bin/sh\nuntil [ -e '${mark}' ]; do /bin/sleep 0.1; done\nexec /bin/sleep "$@"\n`;
    writeFileSync(join(root, 'bin/sleep'), sleep, { mode: 0o755 });
    expect(launch()).toEqual({ code: 137, out: 'hangs' });
    expect(launch().out).toBe('old run');
    expect(versions.takeReturned()).toBe('0.2.0');
  });

  it('ends after a version on trial that has something to put back first', async () => {
    const mark = join(root, 'put-back');
    versions.keep(
      '0.2.0',
      `const { writeFileSync } = await import('node:fs');
       process.on('SIGTERM', () => setTimeout(() => { writeFileSync(${JSON.stringify(mark)}, ''); process.exit(0); }, 700));
       setInterval(() => {}, 1000);
       console.log('ready');`,
    );
    versions.try('0.2.0', 60);
    const env = { PATH: process.env.PATH, YUNXUN_EDGE_ROOT: root, YUNXUN_EDGE_NODE: process.execPath };
    const launcher = spawn('sh', [join(root, 'launch'), 'run'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(launcher, 'exit');
    await once(launcher.stdout, 'data');
    launcher.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(existsSync(mark)).toBe(true);
  });

  it('lets a version stay that has proven itself', () => {
    const proof = join(versions.bundle('0.2.0'), '../../../trial');
    versions.keep(
      '0.2.0',
      `(await import('node:fs')).rmSync(${JSON.stringify(proof)}, { force: true }); console.log('new');`,
    );
    versions.try('0.2.0', 5);
    expect(launch()).toEqual({ code: 0, out: 'new' });
    expect([1, 2, 3, 4].map(() => launch().out)).toEqual(['new', 'new', 'new', 'new']);
  });

  it('does not count a question as a start', () => {
    versions.keep('0.2.0', "console.log('new');");
    versions.try('0.2.0');
    for (let question = 0; question < 5; question += 1) launch('status');
    expect(readFileSync(join(root, 'var/lib/yunxun-edge/program/trial'), 'utf8')).toBe('300\n');
  });

  it('says so when there is nothing to start', () => {
    rmSync(versions.bundle('0.1.0'));
    expect(launch().code).toBe(1);
  });

  describe.skipIf(process.getuid?.() !== 0)('started by root where the state is another user’s', () => {
    const nobody = 65534;
    const state = () => join(root, 'var/lib/yunxun-edge');
    const tell = `
      const { readFileSync } = await import('node:fs');
      const { argv, env, getgroups, getuid } = process;
      const rights = /CapEff:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
      const read = argv[3] === '-' ? readFileSync(0, 'utf8') : null;
      console.log(JSON.stringify([argv.slice(2), getuid(), getgroups(), rights, env.SECRET ?? null, read]));`;

    function planted(bundle: string): void {
      versions.keep('0.1.0', bundle);
      chmodSync(root, 0o755);
      const give = (path: string) => lchownSync(path, nobody, nobody);
      give(state());
      for (const name of readdirSync(state(), { recursive: true, encoding: 'utf8' })) give(join(state(), name));
    }
    const reported = (...args: string[]) => JSON.parse(launch(...args).out) as unknown;

    it.each(['status', 'version', 'enroll', 'install'])('runs what that user wrote as that user: %s', (command) => {
      planted(tell);
      expect(reported(command)).toEqual([[command], nobody, [nobody], '0000000000000000', null, null]);
    });

    it('gives a dry run the rights of the service, and the file that only root reads', () => {
      planted(tell);
      const file = join(root, 'document.json');
      writeFileSync(file, '{"uuid":1}', { mode: 0o600 });
      expect(reported('dry-run', file)).toEqual([
        ['dry-run', '-'],
        nobody,
        [nobody],
        '0000000000003400',
        null,
        '{"uuid":1}',
      ]);
    });

    it('gives the service itself its three capabilities, and passes its exit code on', () => {
      planted(`${tell} process.exit(7);`);
      expect(launch('run').code).toBe(7);
      expect(reported('run')).toEqual([['run'], nobody, [nobody], '0000000000003400', null, null]);
    });
  });
});
