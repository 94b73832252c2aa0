import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type InstallOptions, install } from './install.ts';
import { placesOf } from './places.ts';
import { signedText } from './upgrade.ts';
import { agentVersion } from './version.ts';

let root: string;
let bundle: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'yunxun-install-'));
  bundle = join(root, 'bundle.mjs');
  writeFileSync(bundle, `console.log('agent', ...process.argv.slice(2));`);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const read = (path: string) => readFileSync(join(root, path), 'utf8');

function options(more: Partial<InstallOptions> = {}): InstallOptions {
  const environment = { YUNXUN_EDGE_ROOT: root, ...(more.manager === 'procd' ? openWrt : {}) };
  const places = placesOf(environment);
  return { places, root, bundle, node: process.execPath, manager: 'systemd', say: () => {}, ...more };
}
const openWrt = { YUNXUN_EDGE_STATE: '/etc/yunxun-edge/state' };

describe('installing into an image', () => {
  it('puts a version, a launcher that starts it, and units with few rights in place; the owner’s options stay', async () => {
    await install(options());
    const env = { PATH: process.env.PATH, YUNXUN_EDGE_ROOT: root, YUNXUN_EDGE_NODE: process.execPath };
    const launch = join(root, 'usr/lib/yunxun-edge/launch');
    expect(execFileSync(launch, ['status'], { env, encoding: 'utf8' })).toBe('agent status\n');
    expect(statSync(launch).mode & 0o777).toBe(0o755);
    const unit = read('etc/systemd/system/yunxun-edge.service');
    expect(unit).toContain(`Environment=YUNXUN_EDGE_NODE=${process.execPath}\n`);
    expect(/^CapabilityBoundingSet=(.*)$/m.exec(unit)?.[1]).toBe('CAP_NET_ADMIN CAP_NET_RAW CAP_NET_BIND_SERVICE');
    expect(unit).toMatch(/^User=yunxun-edge$/m);
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
    expect(unit).toMatch(/^Type=notify\nNotifyAccess=all$/m);
    // Node.js 20 and later call pkey_alloc at start
    expect(unit).toMatch(/^SystemCallFilter=@system-service @pkey$/m);
    expect(unit).toMatch(/^SystemCallErrorNumber=EPERM$/m);
    writeFileSync(join(root, 'etc/yunxun-edge/options.json'), '{"reboot":false}');
    await install(options());
    expect(read('etc/yunxun-edge/options.json')).toBe('{"reboot":false}');
  });

  it('speaks procd where that is, and keeps its things where a restart leaves them', async () => {
    await install(options({ manager: 'procd' }));
    expect(read('etc/yunxun-edge/state/program/current')).toBe(`${agentVersion}\n`);
    for (const file of ['etc/init.d/yunxun-edge', 'usr/bin/yunxun-edge', 'usr/lib/yunxun-edge/launch']) {
      expect(spawnSync('sh', ['-n', join(root, file)]).status).toBe(0);
    }
    expect(read('etc/init.d/yunxun-edge')).toContain(`YUNXUN_EDGE_NODE=${process.execPath} YUNXUN_EDGE_STATE=`);
  });

  it('says so where nothing starts programs', async () => {
    const logged: string[] = [];
    await install(options({ manager: 'none', say: (line) => logged.push(line) }));
    expect(logged[0]).toMatch(/No service manager/);
  });

  it('keeps for root the key of the statement beside the bundle, and refuses one about another bundle', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const state = (text: string) => {
      const sha256 = createHash('sha256').update(text).digest('hex');
      const signature = sign(null, Buffer.from(signedText({ version: '1.0.0', sha256 })), privateKey).toString(
        'base64',
      );
      writeFileSync(`${bundle}.sig`, JSON.stringify({ version: '1.0.0', sha256, signature, key }));
    };
    state('another');
    await expect(install(options())).rejects.toThrow(/no signed statement/);
    state(readFileSync(bundle, 'utf8'));
    await install(options());
    expect(read('usr/lib/yunxun-edge/signing-key.pem')).toBe(key);
  });

  it('refuses a path that would be more than a path in a unit', async () => {
    await expect(install(options({ node: '/opt/a b\nExecStart=/bin/sh' }))).rejects.toThrow(/cannot stand/);
  });
});
