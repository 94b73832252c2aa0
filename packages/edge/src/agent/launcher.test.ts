import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** What the service manager does once: starts the launcher and waits for its end. */
function launch(...args: string[]): { code: number | null; out: string } {
  const env = { PATH: process.env.PATH, YUNXUN_EDGE_ROOT: root, YUNXUN_EDGE_NODE: process.execPath };
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

  it('returns to the version before when the new one ends three times', () => {
    versions.keep('0.2.0', "console.log('broken'); process.exit(3);");
    versions.try('0.2.0');
    expect([launch(), launch(), launch()].map(({ code }) => code)).toEqual([3, 3, 3]);
    expect(launch().out).toBe('old run');
    expect([versions.current, versions.onTrial]).toEqual(['0.1.0', false]);
    expect(versions.takeReturned()).toBe('0.2.0');
    expect(versions.takeReturned()).toBeNull();
  });

  it('ends a new version that hangs and returns to the one before', () => {
    versions.keep('0.2.0', "console.log('hangs'); setInterval(() => {}, 1000); process.on('SIGTERM', () => {});");
    versions.try('0.2.0', 1);
    expect(launch()).toEqual({ code: 137, out: 'hangs' });
    expect(launch().out).toBe('old run');
    expect(versions.takeReturned()).toBe('0.2.0');
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
});
