import { execFileSync } from 'node:child_process';
import { existsSync, lchownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../apply/durable.ts';
import { findTool, runTool, toolEnvironment } from '../apply/executor.ts';
import { missingTools, neededTools } from './facts.ts';
import { launcherScript } from './launcher.ts';
import type { Places } from './places.ts';
import { serviceFiles } from './service-files.ts';
import { agentVersion } from './version.ts';
import { Versions } from './versions.ts';

/** What starts programs on a box. */
export type ServiceManager = 'systemd' | 'procd' | 'none';

/** What installing needs to know. */
export interface InstallOptions {
  places: Places;
  /** Put before every path outside the places: another root is an image that is prepared, where nothing is run. */
  root: string;
  /** The bundle that runs now. */
  bundle: string;
  node: string;
  manager: ServiceManager;
  say(line: string): void;
}

const account = 'yunxun-edge';
/** Where the agent keeps its state under procd: `/var` does not survive a restart there. */
export const procdState = '/etc/yunxun-edge/state';

/** Which service manager this machine has. */
export function serviceManager(): ServiceManager {
  if (existsSync('/run/systemd/system')) return 'systemd';
  return existsSync('/etc/rc.common') && existsSync('/sbin/procd') ? 'procd' : 'none';
}

/** Where root keeps the bundle that it installs from: nobody else writes there. */
const ownCopy = '/usr/lib/yunxun-edge/yunxun-edge.mjs';

/**
 * Puts the agent in place: its version, the launcher, the command, the service with a user of its own. Everything can be
 * done again. What lies in folders that the service's user may write is written as that user: root follows none of its
 * links. Throws what the file system throws.
 */
export async function install({ places, root, bundle, node, manager, say }: InstallOptions): Promise<void> {
  if (!/^[\w/.+-]+$/.test(node)) throw new Error(`the path of node (${node}) cannot stand in a service's file`);
  const here = root === '/';
  for (const folder of [places.etc, places.state]) mkdirSync(folder, { recursive: true, mode: 0o750 });
  const put = (path: string, text: string, mode: number) => writeDurably(join(root, path), text, mode);
  const state = manager === 'procd' ? `export YUNXUN_EDGE_STATE=${procdState}\n` : '';
  put('/usr/lib/yunxun-edge/launch', launcherScript, 0o755);
  put(
    '/usr/bin/yunxun-edge',
    `#!/bin/sh\n${state}export YUNXUN_EDGE_NODE=${node}\nexec /usr/lib/yunxun-edge/launch "\${@:---help}"\n`,
    0o755,
  );
  if (manager === 'systemd') await installUnits(put, node);
  else if (manager === 'procd') {
    const init = serviceFiles['yunxun-edge.init'];
    put(
      '/etc/init.d/yunxun-edge',
      init.replace('YUNXUN_EDGE_STATE=', `YUNXUN_EDGE_NODE=${node} YUNXUN_EDGE_STATE=`),
      0o755,
    );
    if (here) await must(['/etc/init.d/yunxun-edge', 'enable']);
  } else {
    say('No service manager that we know: let your own start "/usr/lib/yunxun-edge/launch run".');
    say('Does it run already? Then restart it: it goes on with the certificate that it started with.');
  }
  const user = here && manager === 'systemd' ? await serviceUser([places.etc, places.state]) : null;
  if (user === null) adoptVersion(places, bundle);
  else {
    put(ownCopy, readFileSync(bundle, 'utf8'), 0o644);
    execFileSync(node, [ownCopy, 'adopt'], { ...user, env: { ...toolEnvironment, ...stateOf(process.env) }, cwd: '/' });
    await must(['systemctl', 'daemon-reload']);
    await must(['systemctl', 'enable', 'yunxun-edge.service', 'yunxun-edge-reboot.path']);
    await must(['systemctl', 'start', 'yunxun-edge-reboot.path']);
  }
  const missing = missingTools();
  if (missing.length > 0) say(`This box lacks ${missing.join(', ')}; what needs them is not available.`);
  if (neededTools.some((tool) => missing.includes(tool))) say('Without ip and nft nothing can be configured.');
}

function stateOf({ YUNXUN_EDGE_STATE }: NodeJS.ProcessEnv): Record<string, string> {
  return YUNXUN_EDGE_STATE === undefined ? {} : { YUNXUN_EDGE_STATE };
}

/** Puts this bundle among the versions, the first one at once and a later one on trial, and the owner's options. */
export function adoptVersion(places: Places, bundle: string): void {
  const versions = new Versions(places.program);
  versions.keep(agentVersion, readFileSync(bundle, 'utf8'));
  if (versions.current === null) versions.install(agentVersion);
  else if (versions.current !== agentVersion) versions.try(agentVersion);
  const options = join(places.etc, 'options.json');
  // the owner's word stands; who installs a gateway of a console lets it be restarted from there
  if (!existsSync(options)) writeDurably(options, '{ "reboot": true, "scripts": false }\n', 0o644);
}

async function installUnits(put: (path: string, text: string, mode: number) => void, node: string): Promise<void> {
  for (const [name, text] of Object.entries(serviceFiles)) {
    if (name.endsWith('.init')) continue;
    const unit = text.replace('[Service]\n', `[Service]\nEnvironment=YUNXUN_EDGE_NODE=${node}\n`);
    put(`/etc/systemd/system/${name}`, unit, 0o644);
  }
}

/** Makes the service's user where there is none, and gives it the folders; what they hold is its own already. */
async function serviceUser(folders: readonly string[]): Promise<{ uid: number; gid: number }> {
  if (findTool('setpriv') === null) throw new Error('this box lacks setpriv (package util-linux)');
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

/** Starts the agent, or starts it anew with what was enrolled. Gives whether somebody does. */
export async function startService(manager: ServiceManager): Promise<boolean> {
  if (manager === 'systemd') return (await runTool(['systemctl', 'restart', 'yunxun-edge.service'])).code === 0;
  if (manager === 'procd') return (await runTool(['/etc/init.d/yunxun-edge', 'restart'])).code === 0;
  return false;
}
