import { join } from 'node:path';
import { asFlag, asRecord } from '@yunxun/contract/device';
import { readJson } from '../apply/durable.ts';
import type { Places } from './places.ts';

/** Permissions by the host's owner: `options.json` beside the identity. */
export interface EdgeOptions {
  reboot: boolean;
  scripts: boolean;
  /** Terminals and connections into LANs, by the console. */
  remote: boolean;
}

/** Denies missing permissions, remote access aside. */
export function readOptions(places: Places): EdgeOptions {
  const read = asRecord<EdgeOptions>(readJson(join(places.etc, 'options.json')));
  return {
    reboot: asFlag(read.reboot) ?? false,
    scripts: asFlag(read.scripts) ?? false,
    remote: asFlag(read.remote) ?? true,
  };
}
