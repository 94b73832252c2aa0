import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { runTool } from '../apply/executor.ts';
import type { GatewayHost } from '../apply/gateway-host.ts';
import type { HostOptions } from '../apply/host-options.ts';
import { checkNames } from '../apply/wan-names.ts';
import { distinctWanServers, wanServers } from '../apply/wans.ts';
import type { Identity } from '../enrol.ts';
import type { LinkNetwork } from '../link.ts';
import { AddressMemory } from '../names/address-memory.ts';
import type { DnsServer } from '../names/dns-query.ts';
import { HostResolver } from '../names/host-resolver.ts';
import { NameLookup } from '../names/name-lookup.ts';
import type { Places } from './places.ts';

export interface ConsoleNamesOptions {
  places: Places;
  identity: Pick<Identity, 'server'>;
  host(): Pick<GatewayHost, 'plan' | 'lines'>;
  log(line: string): void;
}

export interface ConsoleNames {
  network: LinkNetwork & Required<Pick<LinkNetwork, 'lookup'>>;
  names: NonNullable<HostOptions['names']>;
  look(): Promise<void>;
}

/** Milliseconds. */
const connectTimeout = 4_000;
const resolverProgram = '/usr/lib/yunxun-edge/resolver';

export function createConsoleNames({ places, identity, host: gatewayHost, log }: ConsoleNamesOptions): ConsoleNames {
  const known = () => {
    const { plan, lines: wans } = gatewayHost();
    return wanServers(plan, wans);
  };
  const distinct = () => {
    const { plan, lines: wans } = gatewayHost();
    return distinctWanServers(plan, wans);
  };
  const servers = (): DnsServer[] =>
    known().flatMap(({ from, servers: addresses }) => addresses.map((address) => ({ address, from })));
  const name = isIP(identity.server) === 0 ? identity.server : null;
  const memory = new AddressMemory(join(places.state, 'console-address.json'));
  const host = new HostResolver({
    servers,
    name,
    log,
    now: () => performance.now(),
    read: () => readText('/etc/resolv.conf'),
    offer: (addresses) => offer(places, addresses, log),
  });
  const lookup = new NameLookup({
    memory,
    servers,
    log,
    systemFailed() {
      host.failed();
      void host.look();
    },
  });
  return {
    network: {
      lookup: lookup.lookup,
      connectTimeout,
      proven: (proved, address) => memory.remember(proved, address),
    },
    names: (wans, within, signal) => checkNames({ wans, servers: distinct, hasCarrier, name, within, signal }),
    look: () => host.look(),
  };
}

/** Writes the file that root's path unit watches, or runs the script as root. */
function offer(places: Places, addresses: readonly string[], log: (line: string) => void): void {
  try {
    writeFileSync(join(places.run, 'nameservers'), `${addresses.join('\n')}\n`, { mode: 0o644 });
  } catch (error) {
    log(`the DNS servers cannot be offered: ${String(error)}`);
    return;
  }
  if (process.getuid?.() === 0 && isFile(resolverProgram)) void runTool([resolverProgram]);
}

export function hasCarrier(device: string): boolean {
  return readText(`/sys/class/net/${device}/carrier`).trim() === '1';
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
