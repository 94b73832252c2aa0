import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asFlag, asRecord, isRecord } from '@yunxun/contract/device';
import { readJson } from '../apply/durable.ts';
import type { Places } from './places.ts';

/** Permissions by the host's owner: `options.json` beside the identity. */
export interface EdgeOptions {
  reboot: boolean;
  scripts: boolean;
  /** Terminals and connections into LANs, by the console. */
  remote: boolean;
}

/** Denies missing permissions, remote access aside: that a broken file or any word but `true` denies. */
export function readOptions(places: Places): EdgeOptions {
  const path = join(places.etc, 'options.json');
  const file = readJson(path);
  const read = asRecord<EdgeOptions>(file);
  return {
    reboot: asFlag(read.reboot) ?? false,
    scripts: asFlag(read.scripts) ?? false,
    remote: isRecord(file) ? (read.remote ?? true) === true : !existsSync(path),
  };
}
