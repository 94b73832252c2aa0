import { join } from 'node:path';
import type { HostEtc } from './host.ts';
import type { Lab } from './lab.ts';

export interface DistributionClient {
  start(host: HostEtc): Promise<void>;
  takeAway(): Promise<void>;
}

export type ClientName = 'dhcpcd' | 'dhclient';

export function distributionClient(lab: Lab, name: ClientName): DistributionClient {
  let inside: readonly string[] = [];
  const state = (file: string) => join(lab.folder, `${name}.${file}`);
  const run = (...argv: string[]) => {
    const [file = '', ...args] = [...inside, ...argv];
    return lab.run('gw', file, ...args);
  };
  const files = ['-pf', state('pid'), '-lf', state('leases')];
  return {
    async start(host) {
      inside = host.inside;
      if (name === 'dhcpcd') await run('dhcpcd', '-4', '-w', '-t', '60', 'wan1');
      else await run('dhclient', '-4', '-1', ...files, 'wan1');
    },
    async takeAway() {
      if (name === 'dhcpcd') await run('dhcpcd', '-4', '-k', 'wan1');
      else await run('dhclient', '-4', '-r', ...files, 'wan1');
    },
  };
}
