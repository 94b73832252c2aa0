import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lchownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, asText } from '@yunxun/contract/device';
import { readJson, writeDurably } from '../apply/durable.ts';
import { findTool, runTool, toolEnvironment } from '../apply/executor.ts';
import { missingTools, neededTools } from './facts.ts';
import type { Places } from './places.ts';
import { rootBundlePath, rootKeyPath } from './root-upgrade.ts';
import { serviceFiles } from './service-files.ts';
import { commandFiles, isWaker, systemdFiles } from './system-files.ts';
import { isSigned, readStatement } from './upgrade.ts';
import { agentVersion } from './version.ts';
import { Versions } from './versions.ts';

export type ServiceManager = 'systemd' | 'procd' | 'none';

export interface InstallOptions {
  places: Places;
  /** Prefix of paths outside `places`. If not `/`, an image is prepared and no program runs. */
  root: string;
  bundle: string;
  node: string;
  manager: ServiceManager;
  say(line: string): void;
}

const account = 'yunxun-edge';
/** Under procd `/var` does not survive a reboot. */
export const procdState = '/etc/yunxun-edge/state';

export function serviceManager(): ServiceManager {
  if (existsSync('/run/systemd/system')) return 'systemd';
  return existsSync('/etc/rc.common') && existsSync('/sbin/procd') ? 'procd' : 'none';
}

/**
 * Installs version, launcher, command and service. Idempotent. Writes to the service user's folders as that user: root
 * follows none of its links.
 * @throws file system errors
 */
export async function install({ places, root, bundle, node, manager, say }: InstallOptions): Promise<void> {
  if (!/^[\w/.+-]+$/.test(node)) throw new Error(`the path of node (${node}) cannot stand in a service's file`);
  const here = root === '/';
  for (const folder of [places.etc, places.state]) mkdirSync(folder, { recursive: true, mode: 0o750 });
  const put = (path: string, text: string, mode: number) => writeDurably(join(root, path), text, mode);
  const signingKey = keyOfStatement(bundle);
  if (signingKey !== null) put(rootKeyPath, signingKey, 0o644);
  const files =
    manager === 'systemd' ? systemdFiles(node) : commandFiles(node, manager === 'procd' ? procdState : null);
  for (const { path, text, mode } of files) put(path, text, mode);
  if (manager === 'procd') {
    const init = serviceFiles['yunxun-edge.init'];
    put(
      '/etc/init.d/yunxun-edge',
      init.replace('YUNXUN_EDGE_STATE=', `YUNXUN_EDGE_NODE=${node} YUNXUN_EDGE_STATE=`),
      0o755,
    );
    if (here) await must(['/etc/init.d/yunxun-edge', 'enable']);
  } else if (manager === 'none') {
    say('No service manager that the agent supports: start "/usr/lib/yunxun-edge/launch run" with your own.');
    say('If the agent is running already, restart it: it still uses its old certificate.');
  }
  const user = here && manager === 'systemd' ? await serviceUser([places.etc, places.state]) : null;
  if (user === null) adoptVersion(places, bundle);
  else {
    put(rootBundlePath, readFileSync(bundle, 'utf8'), 0o644);
    execFileSync(node, [rootBundlePath, 'adopt'], {
      ...user,
      env: { ...toolEnvironment, ...stateOf(process.env) },
      cwd: '/',
    });
    await must(['systemctl', 'daemon-reload']);
    const wakers = Object.keys(serviceFiles).filter(isWaker);
    await must(['systemctl', 'enable', 'yunxun-edge.service', ...wakers]);
    await must(['systemctl', 'restart', ...wakers]);
  }
  const missing = missingTools();
  if (missing.length > 0) say(`This gateway lacks ${missing.join(', ')}; features that need them are not available.`);
  if (neededTools.some((tool) => missing.includes(tool))) say('Without ip and nft nothing can be configured.');
}

function stateOf({ YUNXUN_EDGE_STATE }: NodeJS.ProcessEnv): Record<string, string> {
  return YUNXUN_EDGE_STATE === undefined ? {} : { YUNXUN_EDGE_STATE };
}

export function adoptVersion(places: Places, bundle: string): void {
  const versions = new Versions(places.program);
  versions.keep(agentVersion, readFileSync(bundle, 'utf8'));
  if (versions.current === null) versions.install(agentVersion);
  else if (versions.current !== agentVersion) versions.try(agentVersion);
  const options = join(places.etc, 'options.json');
  // a new installation allows reboots; an existing file is kept
  if (!existsSync(options)) writeDurably(options, '{ "reboot": true, "scripts": false }\n', 0o644);
}

/**
 * Returns the key of the statement beside the bundle, for later upgrades by root; null without one.
 * @throws if the statement belongs to another bundle
 */
function keyOfStatement(bundle: string): string | null {
  const file = `${bundle}.sig`;
  if (!existsSync(file)) return null;
  const text = readFileSync(file);
  const key = asText(asRecord<{ key: string }>(readJson(file)).key, 4096);
  const statement = readStatement(text);
  if (key === null) return null;
  const digest = createHash('sha256').update(readFileSync(bundle)).digest('hex');
  if (statement === null || statement.sha256 !== digest || !isSigned(statement, key)) {
    throw new Error(`${file} is no signed statement about this bundle`);
  }
  return key;
}

/** Creates the user and makes it owner of the folders, not of their contents. */
async function serviceUser(folders: readonly string[]): Promise<{ uid: number; gid: number }> {
  if (findTool('setpriv') === null) throw new Error('this gateway lacks setpriv (package util-linux)');
  if ((await runTool(['id', '-u', account])).code !== 0) {
    const shell = ['--shell', findTool('nologin') ?? '/bin/false'] as const;
    const home = ['--no-create-home', '--home-dir', '/nonexistent'] as const;
    await must(['useradd', '--system', '--user-group', ...home, ...shell, account]);
  }
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  for (const folder of folders) lchownSync(folder, uid, gid);
  return { uid, gid };
}

async function idOf(which: '-u' | '-g'): Promise<number> {
  return Number(await must(['id', which, account]));
}

async function must(argv: readonly [program: string, ...args: string[]]): Promise<string> {
  const { code, stdout, stderr } = await runTool(argv, { timeout: 60_000 });
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

export async function startService(manager: ServiceManager): Promise<boolean> {
  if (manager === 'systemd')
    return (await runTool(['systemctl', 'restart', 'yunxun-edge.service'], { timeout: 150_000 })).code === 0;
  if (manager === 'procd') return (await runTool(['/etc/init.d/yunxun-edge', 'restart'])).code === 0;
  return false;
}
