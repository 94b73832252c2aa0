import { port53Script } from '../port53/index.ts';
import { shellScript } from '../remote/root-shell.ts';
import { launcherScript } from './launcher.ts';
import { networkScript } from './network-files.ts';
import { resolverScript } from './resolver-files.ts';
import { serviceFiles } from './service-files.ts';

export interface SystemFile {
  path: string;
  text: string;
  mode: number;
}

/** Writable by root only. */
export const rootFolder = '/usr/lib/yunxun-edge';
export const launcherPath = `${rootFolder}/launch`;
export const unitPath = '/etc/systemd/system/yunxun-edge.service';

export function commandFiles(node: string, state: string | null = null): SystemFile[] {
  const moved = state === null ? '' : `export YUNXUN_EDGE_STATE=${state}\n`;
  const command = `#!/bin/sh\n${moved}export YUNXUN_EDGE_NODE=${node}\nexec ${launcherPath} "\${@:---help}"\n`;
  return [
    { path: launcherPath, text: launcherScript, mode: 0o755 },
    { path: `${rootFolder}/resolver`, text: resolverScript, mode: 0o755 },
    { path: `${rootFolder}/port53`, text: port53Script, mode: 0o755 },
    { path: `${rootFolder}/shell`, text: shellScript, mode: 0o755 },
    { path: `${rootFolder}/network`, text: networkScript, mode: 0o755 },
    { path: '/usr/bin/yunxun-edge', text: command, mode: 0o755 },
  ];
}

/** Whether systemd starts it at boot. */
export function isWaker(file: string): boolean {
  return file.endsWith('.path') || file.endsWith('.socket');
}

export function systemdFiles(node: string): SystemFile[] {
  const units = Object.entries(serviceFiles).filter(([name]) => !name.endsWith('.init'));
  return [
    ...commandFiles(node),
    ...units.map(([name, text]) => ({
      path: `/etc/systemd/system/${name}`,
      text: text.replace('[Service]\n', `[Service]\nEnvironment=YUNXUN_EDGE_NODE=${node}\n`),
      mode: 0o644,
    })),
  ];
}
