import { join } from 'node:path';
import { asFlag, asRecord } from '@yunxun/contract/device';
import { readJson } from '../apply/durable.ts';
import type { Places } from './places.ts';

/** What the owner of the box lets the console do: `options.json` beside the identity. */
export interface EdgeOptions {
  /** Restart the box, on command and by schedule. */
  reboot: boolean;
  /** Run scripts. */
  scripts: boolean;
}

/** Reads it; what it does not say is not allowed. */
export function readOptions(places: Places): EdgeOptions {
  const read = asRecord<EdgeOptions>(readJson(join(places.etc, 'options.json')));
  return { reboot: asFlag(read.reboot) ?? false, scripts: asFlag(read.scripts) ?? false };
}
