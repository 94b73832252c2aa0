import type { LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { systemClock } from '../clock.ts';
import type { Layout } from '../measure/layout.ts';
import type { Remote } from '../remote/index.ts';
import { checkTarget, ownSubnets } from '../remote/target.ts';
import { snapshot } from '../snapshot/index.ts';
import { type ToolOptions, useTool } from '../tools/index.ts';
import { trace } from '../trace/index.ts';
import type { PinnedIdentity } from './identity-file.ts';
import type { LinuxSystemOptions } from './linux-system.ts';
import { readOptions } from './options-file.ts';
import type { Places } from './places.ts';
import { createRemoteAccess, type RemoteAccessOptions } from './remote-access.ts';

export interface ConsoleToolsOptions extends Pick<RemoteAccessOptions, 'log'> {
  places: Places;
  pinned: PinnedIdentity;
  identity: RemoteAccessOptions['identity'];
  ports: Readonly<Record<string, string>>;
  lookup: LookupFunction;
  layout(): Layout;
  networks(): ToolOptions['networks'];
}

/** Creates what a person of the console starts on this machine: remote access, captures, pictures and tools. */
export async function createConsoleTools(
  options: ConsoleToolsOptions,
): Promise<Pick<LinuxSystemOptions, 'trace' | 'useTool' | 'snapshot'> & { remote: Remote }> {
  const { places, pinned, ports, lookup, layout } = options;
  const shared = () => ({
    layout: layout(),
    ports,
    origins: [new URL(pinned.console).origin],
    ca: [pinned.ca, ...rootCertificates],
    lookup,
  });
  return {
    remote: await createRemoteAccess(options),
    trace: (params) => trace(params, { ...shared(), serial: pinned.serial, clock: systemClock, folder: places.run }),
    useTool: (params) => useTool(params, { ...shared(), networks: options.networks() }),
    snapshot: (params) =>
      snapshot(params, {
        check: (authority) => checkTarget(authority, layout(), ownSubnets()),
        allowed: readOptions(places).remote,
      }),
  };
}
