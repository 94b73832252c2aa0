import { existsSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import type { Identity } from '../enrol.ts';
import type { Layout } from '../measure/layout.ts';
import { createRemote, type Remote } from '../remote/index.ts';
import { openRootTerminal } from '../remote/root-shell.ts';
import { checkTarget, connectTarget, ownSubnets } from '../remote/target.ts';
import { noTerminalBecause, openTerminal } from '../remote/terminal.ts';
import { readOptions } from './options-file.ts';
import type { Places } from './places.ts';

export interface RemoteAccessOptions {
  places: Places;
  identity(): Identity;
  lookup?: LookupFunction | undefined;
  layout(): Layout;
  log(line: string): void;
}

export async function createRemoteAccess(options: RemoteAccessOptions): Promise<Remote> {
  const { places, identity, lookup, layout, log } = options;
  const isRoot = process.getuid?.() === 0;
  const socket = join(places.run, '../yunxun-edge-root/shell');
  const missing = await noTerminalBecause();
  return createRemote({
    clock: systemClock,
    identity,
    lookup,
    log,
    allowed: () => readOptions(places).remote,
    noShell() {
      if (missing !== null || isRoot) return missing;
      return existsSync(socket) ? null : 'yunxun-edge-shell.socket does not run';
    },
    openTerminal: (size) => (isRoot ? openTerminal(size) : openRootTerminal(size, socket)),
    connect: async (authority) => connectTarget(checkTarget(authority, layout(), ownSubnets())),
  });
}
