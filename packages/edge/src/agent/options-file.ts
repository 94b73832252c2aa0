import { join } from 'node:path';
import { asFlag, asRecord } from '@yunxun/contract/device';
import { readJson } from '../apply/durable.ts';
import type { Places } from './places.ts';

/** Permissions that the host's owner grants the console: `options.json` beside the identity. */
export interface EdgeOptions {
  reboot: boolean;
  scripts: boolean;
}

/** Missing permissions count as denied. */
export function readOptions(places: Places): EdgeOptions {
  const read = asRecord<EdgeOptions>(readJson(join(places.etc, 'options.json')));
  return { reboot: asFlag(read.reboot) ?? false, scripts: asFlag(read.scripts) ?? false };
}
