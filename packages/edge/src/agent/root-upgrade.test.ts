import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeDurably } from '../apply/durable.ts';
import { type RootUpgradeOptions, rootBundlePath, rootKeyPath, upgradeUnits } from './root-upgrade.ts';
import { launcherPath, unitPath } from './system-files.ts';
import { signedText } from './upgrade.ts';
import { isNewer, Versions } from './versions.ts';

const pair = generateKeyPairSync('ed25519');
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const command = '/usr/bin/yunxun-edge';
const waker = '/etc/systemd/system/new.path';
let root: string;
let program: string;
let versions: Versions;
let calls: string[];
let logged: string[];
let onRestart: () => void;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const rootFiles = () => [launcherPath, unitPath, command, rootBundlePath].map(read);
const old = ['launch 0.1.0', 'unit 0.1.0', 'command 0.1.0', 'bundle 0.1.0'];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yunxun-root-upgrade-'));
  program = join(root, 'var/lib/yunxun-edge/program');
  versions = new Versions(program);
  versions.keep('0.1.0', 'bundle 0.1.0');
  versions.install('0.1.0');
  for (const [at, path] of [launcherPath, unitPath, command, rootBundlePath].entries()) {
    writeDurably(join(root, path), old[at]!, 0o644);
  }
  writeDurably(join(root, rootKeyPath), pem(pair.publicKey), 0o644);
  calls = [];
  logged = [];
  onRestart = () => {};
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function fetched(version: string, { key = pair.privateKey, signed = `bundle ${version}` } = {}): void {
  const sha256 = createHash('sha256').update(signed).digest('hex');
  const signature = sign(null, Buffer.from(signedText({ version, sha256 })), key).toString('base64');
  versions.keep(version, `bundle ${version}`, JSON.stringify({ version, sha256, signature }));
  versions.try(version);
}

const options = (): RootUpgradeOptions => ({
  root,
  program,
  running: '0.1.0',
  within: 200,
  every: 5,
  async systemctl(...args) {
    calls.push(args.join(' '));
    if (args[0] === 'restart') onRestart();
  },
  async filesOf(bundle) {
    const version = readFileSync(bundle, 'utf8').split(' ')[1];
    calls.push(`files of ${version}`);
    return [
      { path: launcherPath, text: `launch ${version}`, mode: 0o755 },
      { path: unitPath, text: `unit ${version}`, mode: 0o644 },
      { path: command, text: `command ${version}`, mode: 0o755 },
      { path: waker, text: `waker ${version}`, mode: 0o644 },
    ];
  },
  async giveWay() {
    calls.push('give way');
    versions.install('0.1.0');
    rmSync(join(program, 'trial'));
  },
  say: (line) => logged.push(line),
});
const restarted = ['daemon-reload', 'restart yunxun-edge.service'];
const back = ['stop yunxun-edge.service', 'daemon-reload', 'restart yunxun-edge.service'];

describe('upgrade of what root installed', () => {
  it('replaces launcher and unit on trial, and the rest once the version has been online', async () => {
    fetched('0.2.0');
    onRestart = () => {
      expect(rootFiles()).toEqual(['launch 0.2.0', 'unit 0.2.0', ...old.slice(2)]);
      versions.proven();
    };
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(['launch 0.2.0', 'unit 0.2.0', 'command 0.2.0', 'bundle 0.2.0']);
    expect(read(waker)).toBe('waker 0.2.0');
    expect(calls).toEqual(['files of 0.2.0', ...restarted, 'daemon-reload', 'enable --now new.path']);
    expect(existsSync(join(root, '/usr/lib/yunxun-edge/trial.json'))).toBe(false);
  });

  it('puts back what it replaced, and the version, when that is not online in time', async () => {
    fetched('0.2.0');
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(old);
    expect(calls).toEqual(['files of 0.2.0', ...restarted, ...back.slice(0, 2), 'give way', ...back.slice(2)]);
    expect(versions.current).toBe('0.1.0');
  });

  it('puts back what it replaced when the launcher has returned to the version before', async () => {
    fetched('0.2.0');
    onRestart = () => versions.install('0.1.0');
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(old);
    expect(calls).toEqual(['files of 0.2.0', ...restarted, ...back]);
  });

  it('puts back what it replaced when the unit cannot be started at all', async () => {
    fetched('0.2.0');
    let starts = 0;
    onRestart = () => {
      starts += 1;
      if (starts === 1) throw new Error('bad unit file setting');
    };
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(old);
    expect(logged[0]).toContain('bad unit file setting');
  });

  it('goes on after a power cut in the middle of a trial', async () => {
    fetched('0.2.0');
    const cut = { ...options(), systemctl: () => new Promise<never>(() => {}) };
    void upgradeUnits(cut);
    await expect.poll(() => rootFiles()[1]).toBe('unit 0.2.0');
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(old);
    expect(versions.current).toBe('0.1.0');
  });

  it.each([
    ['signed with another key', '0.2.0', { key: generateKeyPairSync('ed25519').privateKey }],
    ['other than the signed one', '0.2.0', { signed: 'another bundle' }],
    ['older than root’s', '0.0.9', {}],
    ['as old as root’s', '0.1.0', {}],
  ])('takes nothing of a bundle that is %s, and restarts the service', async (_, version, how) => {
    fetched(version, how);
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(old);
    expect(calls).toEqual(['restart yunxun-edge.service']);
    expect(logged[0]).toContain('units stay as they are');
  });

  it('follows no link of the service user', async () => {
    fetched('0.2.0');
    const real = join(root, 'elsewhere');
    writeFileSync(real, 'bundle 0.2.0');
    rmSync(versions.bundle('0.2.0'));
    symlinkSync(real, versions.bundle('0.2.0'));
    await upgradeUnits(options());
    expect(rootFiles()).toEqual(old);
  });

  it('takes nothing where no key was kept at installation', async () => {
    rmSync(join(root, rootKeyPath));
    fetched('0.2.0');
    await upgradeUnits(options());
    expect(logged[0]).toContain('no signing key');
    expect(rootFiles()).toEqual(old);
  });
});

it.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['1.0.0', '1.0.0', false],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0-rc.1', '1.0.0', false],
  ['0.9.9', '1.0.0', false],
])('%s is newer than %s: %s', (one, other, expected) => {
  expect(isNewer(one, other)).toBe(expected);
});
