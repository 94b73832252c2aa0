import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../apply/durable.ts';
import { findTool, runTool } from '../apply/executor.ts';
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

/**
 * Puts the agent in place: its version, the launcher, the command, the service with a user of its own. Everything can be
 * done again. Throws what the file system throws.
 */
export async function install({ places, root, bundle, node, manager, say }: InstallOptions): Promise<void> {
  if (!/^[\w/.+-]+$/.test(node)) throw new Error(`the path of node (${node}) cannot stand in a service's file`);
  const here = root === '/';
  const versions = new Versions(places.program);
  versions.keep(agentVersion, readFileSync(bundle, 'utf8'));
  if (versions.current === null) versions.install(agentVersion);
  else if (versions.current !== agentVersion) versions.try(agentVersion);
  for (const folder of [places.etc, places.state]) mkdirSync(folder, { recursive: true, mode: 0o750 });
  const put = (path: string, text: string, mode: number) => writeDurably(join(root, path), text, mode);
  const state = manager === 'procd' ? `export YUNXUN_EDGE_STATE=${procdState}\n` : '';
  put('/usr/lib/yunxun-edge/launch', launcherScript, 0o755);
  put(
    '/usr/bin/yunxun-edge',
    `#!/bin/sh\n${state}export YUNXUN_EDGE_NODE=${node}\nexec /usr/lib/yunxun-edge/launch "\${@:---help}"\n`,
    0o755,
  );
  const options = join(places.etc, 'options.json');
  // the owner's word stands; who installs a gateway of a console lets it be restarted from there
  if (!existsSync(options)) writeDurably(options, '{ "reboot": true, "scripts": false }\n', 0o644);
  if (manager === 'systemd') await installUnits(put, node, here, [places.etc, places.state]);
  else if (manager === 'procd') {
    const init = serviceFiles['yunxun-edge.init'];
    put(
      '/etc/init.d/yunxun-edge',
      init.replace('YUNXUN_EDGE_STATE=', `YUNXUN_EDGE_NODE=${node} YUNXUN_EDGE_STATE=`),
      0o755,
    );
    if (here) await must(['/etc/init.d/yunxun-edge', 'enable']);
  } else say('No service manager that we know: let your own start "/usr/lib/yunxun-edge/launch run".');
  const missing = missingTools();
  if (missing.length > 0) say(`This box lacks ${missing.join(', ')}; what needs them is not available.`);
  if (neededTools.some((tool) => missing.includes(tool))) say('Without ip and nft nothing can be configured.');
}

async function installUnits(
  put: (path: string, text: string, mode: number) => void,
  node: string,
  here: boolean,
  folders: readonly string[],
): Promise<void> {
  for (const [name, text] of Object.entries(serviceFiles)) {
    if (name.endsWith('.init')) continue;
    const unit = text.replace('[Service]\n', `[Service]\nEnvironment=YUNXUN_EDGE_NODE=${node}\n`);
    put(`/etc/systemd/system/${name}`, unit, 0o644);
  }
  if (!here) return;
  if ((await runTool(['id', '-u', account])).code !== 0) {
    const shell = ['--shell', findTool('nologin') ?? '/bin/false'] as const;
    await must([
      'useradd',
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      ...shell,
      account,
    ]);
  }
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  for (const folder of folders) giveTo(folder, uid, gid);
  await must(['systemctl', 'daemon-reload']);
  await must(['systemctl', 'enable', 'yunxun-edge.service', 'yunxun-edge-reboot.path']);
  await must(['systemctl', 'start', 'yunxun-edge-reboot.path']);
}

async function idOf(which: '-u' | '-g'): Promise<number> {
  return Number(await must(['id', which, account]));
}

async function must(argv: readonly [program: string, ...args: string[]]): Promise<string> {
  const { code, stdout, stderr } = await runTool(argv, { timeout: 60_000 });
  if (code !== 0) throw new Error(`${argv.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

/** A folder with all that is in it; links are not followed. */
function giveTo(path: string, uid: number, gid: number): void {
  if (lstatSync(path).isSymbolicLink()) return;
  chownSync(path, uid, gid);
  if (!statSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) giveTo(join(path, name), uid, gid);
}

/** Gives what root has just written to whoever the folder belongs to. */
export function giveToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const name of readdirSync(folder)) giveTo(join(folder, name), uid, gid);
}

/** Starts the agent, or starts it anew with what was enrolled. Gives whether somebody does. */
export async function startService(manager: ServiceManager): Promise<boolean> {
  if (manager === 'systemd') return (await runTool(['systemctl', 'restart', 'yunxun-edge.service'])).code === 0;
  if (manager === 'procd') return (await runTool(['/etc/init.d/yunxun-edge', 'restart'])).code === 0;
  return false;
}
