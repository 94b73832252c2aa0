import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { Adapter } from './message.ts';

const name = 'outbox.ndjson';

/** Shows a code to the operator; never in a log. */
export type TellCode = (to: string, code: string, template: string) => void;

/** Replaces a provider: a JSON line per message in `outbox.ndjson`. */
export function fileAdapter(dataDir: string, log: Log, tellCode?: TellCode): Adapter {
  const path = join(dataDir, name);
  const warned = new Set<string>();
  return {
    async send({ at, channel, to, template, params, text }) {
      const file = await open(path, 'a', 0o600);
      try {
        await file.appendFile(`${JSON.stringify({ at, channel, to, template, params, text })}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      // the first of a kind is visible by default: no recipient gets the message
      const level = warned.has(template) ? 'info' : 'warn';
      warned.add(template);
      log[level]({ channel, to, template }, 'no provider is configured: message written to outbox.ndjson');
      if (params.code !== undefined) tellCode?.(to, String(params.code), template);
      return name;
    },
  };
}
